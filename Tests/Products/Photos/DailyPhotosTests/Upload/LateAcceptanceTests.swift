import DaylyTesting
import Foundation
import NIOCore
import Postgres
import Synchronization
import Testing

@testable import DailyPhotos

/// Changes by others between an upload's claim and its acceptance.
@Suite("Late acceptances")
struct LateAcceptanceTests {
    /// Guard: the lease is compared with the clock at the moment of the write (`UploadStore.makeLive`
    /// (`clock_timestamp()`))
    @Test("a lease that ends while the acceptance waits for its group is over")
    func leaseEndsMeanwhile() async throws {
        try await withWorld { world in
            let attempt = world.attempt(key: "k1")
            let claim = try await world.claim(attempt)
            let isRefused = try await world.refusesAcceptance(claim, of: attempt) {
                // The acceptance's transaction began before this instant.
                try await world.postgres.execute("UPDATE photos SET lease_until = clock_timestamp()")
                try await world.postgres.execute(
                    "UPDATE stored_objects SET delete_after = (SELECT lease_until FROM photos)")
            }
            #expect(isRefused)
            #expect(try await world.feed().isEmpty)
            #expect(try await world.count("SELECT count(*) FROM upload_keys") == 0)
        }
    }

    /// Guard: an acceptance needs objects that were never swept (`UploadStore.makeLive` (`delete_after`))
    @Test(
        "a photo whose objects a sweeper has deleted is not accepted, even after the sweeper's claim has ended"
    )
    func sweptMeanwhile() async throws {
        try await withWorld { world in
            let attempt = world.attempt()
            let claim = try await world.claim(attempt)
            let isRefused = try await world.refusesAcceptance(claim, of: attempt) {
                try await world.postgres.execute("UPDATE stored_objects SET delete_after = clock_timestamp()")
                // The first of two passes, of a sweeper that had looked for abandoned uploads just before the lease
                // ended.
                let ledger = ForgettingStore(postgres: world.postgres)
                let due = try #require(
                    try await ledger.claimDueObjects(
                        limit: 10, lease: .seconds(15), putsLandWithin: .seconds(120)))
                _ = try await world.store.delete(due.keys)
                _ = try await ledger.recordDeletion(of: due.objects, due, secondPassAfter: .seconds(120))
                #expect(due.objects.count == 2)
            }
            #expect(isRefused)
            #expect(try await world.feed().isEmpty)
        }
    }

    /// Guard: an acceptance never moves the last day back (`UploadStore.accept` (`GREATEST`))
    @Test("an acceptance does not move the sender's last day back")
    func usedMeanwhile() async throws {
        try await withWorld { world in
            let attempt = world.attempt()
            let claim = try await world.claim(attempt)
            // A restore does this when it does not know the last day.
            try await world.postgres.execute("UPDATE photo_slots SET last_sent_on = current_date + 3")
            _ = try await world.uploads.accept(claim, of: attempt)
            #expect(
                try await world.count(
                    "SELECT count(*) FROM photo_slots WHERE last_sent_on = current_date + 3") == 1)
        }
    }

    /// Guard: the sender's slot is locked while a day is claimed (`UploadStore.lockSlot`)
    @Test(
        "a claim waits for another one of its sender and group, and sees it, even if that one is for another day"
    )
    func claimsMeet() async throws {
        try await withWorld { world in
            let (group, alice) = (world.group, world.alice)
            try await world.postgres.execute(
                "INSERT INTO photo_slots (group_id, sender_id) VALUES (\(group), \(alice))")
            let outcome = try await world.behind { tx in
                try tx.execute("SELECT FROM photo_slots FOR UPDATE")
                // Another process has claimed another day, before the sender moved.
                try tx.execute(
                    """
                    INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash,
                                        photo_key, thumbnail_key)
                    VALUES (gen_random_uuid(), \(group), \(alice), current_date - 3, now() + interval '1 minute', 1, 1,
                            '', 'photos/a.jpg', 'photos/a_thumbnail.jpg')
                    """)
            } meanwhile: {
            } run: {
                do {
                    _ = try await world.claim(world.attempt())
                    return "claimed"
                } catch let refusal as UploadRefusal {
                    guard case .inProgress = refusal.decision else { return "\(refusal.decision)" }
                    return "in progress"
                }
            }
            #expect(outcome == "in progress")
        }
    }

    /// Guard: the statement that judges the day writes it (`UploadStore.insertPending`)
    @Test(
        "a sender who moves west while the day is judged gets no second photo and no error",
        arguments: [true, false])
    func zoneChangesMeanwhile(isDeleted: Bool) async throws {
        try await withWorld { world in
            try await world.postgres.execute("UPDATE users SET time_zone = 'Pacific/Kiritimati'")
            let yesterday = try await world.claim(world.attempt())
            _ = try await world.uploads.accept(yesterday, of: world.attempt())
            for table in ["photos SET sent_on = sent_on", "photo_slots SET last_sent_on = last_sent_on"] {
                try await world.postgres.execute("UPDATE \(fragment: SQL(unchecked: table)) - 1")
            }
            if isDeleted { try await world.postgres.execute("DELETE FROM photos") }
            try await world.moveWestAfterTheNextLook()
            // In Kiritimati it is a day later than the last one sent; in Pago Pago it is that one, or the one before.
            do {
                _ = try await world.claim(world.attempt())
                Issue.record("a day was claimed that is used")
            } catch let refusal as UploadRefusal {
                guard case .alreadySentToday = refusal.decision else {
                    Issue.record("refused as \(refusal.decision)")
                    return
                }
            }
        }
    }
}

