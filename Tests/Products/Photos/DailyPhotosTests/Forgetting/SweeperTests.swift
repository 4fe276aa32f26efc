import DaylyTesting
import Dispatch
import FeatureKit
import Foundation
@testable import Groups
import NIOCore
import ObjectStorage
import Postgres
import ServiceLifecycle
import Testing

@testable import DailyPhotos

@Suite("Sweepers")
struct SweeperTests {
    // MARK: Several of them

    @Test("sweepers side by side delete and count every object once")
    func sideBySide() async throws {
        try await withWorld { world in
            _ = try await world.store((0..<60).map { "\($0)" })
            let sweeper = world.sweeper { $0.batchSize = 3 }
            let deleted = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<4 { tasks.addTask { try await sweeper.runOnce().deletedObjects } }
                return try await tasks.reduce(0, +)
            }
            #expect(deleted == 60)
            #expect(world.store.deletions.flatMap { $0 }.count == 60)
            #expect(try await world.storedKeys().isEmpty)
            #expect(try await world.count("SELECT count(*) FROM stored_objects") == 0)
        }
    }

    /// Guard: a claim excludes other sweepers until its lease ends; only its owner finishes it
    /// (`ForgettingStore.claimDueObjects`, `.recordDeletion` (`claimed_by`))
    @Test(
        "the claim of a sweeper that was killed between objects and rows is taken over when its lease ends, not before"
    )
    func takeover() async throws {
        try await withTravellingWorld { world, clock in
            try await world.send()
            try await clock.advance(by: .hours(48))
            let store = ForgettingStore(postgres: world.postgres)
            let claim = try #require(try await store.claimDueObjects(limit: 10, lease: .seconds(15)))
            #expect(try await world.store.delete(claim.keys).isEmpty)
            try await clock.advance(by: .milliseconds(14_999))
            #expect(try await world.sweeper.runOnce().deletedObjects == 0)
            try await clock.advance(by: .milliseconds(1))
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 2 && report.deletedPhotos == 1)
            // If the first sweeper had only been slow, it would finish no object twice.
            #expect(
                try await store.recordDeletion(of: claim.objects, claim, secondPassAfter: .zero).count == 0)
        }
    }

    /// Guard: a claim excludes other sweepers until its lease ends; only its owner finishes it
    /// (`ForgettingStore.claimDueObjects`, `.recordDeletion` (`claimed_by`))
    @Test("a sweeper whose claim was taken over changes no rows of it")
    func fenced() async throws {
        try await withTravellingWorld { world, clock in
            _ = try await world.store(["a", "b"])
            let store = ForgettingStore(postgres: world.postgres)
            let slow = try #require(try await store.claimDueObjects(limit: 10, lease: .seconds(15)))
            try await clock.advance(by: .seconds(15))
            let other = try #require(
                try await store.claimDueObjects(.triedBefore, limit: 10, lease: .seconds(15)))
            #expect(try await store.recordDeletion(of: slow.objects, slow, secondPassAfter: .zero).count == 0)
            try await store.release(slow.keys, of: slow)
            try await store.putBack(slow)
            for kind in [DeletionClaim.Kind.fresh, .triedBefore] {
                #expect(try await store.claimDueObjects(kind, limit: 10, lease: .seconds(15)) == nil)
            }
            #expect(
                try await store.recordDeletion(of: other.objects, other, secondPassAfter: .zero).count == 2)
        }
    }

    /// Guard: objects whose upload was abandoned since the claim are deleted a second time
    /// (`ForgettingStore.deleteEntries` (`passes = 1`))
    @Test("objects whose upload was abandoned since the claim stay, because a PUT may still write them")
    func abandonedSinceTheClaim() async throws {
        try await withWorld { world in
            _ = try await world.claim(world.attempt())
            try await world.postgres.execute("UPDATE photos SET lease_until = clock_timestamp()")
            try await world.postgres.execute("UPDATE stored_objects SET delete_after = clock_timestamp()")
            let store = ForgettingStore(postgres: world.postgres)
            let claim = try #require(try await store.claimDueObjects(limit: 10, lease: .seconds(15)))
            #expect(claim.objects.count == 2 && claim.objects.allSatisfy { !$0.needsSecondPass })
            #expect(try await store.deleteAbandonedUploads() == 1)
            #expect(
                try await store.recordDeletion(of: claim.objects, claim, secondPassAfter: .zero).count == 0)
            #expect(try await world.count("SELECT count(*) FROM stored_objects WHERE passes = 2") == 2)
        }
    }

    /// Guard: a claim is renewed while the store is slow (`PhotoSweeper.holding`)
    @Test("a sweeper that waits for a slow store keeps its claim")
    func renewal() async throws {
        try await withTravellingWorld { world, clock in
            _ = try await world.store(["a", "b"])
            let lease = Duration.milliseconds(300)
            let postgres = world.postgres
            world.store.set {
                $0.beforeDelete = {
                    // After two thirds of the lease it is renewed.
                    for _ in 0..<2 {
                        try? await clock.advance(by: lease / 3 * 2)
                        let end = clock.now.addingTimeInterval(0.3)
                        let renewed = "SELECT FROM stored_objects WHERE claimed_until >= \(end)" as SQL
                        let deadline = ContinuousClock.now + .seconds(10)
                        while (try? await postgres.first(renewed)) == nil, ContinuousClock.now < deadline {
                            try? await Task.sleep(for: .milliseconds(10))
                        }
                    }
                    let other = try? await ForgettingStore(postgres: postgres)
                        .claimDueObjects(.triedBefore, limit: 10, lease: .seconds(15))
                    #expect(other == nil, "another sweeper has taken what one is at")
                }
            }
            let report = try await world.sweep(
                by: world.sweeper { $0.claimLease = lease }, within: .seconds(60))
            #expect(report.deletedObjects == 2)
        }
    }

    /// Guard: a claim does not write to any index (`fillfactor` of 0012)
    @Test("a claim updates rows in place and writes to no index")
    func claimedInPlace() async throws {
        try await withWorld { world in
            try await world.postgres.execute(
                """
                INSERT INTO stored_objects (key, photo_id, delete_after)
                SELECT 'photos/' || gen_random_uuid() || '_thumbnail.jpg', gen_random_uuid(), now()
                FROM generate_series(1, 2000)
                """)
            let pages = """
                SELECT md5(string_agg(key || (ctid::text::point)[0], ',' ORDER BY key)) AS pages FROM stored_objects
                """ as SQL
            let before = try await world.postgres.first(pages)?.get("pages", as: String.self)
            let store = ForgettingStore(postgres: world.postgres)
            let claim = try await store.claimDueObjects(limit: 2000, lease: .seconds(15))
            #expect(claim?.objects.count == 2000)
            // A row that moves to another page needs new entries in every index.
            let after = try await world.postgres.first(pages)?.get("pages", as: String.self)
            #expect(after == before)
        }
    }

    /// Guard: photos whose objects two batches had are found (`ForgettingStore.photosWithoutObjects`)
    @Test("a photo whose objects two sweepers had is deleted")
    func sharedPhoto() async throws {
        try await withTravellingWorld { world, clock in
            try await world.send()
            try await clock.advance(by: .hours(48))
            let store = ForgettingStore(postgres: world.postgres)
            for _ in 0..<2 {
                let claim = try #require(try await store.claimDueObjects(limit: 1, lease: .seconds(15)))
                #expect(
                    try await store.recordDeletion(of: claim.objects, claim, secondPassAfter: .zero).count
                        == 1)
            }
            #expect(try await world.count("SELECT count(*) FROM photos") == 1)
            #expect(try await world.sweeper.runOnce().deletedPhotos == 1)
        }
    }

    /// Guard: groups are locked in one order; locked ones are skipped (`ForgettingStore.deletePhotos`)
    @Test("a locked group delays the rows of its own photos and no others")
    func busyGroup() async throws {
        try await withTravellingWorld { world, clock in
            let other = try await world.group(of: [world.alice, world.bob])
            try await world.send()
            _ = try await world.service.upload(to: other, from: world.alice, key: nil) {
                try .of(ByteBuffer(bytes: Pictures.png()))
            }
            try await clock.advance(by: .hours(48))
            let (held, hold) = AsyncStream<Void>.makeStream()
            let letGo = DispatchSemaphore(value: 0)
            async let holding: Void = world.postgres.transaction { tx in
                try tx.execute("SELECT FROM groups WHERE id = \(other) FOR UPDATE")
                hold.yield()
                _ = letGo.wait(timeout: .now() + 20)
            }
            for await _ in held { break }
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedObjects == 4 && report.deletedPhotos == 1)
            letGo.signal()
            try await holding
            #expect(try await world.sweeper.runOnce().deletedPhotos == 1)
        }
    }

    // MARK: Order and end

    /// Guard: the oldest objects go first, none early (`ForgettingStore.claimDueObjects`)
    @Test("the oldest objects are deleted first")
    func oldestFirst() async throws {
        try await withWorld { world in
            let days = [3, 9, 1, 7, 5, 8, 2, 6, 4, 0]
            _ = try await world.store(days.map { "\($0)" }, overdue: { .days(days[$0]) })
            try await world.sweeper {
                $0.batchSize = 2
                $0.batchesInFlight = 1
            }.runOnce()
            let order = world.store.deletions.map { Set($0.map(\.rawValue)) }
            #expect(
                order
                    == [[9, 8], [7, 6], [5, 4], [3, 2], [1, 0]].map { pair in
                        Set(pair.map { "photos/\($0).jpg" })
                    })
        }
    }

    /// Guard: bounded steps are repeated until nothing is left (`PostgresClient.executeInBatches`,
    /// `PhotoSweeper.deletePhotosWithoutObjects`)
    @Test("the steps of a sweep are repeated until nothing is left")
    func steps() async throws {
        try await withWorld { world in
            let (expired, abandoned) = (1_500, 1_200)
            try await world.postgres.execute(
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, expires_at, width, height,
                    thumbhash, photo_key, thumbnail_key)
                SELECT gen_random_uuid(), \(world.group), \(world.alice), date '2000-01-01' + number::integer,
                    CASE WHEN number > \(expired) THEN now() - interval '1 second' END,
                    CASE WHEN number <= \(expired) THEN now() - interval '1 second' END,
                    1, 1, '\\x01', 'a', 'b'
                FROM generate_series(1, \(expired + abandoned)) AS number
                """)
            try await world.postgres.execute(
                """
                INSERT INTO upload_keys (group_id, sender_id, key, photo_id, created_at)
                SELECT \(world.group), \(world.alice), number::text, gen_random_uuid(),
                    now() - interval '31 days'
                FROM generate_series(1, 1100) AS number
                """)
            let report = try await world.sweeper.runOnce()
            #expect(report.deletedPhotos == expired && report.abandonedUploads == abandoned)
            #expect(try await world.count("SELECT count(*) FROM photos") == 0)
            #expect(try await world.count("SELECT count(*) FROM upload_keys") == 0)
        }
    }

    /// Guard: a sweep that is asked to end does so between batches (`PhotoSweeper.isInterrupted`)
    @Test("a sweeper that is asked to end stops between two batches and leaves no claim")
    func gracefulEnd() async throws {
        try await withWorld { world in
            _ = try await world.store((0..<20).map { "\($0)" })
            let (reached, reach) = AsyncStream<Void>.makeStream()
            let (held, letGo) = AsyncStream<Void>.makeStream()
            world.store.set {
                $0.beforeDelete = {
                    reach.yield()
                    for await _ in held {}
                }
            }
            let (reports, report) = AsyncStream<SweepReport>.makeStream()
            let sweeper = world.sweeper { $0.batchSize = 2 }
            let group = ServiceGroup(
                services: [Sweeping { report.yield(try await sweeper.runOnce()) }], logger: sweeper.logger)
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try? await group.run() }
                for await _ in reached { break }
                await group.triggerGracefulShutdown()
                letGo.finish()
                for await report in reports {
                    #expect(report.isInterrupted && report.deletedObjects == 2)
                    #expect(report.backlog?.dueObjects == 18)
                    break
                }
                tasks.cancelAll()
            }
            let claimed = "SELECT count(*) FROM stored_objects WHERE claimed_until IS NOT NULL" as SQL
            #expect(try await world.count(claimed) == 0)
        }
    }
}

private struct Sweeping: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws {
        try await body()
        try await gracefulShutdown()
    }
}
