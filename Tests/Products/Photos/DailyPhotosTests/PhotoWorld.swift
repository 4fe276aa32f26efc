import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Logging
import NIOCore
import ObjectStorage
import PhotoWorkers
import Postgres
import Synchronization

@testable import DailyPhotos

/// A database with one group of two people, an object store on files, and the services over them.
struct PhotoWorld: TestWorld {
    let postgres: PostgresClient
    let store: FaultyObjectStore
    let groups: GroupMembership
    let service: PhotoService
    let sweeper: PhotoSweeper
    let clocks: ClockWatch
    /// One line for each picture that was decoded, readable or not.
    let decodings = RecordingLog()
    let group = GroupID(rawValue: .version7())
    let alice: UserID
    let bob: UserID

    var uploads: UploadStore { service.uploads }

    init(postgres: PostgresClient, folder: URL, limits: PhotoSettings = PhotoSettings()) async throws {
        let logger = Logger.silent
        let secret = Fixtures.secret
        self.postgres = postgres
        store = FaultyObjectStore(
            FilesystemObjectStore(
                root: folder.path, publicURL: "http://127.0.0.1:8080", secret: secret, logger: logger))
        groups = GroupMembership(postgres: postgres)
        var imaging = ImageProcessorConfiguration(workerPath: TestProducts.path("photo-worker"))
        imaging.queueSize = 256
        let clocks = ClockWatch(store, logger: logger)
        self.clocks = clocks
        service = PhotoService(
            postgres: postgres, groups: groups, objects: store,
            images: ImageProcessor(configuration: imaging, logger: decodings.logger),
            cursors: GroupCursors(secret: secret), tickets: UploadTickets(secret: secret),
            fingerprints: UploadFingerprints(secret: secret),
            rates: Fixtures.rateLimits(postgres), limits: limits,
            clocks: clocks, logger: logger)
        sweeper = PhotoSweeper(postgres: postgres, objects: store, clocks: clocks, logger: logger)
        alice = try await Fixtures.user(in: postgres)
        bob = try await Fixtures.user(in: postgres)
        try await group(id: group, of: [alice, bob])
    }

    func leave(_ user: UserID) async throws { try await leave(user, group) }

    @discardableResult
    func send(
        _ picture: [UInt8] = Pictures.png(), key: String? = nil, from sender: UserID? = nil
    ) async throws -> (photo: VisiblePhoto, isNew: Bool) {
        try await service.upload(to: group, from: sender ?? alice, key: key) {
            try .of(ByteBuffer(bytes: picture))
        }
    }

    func feed(_ reader: UserID? = nil) async throws -> [Photo] {
        try await service.feed(group: group, reader: caller(reader ?? bob)).feed.photos.map(\.photo)
    }

    func attempt(key: String? = nil, from sender: UserID? = nil) -> UploadAttempt {
        UploadAttempt(
            groupID: group, senderID: sender ?? alice, idempotencyKey: key,
            fingerprint: [UInt8](repeating: 7, count: 32),
            width: 64, height: 48, thumbHash: [1, 2, 3])
    }

    /// The first transaction of an upload alone, as after a crash.
    func claim(_ attempt: UploadAttempt) async throws -> UploadClaim {
        let name = UUID().uuidString.lowercased()
        let keys = (
            photo: try ObjectKey("photos/\(name).jpg"), thumbnail: try ObjectKey("photos/\(name)_t.jpg")
        )
        return try await uploads.claim(attempt, keys: keys, id: PhotoID(rawValue: .version7())).get()
    }

    func endLeases() async throws {
        try await postgres.execute(
            "UPDATE photos SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL")
    }