extension PhotoWorld {
    /// Begins an acceptance that has to wait for its group's row, and expects that it is refused afterwards.
    ///
    /// - Parameter change: what happens while the acceptance waits.
    fileprivate func refusesAcceptance(
        _ claim: UploadClaim, of attempt: UploadAttempt, after change: () async throws -> Void
    ) async throws -> Bool {
        let group = group
        return try await behind {
            try $0.execute("SELECT FROM groups WHERE id = \(group) FOR UPDATE")
        } meanwhile: {
            try await change()
        } run: {
            do {
                _ = try await uploads.accept(claim, of: attempt)
                return false
            } catch PhotoError.attemptLost { return true }
        }
    }

    /// Runs `body`, which has to wait for a transaction.
    ///
    /// - Parameters:
    ///   - lock: of that transaction.
    ///   - change: what happens while `body` waits. The transaction commits after it.
    fileprivate func behind<Value: Sendable>(
        _ lock: @escaping @Sendable (PostgresTransaction) throws -> Void,
        meanwhile change: () async throws -> Void, run body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let isOver = Mutex(false)
        let (held, hold) = AsyncStream<Void>.makeStream()
        async let holding: Void = postgres.transaction { tx in
            try lock(tx)
            hold.yield()
            while !isOver.withLock({ $0 }) { usleep(2_000) }
        }
        for await _ in held { break }
        async let value = body()
        let changed: Result<Void, any Error>
        do {
            try await untilSomebodyWaits()
            changed = .success(try await change())
        } catch { changed = .failure(error) }
        isOver.withLock { $0 = true }
        try await holding
        try changed.get()
        return try await value
    }

    private func untilSomebodyWaits() async throws {
        let waiting: SQL = """
            SELECT count(*) AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE NOT granted AND datname = current_database()
            """
        try await eventually("somebody waits") { try await count(waiting) > 0 }
    }

    /// Lets the sender's time zone change behind the next look at the day, before any other statement.
    fileprivate func moveWestAfterTheNextLook() async throws {
        try await postgres.execute(
            SQL(
                unchecked: """
                    CREATE OR REPLACE FUNCTION local_day(at timestamptz, zone text) RETURNS date
                    LANGUAGE plpgsql VOLATILE AS $$
                    BEGIN
                        UPDATE users SET time_zone = 'Pacific/Pago_Pago' WHERE time_zone <> 'Pacific/Pago_Pago';
                        RETURN (at AT TIME ZONE zone)::date;
                    END
                    $$
                    """))
    }
}
