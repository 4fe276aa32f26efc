import DaylyTesting
import FeatureKit
import Foundation
import NIOCore
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite struct ForgettingTests {
    @Test("a sweep removes an expired photo from feed, rows and store, and keeps a live one")
    func expiry() async throws {
        try await withWorld { world in
            let old = try await world.send()
            try await world.expireAll()
            let young = try await world.send(Pictures.png(seed: 3), from: world.bob)
            #expect(try await world.feed().map(\.id) == [young.photo.photo.id])
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            #expect(try await world.store.head(old.photo.photo.photoKey) == nil)
            #expect(try await world.storedKeys().count == 2)
            #expect(try await world.sweeper.runOnce().isIdle)
        }
    }

    /// Guard: reads stop at the expiry (`PhotoStore`)
    @Test("reads stop at the instant of expiry, before any sweep")
    func hiddenBeforeSweep() async throws {
        try await withWorld { world in
            let sent = try await world.send()
            try await world.expireAll(by: .zero)
            #expect(try await world.feed().isEmpty)
            await #expect(throws: PhotoError.notFound) {
                try await world.service.photo(sent.photo.photo.id, reader: world.bob)
            }
        }
    }

    @Test("a dry run counts the objects that are due and deletes nothing")
    func dryRun() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.expireAll()
            let report = try await world.sweeper.dryRun()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            #expect(try await world.storedKeys().count == 2)
        }
    }

    /// Guard: every deletion of a photo's row makes its objects due (`photos_forget_objects`)
    @Test("deleting a group or a sender makes the objects due at once")
    func cascades() async throws {
        for statement: (PhotoWorld) -> SQL in [
            { "DELETE FROM groups WHERE id = \($0.group)" }, { "DELETE FROM users WHERE id = \($0.alice)" },
        ] {
            try await withTravellingWorld { world, clock in
                try await world.send()
                try await clock.advance(by: .seconds(120))
                try await world.postgres.execute(statement(world))
                #expect(try await world.sweeper.runOnce().deletedObjects == 2)
                #expect(try await world.storedKeys().isEmpty)
            }
        }
    }

    /// Guard: only members read, only senders delete (`PhotoStore`)
    @Test("a sender deletes their photo at once, and no other member can")
    func deletion() async throws {
        try await withTravellingWorld { world, clock in
            let id = try await world.send().photo.photo.id
            try await clock.advance(by: .seconds(120))
            await #expect(throws: PhotoError.notFound) {
                try await world.service.delete(id, sender: world.bob)
            }
            try await world.service.delete(id, sender: world.alice)
            #expect(try await world.feed().isEmpty)
            await #expect(throws: PhotoError.notFound) {
                try await world.service.delete(id, sender: world.alice)
            }
            #expect(try await world.sweeper.runOnce().deletedPhotos == 1)
        }
    }

    /// Guard: the same where an accepted photo is deleted before its first PUT, given up, has landed
    /// (`ForgettingStore.claimDueObjects`)
    @Test(
        "the objects of a photo that is deleted within two minutes are deleted twice, because a PUT may be late"
    )
    func deletionBeforeLatePut() async throws {
        for delete: @Sendable (PhotoWorld, PhotoID) async throws -> Void in [
            { try await $0.service.delete($1, sender: $0.alice) },
            { world, _ in
                try await world.postgres.execute("DELETE FROM groups WHERE id = \(world.group)")
            },
        ] {
            try await withTravellingWorld { world, clock in
                let photo = try await world.send().photo.photo
                try await clock.advance(by: .seconds(120) - .milliseconds(1))
                try await delete(world, photo.id)
                // When the sender deletes the photo, their request deletes and counts the objects.
                let isPrompt = try await world.storedKeys().isEmpty
                #expect(try await world.sweeper.runOnce().deletedObjects == (isPrompt ? 0 : 2))
                #expect(try await world.storedKeys().isEmpty)
                // The first of two PUTs, which the upload had given up.
                try await world.store.put(photo.photoKey, .init(string: "late"), contentType: "image/jpeg")
                #expect(try await world.sweeper.runOnce().deletedObjects == 0)
                try await clock.advance(by: .seconds(120))
                #expect(try await world.sweeper.dryRun().deletedObjects == 0)
                #expect(try await world.sweeper.runOnce().deletedObjects == 0)
                #expect(try await world.storedKeys().isEmpty)
                for table in ["photos", "stored_objects"] {
                    #expect(try await world.count("SELECT count(*) FROM \(identifier: table)") == 0)
                }
            }
        }
    }
}