    func expireAll(by age: Duration = .seconds(1)) async throws {
        try await postgres.execute(
            "UPDATE photos SET expires_at = now() - \(age) WHERE expires_at IS NOT NULL")
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET created_at = now() - \(age + .hours(48)), delete_after = now() - \(age)
            """)
    }

    var auditSettings: AuditSettings {
        var settings = AuditSettings(lifetime: .seconds(48 * 3600))
        settings.secondLookAfter = .zero
        return settings
    }

    /// Audits over the store, or another one in its place.
    @discardableResult
    func runAudit(
        over other: (any ObjectStore)? = nil, mends: Bool = false, resume: Bool = false,
        _ change: (inout AuditSettings) -> Void = { _ in },
        isBucketOurs: @escaping @Sendable () async throws -> Bool = { true },
        isBucketTrusted: @escaping @Sendable () async throws -> Bool = { true }
    ) async throws -> AuditReport {
        var settings = auditSettings
        settings.mends = mends
        change(&settings)
        return try await PhotoAudit(
            postgres: postgres, objects: other ?? store, isBucketOurs: isBucketOurs,
            isBucketTrusted: isBucketTrusted, logger: sweeper.logger
        ).run(settings, resume: resume)
    }

    func storedKeys() async throws -> [ObjectKey] {
        try await store.list(prefix: "photos/").objects.map(\.key)
    }
}

/// A test with a world of its own, on a database and a folder of its own.
func withWorld(
    limits: PhotoSettings = PhotoSettings(), _ body: (PhotoWorld) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        try await withDatabase { postgres in
            try await body(try await PhotoWorld(postgres: postgres, folder: folder, limits: limits))
        }
    }
}

/// The same with a clock that the test moves.
func withTravellingWorld(_ body: (PhotoWorld, TestClock) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        try await withTimeMachine { database, clock in
            let world = try await PhotoWorld(postgres: database.client, folder: folder)
            // The store's clock goes with the database's, except where a test parts them.
            world.store.set { $0.date = { clock.now } }
            try await body(world, clock)
        }
    }
}

extension PhotoWorld {
    /// Objects without a photo, in the store and in the ledger.
    ///
    /// - Parameter overdue: how long each has been due.
    func store(_ names: [String], overdue: (Int) -> Duration = { _ in .seconds(1) }) async throws
        -> [ObjectKey]
    {
        var keys: [ObjectKey] = []
        for (index, name) in names.enumerated() {
            let key = try ObjectKey("photos/\(name).jpg")
            try await store.put(key, ByteBuffer(string: "x"), contentType: "image/jpeg")
            try await postgres.execute(
                """
                INSERT INTO stored_objects (key, photo_id, created_at, delete_after)
                SELECT \(key.rawValue), gen_random_uuid(), due - interval '2 days', due
                FROM (SELECT now() - \(overdue(index)) AS due) AS d
                """)
            keys.append(key)
        }
        return keys
    }

    /// The report of a sweep that comes to its end. A sweep that does not end is stopped, and fails the test.
    func sweep(by sweeper: PhotoSweeper? = nil, within limit: Duration = .seconds(20)) async throws
        -> SweepReport
    {
        let sweeper = sweeper ?? self.sweeper
        return try await withThrowingTaskGroup(of: SweepReport?.self) { tasks in
            tasks.addTask { try await sweeper.runOnce() }
            tasks.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { tasks.cancelAll() }
            if let report = try await tasks.next().flatMap({ $0 }) { return report }
            throw EndlessSweep(limit: limit, requests: store.deletions.count)
        }
    }

    /// Another sweeper, with changed settings.
    func sweeper(_ change: (inout PhotoSweeper.Settings) -> Void) -> PhotoSweeper {
        var settings = PhotoSweeper.Settings()
        change(&settings)
        return PhotoSweeper(postgres: postgres, objects: store, settings: settings, logger: sweeper.logger)
    }
}

/// A sweep did not end.
struct EndlessSweep: Error, CustomStringConvertible {
    let limit: Duration
    let requests: Int

    var description: String {
        "the sweep did not end within \(limit); it has asked the store to delete \(requests) times"
    }
}

extension PhotoSettings {
    init(lifetime: Duration) {
        self.init()
        self.lifetime = lifetime
    }
}
