import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite struct ForgettingTests {
    @Test("an expired photo is gone from feed, rows and store after a sweep; a living one stays")
    func expiry() async throws {
        try await withWorld { world in
            let old = try await world.send()
            try await world.expireAll()
            let young = try await world.send(TestPicture.png(seed: 3), from: world.bob)
            #expect(try await world.feed().map(\.id) == [young.photo.photo.id])
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            #expect(try await world.store.head(old.photo.photo.photoKey) == nil)
            #expect(try await world.storedKeys().count == 2)
            #expect(try await world.sweeper.runOnce() == SweepReport())
        }
    }

    @Test("reads stop at the instant of expiry, before any sweep")
    func hiddenBeforeSweep() async throws {
        try await withWorld { world in
            let sent = try await world.send()
            try await world.expireAll(by: "0 seconds")
            #expect(try await world.feed().isEmpty)
            await #expect(throws: PhotoError.notFound) {
                try await world.service.photo(sent.photo.photo.id, reader: world.bob)
            }
        }
    }

    @Test("a dry run says what is due and deletes nothing")
    func dryRun() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.expireAll()
            let report = try await world.sweeper.dryRun()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            #expect(try await world.storedKeys().count == 2)
        }
    }

    @Test("sweepers side by side delete every object once")
    func sideBySide() async throws {
        try await withWorld { world in
            let keys = try (0..<40).map { try ObjectKey("photos/\($0).jpg") }
            for key in keys {
                try await world.store.put(key, ByteBuffer(string: "x"), contentType: "image/jpeg")
                try await world.postgres.execute(
                    """
                    INSERT INTO stored_objects (key, photo_id, delete_after)
                    VALUES (\(key.rawValue), gen_random_uuid(), now() - interval '1 second')
                    """)
            }
            let deleted = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<4 {
                    tasks.addTask {
                        var settings = PhotoSweeper.Settings()
                        settings.batchSize = 3
                        let sweeper = PhotoSweeper(
                            postgres: world.postgres, objects: world.store, settings: settings,
                            logger: world.sweeper.logger)
                        return try await sweeper.runOnce().deletedObjects
                    }
                }
                return try await tasks.reduce(0, +)
            }
            #expect(deleted == 40)
            #expect(try await world.storedKeys().isEmpty)
            #expect(try await world.count("SELECT count(*) FROM stored_objects") == 0)
        }
    }

    @Test("a sweeper killed between objects and rows is followed by another")
    func killedBetween() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.expireAll()
            let store = ForgettingStore(postgres: world.postgres)
            let claim = try #require(try await store.claimDueObjects(limit: 10, lease: .seconds(60)))
            #expect(try await world.store.delete(claim.keys).isEmpty)
            // Its lease keeps the others off, and then it does not.
            #expect(try await world.sweeper.runOnce().deletedObjects == 0)
            try await world.postgres.execute(
                "UPDATE stored_objects SET claimed_until = now() - interval '1 second'")
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            // The first one, had it only been slow, finishes nothing twice.
            #expect(try await store.finish(claim.keys, of: claim, secondPassAfter: .zero) == 0)
        }
    }

    @Test("a store that is down or keeps an object is tried again, and the row stays until then")
    func storeDown() async throws {
        try await withWorld { world in
            let sent = try await world.send()
            try await world.expireAll()
            world.store.set { $0.failDeletes = true }
            #expect(try await world.sweeper.runOnce().failedObjects == 2)
            #expect(try await world.count("SELECT count(*) FROM photos") == 1)
            world.store.set {
                $0.failDeletes = false
                $0.keep = [sent.photo.photo.photoKey]
            }
            try await retryNow(world)
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 1 && report.failedObjects == 1 && report.deletedPhotos == 0)
            world.store.set { $0.keep = [] }
            try await retryNow(world)
            #expect(try await world.sweeper.runOnce().deletedPhotos == 1)
        }
    }

    @Test("deleting a group or a sender makes the objects due at once")
    func cascades() async throws {
        for statement: (PhotoWorld) -> SQL in [
            { "DELETE FROM groups WHERE id = \($0.group)" }, { "DELETE FROM users WHERE id = \($0.alice)" },
        ] {
            try await withWorld { world in
                try await world.send()
                try await world.postgres.execute(statement(world))
                #expect(try await world.sweeper.runOnce().deletedObjects == 2)
                #expect(try await world.storedKeys().isEmpty)
            }
        }
    }

    @Test("a sender deletes a photo at once; nobody else can")
    func deletion() async throws {
        try await withWorld { world in
            let id = try await world.send().photo.photo.id
            await #expect(throws: PhotoError.notFound) {
                try await world.service.delete(id, sender: world.bob)
            }
            try await world.service.delete(id, sender: world.alice)
            #expect(try await world.feed().isEmpty)
            await #expect(throws: PhotoError.notFound) {
                try await world.service.delete(id, sender: world.alice)
            }
            #expect(try await world.sweeper.runOnce().deletedObjects == 2)
        }
    }

    private func retryNow(_ world: PhotoWorld) async throws {
        try await world.postgres.execute("UPDATE stored_objects SET claimed_until = NULL")
    }
}
