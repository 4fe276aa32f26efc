import DaylyTesting
import Foundation
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite("The life of a photo, to the millisecond")
struct PhotoLifeTests {
    @Test("a photo is visible for exactly 48 hours, and swept with its objects afterwards")
    func life() async throws {
        try await withTravellingWorld { world, clock in
            let sent = try await world.send(key: "key").photo
            #expect(sent.photo.expiresAt == clock.now.addingTimeInterval(48 * 3600))
            #expect(sent.links.expiresAt <= clock.now.addingTimeInterval(3600))
            try await clock.advance(by: .hours(48) - .milliseconds(1))
            let last = try await world.service.photo(sent.photo.id, reader: world.bob)
            #expect(last.links.expiresAt <= sent.photo.expiresAt)
            #expect(try await world.sweeper.runOnce().isIdle)
            #expect(try await world.storedKeys().count == 2)

            try await clock.advance(by: .milliseconds(1))
            #expect(try await world.feed().isEmpty)
            await #expect(throws: PhotoError.notFound) {
                try await world.service.photo(sent.photo.id, reader: world.bob)
            }
            await #expect(throws: PhotoError.photoGone) { try await world.send(key: "key") }
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            #expect(try await world.storedKeys().isEmpty)
            for table in ["photos", "stored_objects"] {
                #expect(try await world.count("SELECT count(*) FROM \(identifier: table)") == 0)
            }

            // The key reports the end for a month, and is then deleted, too.
            try await clock.advance(by: .days(28))
            try await world.sweeper.runOnce()
            await #expect(throws: PhotoError.photoGone) { try await world.send(key: "key") }
            try await clock.advance(by: .days(1))
            try await world.sweeper.runOnce()
            #expect(try await world.count("SELECT count(*) FROM upload_keys") == 0)
        }
    }

    /// Guard: the oldest objects go first, none early (`ForgettingStore.claimDueObjects`)
    @Test("of two photos a millisecond apart, only the older one is swept")
    func neverEarly() async throws {
        try await withTravellingWorld { world, clock in
            try await world.send()
            try await clock.advance(by: .milliseconds(1))
            let younger = try await world.send(from: world.bob).photo.photo
            try await clock.advance(by: .hours(48) - .milliseconds(1))
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            #expect(try await world.feed(world.alice).map(\.id) == [younger.id])
            #expect(
                try await Set(world.storedKeys()) == [younger.photoKey, younger.thumbnailKey])
        }
    }

    @Test("an interrupted upload frees its day when its lease ends, and its objects are deleted twice")
    func abandoned() async throws {
        try await withTravellingWorld { world, clock in
            let claim = try await world.claim(world.attempt())
            try await clock.advance(by: .milliseconds(29_999))
            #expect(try await world.sweeper.runOnce().isIdle)
            await #expect(throws: PhotoError.uploadInProgress(retryAfter: .milliseconds(1))) {
                try await world.send()
            }
            try await clock.advance(by: .milliseconds(1))
            let first = try await world.sweeper.runOnce()
            // Each object counts at its first deletion, and not again.
            #expect(first.abandonedUploads == 1 && first.deletedObjects == 2)
            // This PUT was in flight all the time.
            try await world.store.put(claim.photoKey, .init(string: "late"), contentType: "image/jpeg")
            try await clock.advance(by: .seconds(120) - .milliseconds(1))
            #expect(try await world.sweeper.runOnce().isIdle)
            try await clock.advance(by: .milliseconds(1))
            #expect(try await world.sweeper.runOnce().deletedObjects == 0)
            #expect(try await world.storedKeys().isEmpty)
            try await world.send()
        }
    }

    /// Guard: an object counts at its first deletion only (`ForgettingStore.recordDeletion` (`deleted_once`))
    @Test("objects that a sweeper deletes just before their upload is abandoned count once")
    func sweptBeforeAbandoned() async throws {
        try await withTravellingWorld { world, clock in
            _ = try await world.claim(world.attempt())
            try await clock.advance(by: .seconds(30))
            // This sweeper looked for abandoned uploads just before the lease ended.
            let ledger = ForgettingStore(postgres: world.postgres)
            let claim = try #require(
                try await ledger.claimDueObjects(
                    limit: 10, lease: .seconds(15), putsLandWithin: .seconds(120)))
            let struck = try await ledger.recordDeletion(
                of: claim.objects, claim, secondPassAfter: .seconds(120))
            #expect(struck.count == 2 && struck.finished == 2)
            let report = try await world.sweeper.runOnce()
            #expect(report.abandonedUploads == 1 && report.deletedObjects == 0)
            try await clock.advance(by: .seconds(120))
            #expect(try await world.sweeper.runOnce().deletedObjects == 0)
            #expect(try await world.count("SELECT count(*) FROM stored_objects") == 0)
        }
    }
}
