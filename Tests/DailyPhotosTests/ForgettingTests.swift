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
            #expect(try await world.sweeper.runOnce().isIdle)
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
}
