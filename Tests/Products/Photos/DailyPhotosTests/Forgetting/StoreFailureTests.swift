import DaylyTesting
import Foundation
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite("Sweeping while the object store fails")
struct StoreFailureTests {
    /// Guard: objects go before rows (`ForgettingStore.deletePhotos`)
    /// Guard: a sweep that leaves a paused object, and an audit before it, do not end with 0
    /// (`SweepReport.hasLeftDue`, `AuditCommand`)
    @Test("an object that the store keeps delays its own photo's row and no other")
    func oneKept() async throws {
        try await withTravellingWorld { world, clock in
            let kept = try await world.send().photo.photo.photoKey
            let others = try await world.store((0..<20).map { "\($0)" })
            try await clock.advance(by: .hours(48))
            world.store.set { $0.keep = [kept] }
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == others.count + 1 && report.failedObjects == 1)
            #expect(report.deletedPhotos == 0 && report.storeFailure == nil)
            #expect(try await world.storedKeys() == [kept])
            #expect(report.backlog?.dueObjects == 1 && report.hasLeftDue)
            // In its pause nobody tries to delete it, and it is due all the same.
            let paused = try await world.sweeper.runOnce()
            #expect(paused.failedObjects == 0 && paused.waitingObjects == 1 && paused.hasLeftDue)
            world.store.set { $0.keep = [] }
            try await clock.advance(by: .minutes(1))
            let next = try await world.sweeper.runOnce()
            #expect(next.deletedObjects == 1 && next.deletedPhotos == 1 && !next.hasLeftDue)
        }
    }

    /// Guard: an object that the store keeps waits by itself, with growing pauses (`ForgettingStore.release`)
    @Test("the pauses of an object that the store keeps double up to a minute, apart from other objects'")
    func pauses() async throws {
        try await withTravellingWorld { world, clock in
            let kept = try await world.store(["kept"])
            world.store.set { $0.keep = Set(kept) }
            var pauses: [Double] = []
            for _ in 0..<9 {
                #expect(try await world.sweeper.runOnce().failedObjects == 1)
                #expect(try await world.sweeper.runOnce().isIdle)
                let row = try await world.postgres.first(
                    "SELECT EXTRACT(EPOCH FROM claimed_until - now())::float8 AS pause FROM stored_objects")
                let pause: Double = try #require(try row?.get("pause"))
                pauses.append(pause)
                _ = try await world.store(["new\(pauses.count)"])
                #expect(try await world.sweeper.runOnce().deletedObjects == 1)
                try await clock.advance(by: .milliseconds(Int64(pause * 1000) + 1))
            }
            for (pause, longest) in zip(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
                #expect(pause <= Double(longest) && pause >= Double(longest) * 0.75)
            }
        }
    }

    /// Guard: objects that failed before are claimed apart, in small batches (`SweepFlow`,
    /// `ForgettingStore.claimDueObjects`)
    /// Guard: one object that fails a whole batch is found and deleted apart (`ObjectDeletion.split`)
    @Test("one object that fails a whole batch is found, and the others are deleted")
    func choking() async throws {
        try await withTravellingWorld { world, clock in
            let keys = try await world.store((0..<200).map { "\($0)" })
            world.store.set { $0.choke = [keys[137], keys[138]] }
            let report = try await world.sweep()
            #expect(report.deletedObjects == 198 && report.failedObjects == 2)
            #expect(report.storeFailure == nil)
            #expect(world.store.deletions.count < 40)

            // From now on the object is retried alone and delays no other.
            try await clock.advance(by: .minutes(1))
            let new = try await world.store((0..<50).map { "new\($0)" })
            let before = world.store.deletions.count
            #expect(try await world.sweep().deletedObjects == 50)
            #expect(Set(world.store.deletions[before]) == Set(new))
            let alone = "SELECT count(*) FROM stored_objects WHERE failures = 2" as SQL
            #expect(try await world.count(alone) == 2)
        }
    }

    /// Guard: a few failing objects do not mean that the store is down (`ObjectDeletion`)
    @Test("two objects of one photo that cannot be deleted do not count as a store that is down")
    func fewChoking() async throws {
        try await withWorld { world in
            let keys = try await world.store(["a", "b"])
            world.store.set { $0.choke = Set(keys) }
            let report = try await world.sweep()
            #expect(report.storeFailure == nil && report.failedObjects == 2)
            world.store.set { $0.choke = [keys[0]] }
            try await world.postgres.execute("UPDATE stored_objects SET claimed_until = now()")
            #expect(try await world.sweep().failedObjects == 1)
        }
    }

    /// Guard: a store that is down is asked once, and its claim is released (`ObjectDeletion.delete`,
    /// `ForgettingStore.putBack`)
    @Test("a store that is down is asked once, keeps no claim and counts against no object")
    func down() async throws {
        try await withWorld { world in
            _ = try await world.store((0..<30).map { "\($0)" })
            world.store.set {
                $0.failDeletes = true
                $0.failChecks = true
            }
            let sweeper = world.sweeper { $0.batchSize = 5 }
            let report = try await world.sweep(by: sweeper)
            #expect(world.store.deletions.count == 1)
            #expect(report.storeFailure != nil && report.failedObjects == 0)
            #expect(throws: StoreUnavailable.self) { try report.requireStore() }
            let marked = """
                SELECT count(*) FROM stored_objects WHERE failures > 0 OR claimed_until > now()
                """ as SQL
            #expect(try await world.count(marked) == 0)
            world.store.set {
                $0.failDeletes = false
                $0.failChecks = false
            }
            #expect(try await world.sweep(by: sweeper).deletedObjects == 30)
        }
    }

    /// Guard: a few failing objects do not mean that the store is down (`ObjectDeletion`)
    @Test("a store that answers and deletes nothing counts as down")
    func deletesNothing() async throws {
        try await withWorld { world in
            _ = try await world.store((0..<300).map { "\($0)" })
            world.store.set { $0.failDeletes = true }
            let report = try await world.sweep()
            #expect(report.storeFailure != nil && report.failedObjects == 0)
            #expect(world.store.deletions.count < 40)
            #expect(try await world.count("SELECT count(*) FROM stored_objects WHERE failures > 0") == 0)
        }
    }

    /// Guard: an object that a sweeper has tried to delete cannot be accepted (`ForgettingStore.putBack`)
    @Test(
        "a photo whose object a sweeper has tried to delete is not accepted, even when the claim was released"
    )
    func putBack() async throws {
        try await withTravellingWorld { world, clock in
            let attempt = world.attempt()
            let claim = try await world.claim(attempt)
            // This acts as if the acceptance had read its clock before the lease ended.
            try await world.postgres.execute("UPDATE stored_objects SET delete_after = now()")
            let store = ForgettingStore(postgres: world.postgres)
            try await store.putBack(
                try #require(try await store.claimDueObjects(limit: 10, lease: .seconds(15))))
            await #expect(throws: PhotoError.attemptLost) {
                try await world.uploads.accept(claim, of: attempt)
            }
        }
    }
}
