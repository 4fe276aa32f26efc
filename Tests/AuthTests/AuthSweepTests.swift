import Auth
import DaylyTesting
import Postgres
import RateLimiting
import Testing

@Suite("Sweeping after sign-ins")
struct AuthSweepTests {
    @Test("what has been over for long goes, what lives or just ended stays")
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
            for age in ["25 hours", "23 hours", "-5 minutes"] {
                try await postgres.execute(
                    """
                    INSERT INTO verifications (id, phone_number, code_hmac, expires_at)
                    VALUES (gen_random_uuid(), '+4915123456789', '', now() - \(age)::interval)
                    """)
            }
            let limits = RateLimits(postgres: postgres, enforced: true, secret: Fixtures.secret)
            try await limits.check([RateLimit(scope: "s", subject: "x", limit: 1, per: .seconds(60))])
            try await postgres.execute(
                "UPDATE rate_counters SET window_ends_at = now() - interval '1 second'")
            let sweep = AuthSweep(postgres: postgres, limits: limits)
            #expect(try await sweep.runOnce() == .init(verifications: 1, sessions: 2, counters: 1))
            #expect(try await sweep.runOnce() == .init(verifications: 0, sessions: 0, counters: 0))
        }
    }
}
