import DaylyTesting
import Foundation
import KeyDerivation
import Logging
import NIOCore
import ObjectStorage
import Postgres
import Synchronization
import Testing

@testable import Restoration

/// A database, a folder for a bucket, and a guard over both.
struct GuardWorld: TestWorld {
    let postgres: PostgresClient
    let store: FaultyObjectStore
    let beat: Duration
    let restoreGuard: RestoreGuard
    let prefix = "state/journal/"

    init(postgres: PostgresClient, folder: URL, beat: Duration) {
        self.postgres = postgres
        self.beat = beat
        store = FaultyObjectStore(
            FilesystemObjectStore(
                root: folder.path, publicURL: "http://127.0.0.1:8080", secret: [1] as [UInt8],
                logger: .silent))
        restoreGuard = Self.makeGuard(postgres, store, prefix, beat, Fixtures.secret.secrets)
    }

    /// Another instance of the service.
    func another(_ secrets: ServiceSecrets = Fixtures.secret.secrets) -> RestoreGuard {
        Self.makeGuard(postgres, store, prefix, beat, secrets)
    }

    private static func makeGuard(
        _ postgres: PostgresClient, _ store: FaultyObjectStore, _ prefix: String, _ beat: Duration,
        _ secrets: ServiceSecrets
    ) -> RestoreGuard {
        RestoreGuard(
            postgres: postgres, objects: store, secret: secrets,
            settings: .init(prefix: prefix, beatInterval: beat, journalLifetime: .seconds(7 * 86_400)),
            logger: .silent)
    }

    /// Keeps what a backup has of the guard.
    func save() async throws {
        for table in ["restore_guard", "journal_steps"] {
            let copy = "saved_\(table)"
            try await postgres.execute("DROP TABLE IF EXISTS \(identifier: copy)")
            try await postgres.execute("CREATE TABLE \(identifier: copy) AS TABLE \(identifier: table)")
        }
    }

    /// Goes back to what was saved last.
    func restore() async throws {
        for table in ["restore_guard", "journal_steps"] {
            let copy = "saved_\(table)"
            try await postgres.execute("DELETE FROM \(identifier: table)")
            try await postgres.execute("INSERT INTO \(identifier: table) TABLE \(identifier: copy)")
        }
    }

    func state() async throws -> GuardState {
        try #require(try await restoreGuard.store.state().state)
    }

    /// Makes the next tick of any process a beat.
    func makeBeatDue() async throws {
        try await postgres.execute("UPDATE restore_guard SET beat_at = now() - interval '1 hour'")
    }

    func erase(_ byte: UInt8, kind: String = "user") async throws {
        try await postgres.execute("INSERT INTO erasures (kind, subject) VALUES (\(kind), \([byte]))")
    }

    /// Makes all logs in the bucket, and all steps, an hour old.
    func age() async throws {
        for segment in try await restoreGuard.segments() where segment.content == .log {
            let older = try JournalSegment(
                prefix: prefix, name: segment.name, writtenAt: Date() - 3_600, database: segment.database,
                content: .log)
            let text = try await store.get(segment.key)
            _ = try await store.delete([segment.key])
            try await store.put(older.key, text, contentType: "text/plain")
        }
        try await postgres.execute("UPDATE journal_steps SET at = now() - interval '1 hour'")
    }

    /// As another copy of the database would.
    func put(epoch: Int, token: String = "theirs", database: UUID) async throws {
        let segment = try JournalSegment(
            prefix: prefix, name: StepName(epoch: epoch, token: token), writtenAt: Date(), database: database,
            content: .alive)
        try await store.put(segment.key, ByteBuffer(string: "x"), contentType: "text/plain")
    }

    func keys() async throws -> [ObjectKey] { try await store.list(prefix: prefix).objects.map(\.key) }

    func emptyBucket() async throws { _ = try await store.delete(try await keys()) }

    func contents() async throws -> [String] {
        var texts: [String] = []
        for key in try await keys() { texts.append(String(buffer: try await store.get(key))) }
        return texts
    }

    func digest(_ kind: String, _ id: UUID) async throws -> [UInt8] {
        let row = try await postgres.first("SELECT erasure_digest(\(kind), \(id)::text) AS digest")
        return try row?.get("digest") ?? []
    }
}

extension RestoreGuard {
    /// All that is in the bucket, in one part.
    func journal() async throws -> ErasureJournal {
        let logs = try await segments().filter { $0.content != .alive }
        var reader = JournalReader(self, logs, leniently: false, recordsInPart: .max)
        return try await reader.next() ?? ErasureJournal(key: key)
    }
}

func withGuard(beat: Duration = .milliseconds(800), _ body: (GuardWorld) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        try await withDatabase { postgres in
            try await body(GuardWorld(postgres: postgres, folder: folder, beat: beat))
        }
    }
}
