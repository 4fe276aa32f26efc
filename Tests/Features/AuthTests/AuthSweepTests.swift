import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import RateLimiting
import Synchronization
import Testing

@testable import Auth

@Suite("Sweeping after sign-ins")
struct AuthSweepTests {
    @Test("the sweep deletes rows that ended long ago, and keeps those that live or ended recently")
    func sweeps() async throws {
        try await withDatabase { postgres in
            let user = try await Fixtures.user(in: postgres)
            for change: SQL in [
                "ended_at = now() - interval '31 days'", "expires_at = now() - interval '31 days'",
            ] {
                let session = try await Fixtures.session(in: postgres, of: user)
                try await postgres.execute("UPDATE sessions SET \(fragment: change) WHERE id = \(session)")
            }
            let ended = try await Fixtures.session(in: postgres, of: user)
            try await postgres.execute("UPDATE sessions SET ended_at = now() WHERE id = \(ended)")
            _ = try await Fixtures.session(in: postgres, of: user)
            for age in [.hours(25), .hours(23), .minutes(-5)] as [Duration] {
                try await postgres.execute(
                    """
                    INSERT INTO verifications (id, phone_number, code_hmac, expires_at)
                    VALUES (gen_random_uuid(), '+4915123456789', '', now() - \(age))
                    """)
            }
            let limits = Fixtures.rateLimits(postgres)
            try await limits.check([RateLimit(scope: "s", subject: "x", limit: 1, per: .seconds(60))])
            try await postgres.execute(
                "UPDATE rate_counters SET window_ends_at = now() - interval '1 second'")
            let sweep = AuthSweep(postgres: postgres, limits: limits)
            #expect(try await sweep.runOnce() == .init(verifications: 1, sessions: 2, counters: 1))
            #expect(try await sweep.runOnce() == .init(verifications: 0, sessions: 0, counters: 0))
        }
    }

    /// Guard: a sweep leaves sessions that another transaction holds to the next run
    /// (`SessionStore.deleteOld` (`SKIP LOCKED`))
    @Test(
        "thousands of rows that are due at once are deleted in batches, and locked rows are left for the next run"
    )
    func batches() async throws {
        try await withDatabase { postgres in
            let user = try await Fixtures.user(in: postgres)
            try await postgres.execute(
                """
                INSERT INTO sessions (id, user_id, refresh_nonce, expires_at, ended_at)
                SELECT gen_random_uuid(), \(user), '', now() - interval '31 days',
                    CASE WHEN n % 2 = 0 THEN now() - interval '31 days' END
                FROM generate_series(1, 2500) AS n
                """)
            let held: SQL = "SELECT id FROM sessions ORDER BY id LIMIT 1 FOR UPDATE"
            let sweep = AuthSweep(postgres: postgres, limits: Fixtures.rateLimits(postgres))
            let isOver = Mutex(false)
            let (isHeld, hold) = AsyncStream<Void>.makeStream()
            async let holder: Void = postgres.transaction { tx in
                _ = try tx.query(held)
                hold.finish()
                while !isOver.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            }
            defer { isOver.withLock { $0 = true } }
            for await _ in isHeld {}
            #expect(try await sweep.runOnce().sessions == 2_499)
            isOver.withLock { $0 = true }
            try await holder
            #expect(try await sweep.runOnce().sessions == 1)
        }
    }

    /// Guard: a failing step of the sweep stops no other step (`AuthSweep.runOnce`)
    @Test("a failing step of the sweep stops no other step, and the run counts as failed")
    func steps() async throws {
        try await withDatabase { postgres in
            let user = try await Fixtures.user(in: postgres)
            let session = try await Fixtures.session(in: postgres, of: user)
            try await postgres.execute(
                "UPDATE sessions SET ended_at = now() - interval '31 days' WHERE id = \(session)")
            let limits = Fixtures.rateLimits(postgres)
            try await limits.check([RateLimit(scope: "s", subject: "x", limit: 1, per: .seconds(60))])
            try await postgres.execute("UPDATE rate_counters SET window_ends_at = now()")
            try await postgres.execute("ALTER TABLE verifications RENAME TO elsewhere")
            let failure = await #expect(throws: AuthSweepFailure.self) {
                try await AuthSweep(postgres: postgres, limits: limits).runOnce()
            }
            #expect(failure.map { Set($0.steps.keys) } == ["verifications"])
            for table: SQL in ["sessions", "rate_counters"] {
                #expect(try await postgres.query("SELECT 1 AS one FROM \(fragment: table)").isEmpty)
            }
        }
    }

    @Test("ended sessions are found by an index")
    func index() async throws {
        try await withDatabase { postgres in
            let plan = try await postgres.transaction { tx in
                try tx.execute("SET LOCAL enable_seqscan = off")
                return try tx.query(
                    "EXPLAIN SELECT id FROM sessions WHERE ended_at < now() - interval '30 days' LIMIT 1000"
                ).map { try $0.get("QUERY PLAN", as: String.self) }
            }
            #expect(plan.contains { $0.contains("sessions_ended_at") })
        }
    }
}
