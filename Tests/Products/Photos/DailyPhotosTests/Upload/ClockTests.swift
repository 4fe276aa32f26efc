import DaylyTesting
import FeatureKit
import Foundation
import Logging
import Postgres
import Synchronization
import Testing

@testable import DailyPhotos

@Suite("A database whose clock jumps")
struct ClockTests {
    /// Guard: nothing is deleted while the clocks disagree (`PhotoSweeper.beat`, `PhotoSweeper.deleteBatch`)
    @Test("a jump by 48 hours deletes nothing, and work continues when the clock is right again")
    func sweep() async throws {
        try await withTravellingWorld { world, clock in
            let photo = try await world.send().photo
            let (before, jump) = (clock.now, Duration.hours(48))
            world.store.set { $0.date = { before } }
            try await clock.advance(by: jump)
            let report = try await world.sweep()
            #expect(report.deletedObjects == 0 && report.deletedPhotos == 0)
            #expect(abs((report.clockDifferenceSeconds ?? 0) - 48 * 3600) < 60)
            #expect(!report.isIdle)
            try await clock.set(to: before)
            #expect(try await world.feed().map(\.id) == [photo.photo.id])
            #expect(try await world.storedKeys().count == 2)
            // The store's clock has reached that time, too.
            world.store.set { $0.date = { clock.now } }
            try await clock.advance(by: jump)
            let later = try await world.sweep()
            #expect(
                later.deletedObjects == 2 && later.deletedPhotos == 1 && later.clockDifferenceSeconds == nil)
        }
    }

    /// Guard: nothing is deleted while the clocks disagree (`PhotoSweeper.beat`, `PhotoSweeper.deleteBatch`)
    @Test(
        "a jump right after the sweep has compared the clocks deletes nothing either",
        arguments: [true, false])
    func middleOfSweep(isFresh: Bool) async throws {
        try await withTravellingWorld { world, clock in
            try await world.send()
            let before = clock.now
            if !isFresh {
                try await world.postgres.execute("UPDATE stored_objects SET claimed_until = now()")
            }
            let clocks = ClockWatch(
                storeDate: {
                    try? await clock.set(to: before.addingTimeInterval(48 * 3600))
                    return before
                }, logger: world.sweeper.logger)
            let sweeper = PhotoSweeper(
                postgres: world.postgres, objects: world.store, clocks: clocks, logger: world.sweeper.logger)
            let report = try await world.sweep(by: sweeper)
            #expect(report.deletedObjects == 0 && report.clockDifferenceSeconds != nil)
            #expect(world.store.deletions.isEmpty)
            try await clock.set(to: before)
            #expect(try await world.storedKeys().count == 2)
            #expect(try await world.feed().count == 1)
        }
    }

    /// Guard: a claim made by a wrong clock is undone (`ForgettingStore.undo`, `PhotoSweeper.deleteBatch`)
    @Test("a jump leaves no lasting claim behind", arguments: [true, false])
    func undo(isFresh: Bool) async throws {
        try await withTravellingWorld { world, clock in
            try await world.send()
            let before = clock.now
            if !isFresh {
                try await world.postgres.execute("UPDATE stored_objects SET claimed_until = now()")
            }
            try await clock.advance(by: .hours(48))
            let store = ForgettingStore(postgres: world.postgres)
            let claim = try await store.claimDueObjects(
                isFresh ? .fresh : .triedBefore, limit: 10, lease: .seconds(15))
            try await store.undo(try #require(claim))
            try await clock.set(to: before)
            let left = try await world.count(
                """
                SELECT count(*) FROM stored_objects
                WHERE claimed_until > now() OR claimed_by IS NOT NULL OR (claimed_until IS NULL) <> \(isFresh)
                """)
            #expect(left == 0)
        }
    }

    /// Guard: a claim made by a wrong clock is undone (`ForgettingStore.undo`, `PhotoSweeper.deleteBatch`)
    @Test("a sweep that is cancelled while the clock is wrong leaves no lasting claim behind either")
    func cancelledUndo() async throws {
        try await withTravellingWorld { world, clock in
            try await world.send()
            let before = clock.now
            let readings = Counter()
            let sweep = Mutex<Task<SweepReport, any Error>?>(nil)
            let clocks = ClockWatch(
                storeDate: {
                    if readings.increment() == 1 {
                        try? await clock.set(to: before.addingTimeInterval(48 * 3600))
                    } else {
                        sweep.withLock { $0?.cancel() }
                    }
                    return before
                }, logger: world.sweeper.logger)
            let sweeper = PhotoSweeper(
                postgres: world.postgres, objects: world.store, clocks: clocks, logger: world.sweeper.logger)
            let task = sweep.withLock { sweep in
                let task = Task { try await sweeper.runOnce() }
                sweep = task
                return task
            }
            _ = await task.result
            #expect(task.isCancelled && world.store.deletions.isEmpty)
            try await clock.set(to: before)
            let left = "SELECT count(*) FROM stored_objects WHERE claimed_until IS NOT NULL" as SQL
            #expect(try await world.count(left) == 0)
        }
    }

    /// Guard: a claim that a wrong clock made lasting ends (`ForgettingStore.claimDueObjects`)
    @Test("a claim from a time when the clock was days ahead keeps no object")
    func futureClaim() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.postgres.execute(
                """
                UPDATE stored_objects
                SET claimed_until = now() + interval '2 days', claimed_by = gen_random_uuid()
                """)
            try await world.expireAll()
            let report = try await world.sweep()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            #expect(try await world.storedKeys().isEmpty)
        }
    }

    /// Guard: a photo that was deleted at a wrong clock stays deleted (`PhotoService.end`)
    @Test(
        "a photo that its sender deletes at a wrong clock does not come back",
        arguments: [Duration.hours(2), .hours(-2)])
    func deletion(jump: Duration) async throws {
        try await withTravellingWorld { world, clock in
            let photo = try await world.send().photo.photo
            try await clock.advance(by: .hours(1))
            let before = clock.now
            world.store.set { $0.date = { before } }
            try await world.clocks.requireAgreement(world.postgres)
            try await clock.set(to: before.addingTimeInterval(jump / .seconds(1)))
            try await world.service.delete(photo.id, sender: world.alice)
            try await clock.set(to: before)
            #expect(try await world.feed().isEmpty)
            let removals = "SELECT count(*) FROM group_events WHERE kind = 'photo_removed'" as SQL
            #expect(try await world.count(removals) == 1)
            // By a clock that is behind, the objects look so young that they are deleted twice, two minutes apart.
            world.store.set { $0.date = { clock.now } }
            try await eventually("the end of the photo") {
                try await clock.advance(by: .seconds(180))
                _ = try await world.sweep()
                let isEmpty = try await world.storedKeys().isEmpty
                return try await world.count("SELECT count(*) FROM photos") == 0 && isEmpty
            }
        }
    }

    /// Guard: an upload does not use a wrong clock (`UploadStore.byTrustedTime`)
    @Test("an upload at a wrong clock is refused and does not use up the day")
    func upload() async throws {
        try await withTravellingWorld { world, clock in
            let before = clock.now
            world.store.set { $0.date = { before } }
            try await world.clocks.requireAgreement(world.postgres)
            try await clock.advance(by: .hours(48))
            // It is right again before the photo is accepted.
            world.store.set { $0.beforePut = { try? await clock.set(to: before) } }
            await #expect(throws: PhotoError.clocksDisagree) { try await world.send() }
            world.store.set { $0.beforePut = nil }
            try await clock.set(to: before)
            #expect(try await world.feed().isEmpty)
            #expect(try await world.send().isNew)
            let day = try await world.postgres.first(
                "SELECT last_sent_on = local_day(now(), 'UTC') AS is_today FROM photo_slots")
            #expect(try day?.get("is_today") == true)
        }
    }

    /// Guard: an upload does not use a wrong clock (`UploadStore.byTrustedTime`)
    @Test("a jump between an upload's two transactions does not use up the day either")
    func acceptance() async throws {
        try await withTravellingWorld { world, clock in
            let before = clock.now
            world.store.set { $0.date = { before } }
            try await world.clocks.requireAgreement(world.postgres)
            world.store.set {
                $0.beforePut = { try? await clock.set(to: before.addingTimeInterval(-172_800)) }
            }
            await #expect(throws: PhotoError.clocksDisagree) { try await world.send() }
            world.store.set { $0.beforePut = nil }
            try await clock.set(to: before)
            #expect(try await world.count("SELECT count(*) FROM photos") == 0)
            #expect(try await world.send().isNew)
        }
    }

    /// Guard: the store's clock is asked again before a disagreement is declared (`ClockWatch.judge`)
    @Test(
        "a store without a clock or without an answer delays nothing, and a store's clock that was set is believed"
    )
    func stores() async throws {
        try await withWorld { world in
            try await ClockWatch(storeDate: { nil }, logger: .silent).requireAgreement(world.postgres)
            struct Away: Error {}
            try await ClockWatch(storeDate: { throw Away() }, logger: .silent).requireAgreement(
                world.postgres)
            let dates = Dates([Date(timeIntervalSinceNow: -7200), Date(), Date(timeIntervalSinceNow: -7200)])
            let watch = ClockWatch(storeDate: { await dates.next() }, logger: .silent)
            try await watch.requireAgreement(world.postgres)
            await #expect(throws: ClocksDisagree.self) {
                try await watch.judge(Date(timeIntervalSinceNow: 7200))
            }
        }
    }

    private actor Dates {
        private var left: [Date]

        init(_ dates: [Date]) { left = dates }

        func next() -> Date? { left.isEmpty ? nil : left.removeFirst() }
    }
}
