import FeatureKit
import Logging
import Postgres
import RateLimiting

/// Deletes the leftovers of sign-in and of calls: expired codes, sessions that ended long ago, counters whose window has
/// ended, and old idempotency keys.
struct AuthSweep: Sendable {
    /// For this long, operators can tell an expired code from one that never existed. Clients cannot.
    private static let verificationAge: Duration = .seconds(86_400)
    private static let sessionAge: Duration = .seconds(30 * 86_400)

    private let sessions: SessionStore
    private let verifications: VerificationStore
    private let firewall: FirewallStore
    private let keys: IdempotencyKeyStore
    private let limits: RateLimits

    init(postgres: PostgresClient, limits: RateLimits) {
        sessions = SessionStore(postgres: postgres)
        verifications = VerificationStore(postgres: postgres)
        firewall = FirewallStore(postgres: postgres)
        keys = IdempotencyKeyStore(postgres: postgres)
        self.limits = limits
    }

    /// The number of deleted rows of each kind.
    struct Report: Sendable, Equatable {
        let verifications: Int
        let sessions: Int
        let counters: Int

        init(verifications: Int, sessions: Int, counters: Int) {
            self.verifications = verifications
            self.sessions = sessions
            self.counters = counters
        }
    }

    /// Any number of processes may run it at the same time, and each may be killed at any point, because it deletes in
    /// batches and commits each. A step that fails does not keep the other steps from running.
    ///
    /// - Throws: `AuthSweepFailure` when a step failed, after all the others.
    @discardableResult
    func runOnce() async throws -> Report {
        var failures: [String: any Error] = [:]
        func run(_ step: String, _ delete: () async throws -> Int) async -> Int {
            do { return try await delete() } catch { failures[step] = error }
            return 0
        }
        let report = Report(
            verifications: await run("verifications") {
                try await verifications.deleteExpired(age: Self.verificationAge)
            },
            sessions: await run("sessions") { try await sessions.deleteOld(age: Self.sessionAge) },
            counters: await run("counters") { try await limits.sweep() })
        _ = await run("messages") { try await limits.sweepMessages() }
        _ = await run("idempotency_keys") { try await keys.deleteOld() }
        _ = await run("code_sends") { try await firewall.deleteOldSends() }
        _ = await run("closed_prefixes") { try await firewall.deleteOldClosings() }
        _ = await run("verified_addresses") { try await firewall.deleteOldAddresses() }
        try Task.checkCancellation()
        guard failures.isEmpty else { throw AuthSweepFailure(steps: failures) }
        return report
    }
}

/// The failed steps of a sweep, by their names.
struct AuthSweepFailure: Error {
    let steps: [String: any Error]
}
