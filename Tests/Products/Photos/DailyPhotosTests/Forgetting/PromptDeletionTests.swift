import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite("Deleting one's own photo")
struct PromptDeletionTests {
    /// Guard: a photo's objects are deleted within the request that ends it (`PhotoService.delete`,
    /// `PromptDeletion`)
    @Test("the objects are gone when the sender has the answer")
    func atOnce() async throws {
        try await withTravellingWorld { world, clock in
            let photo = try await world.send().photo.photo
            try await clock.advance(by: .seconds(120))
            try await world.service.delete(photo.id, sender: world.alice)
            #expect(try await world.storedKeys().isEmpty)
            #expect(try await world.count("SELECT count(*) FROM stored_objects") == 0)
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 0 && report.deletedPhotos == 1)
        }
    }

    /// Guard: a hanging store delays the sender by two seconds, and its objects by no lease
    /// (`PromptDeletion`)
    @Test("when the store fails, the objects are due for the next sweep at once")
    func failing() async throws {
        try await withTravellingWorld { world, clock in
            let photo = try await world.send().photo.photo
            try await clock.advance(by: .seconds(120))
            world.store.set { $0.failDeletes = true }
            try await world.service.delete(photo.id, sender: world.alice)
            #expect(try await world.feed().isEmpty)
            #expect(try await world.storedKeys().count == 2)
            world.store.set { $0.failDeletes = false }
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
        }
    }

    /// Guard: a hanging store delays the sender by two seconds, and its objects by no lease
    /// (`PromptDeletion`)
    @Test("a store that hangs keeps the sender waiting for a bounded time only")
    func hanging() async throws {
        try await withTravellingWorld { world, clock in
            let photo = try await world.send().photo.photo
            try await clock.advance(by: .seconds(120))
            world.store.set { $0.beforeDelete = { try? await Task.sleep(for: .seconds(60)) } }
            let claim = try #require(try await world.service.photos.delete(photo.id, sender: world.alice))
            var deletion = world.service.promptDeletion
            deletion.timeout = .milliseconds(20)
            // The test's store continues after the timeout, as a real one may. Deleting an object twice is harmless.
            let started = ContinuousClock.now
            await deletion.finish(claim)
            #expect(ContinuousClock.now - started < .seconds(30))
            world.store.set { $0.beforeDelete = nil }
            #expect(try await world.sweeper.runOnce().deletedObjects == 2)
        }
    }

    @Test("an object that the store keeps is retried apart from others")
    func kept() async throws {
        try await withTravellingWorld { world, clock in
            let photo = try await world.send().photo.photo
            try await clock.advance(by: .seconds(120))
            world.store.set { $0.keep = [photo.photoKey] }
            try await world.service.delete(photo.id, sender: world.alice)
            #expect(try await world.storedKeys() == [photo.photoKey])
            world.store.set { $0.keep = [] }
            try await clock.advance(by: .seconds(2))
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 1 && report.deletedPhotos == 1)
        }
    }
}
