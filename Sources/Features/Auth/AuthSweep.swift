import Logging
import Postgres
import RateLimiting

/// Deletes what signing in leaves behind: expired codes, sessions that ended long ago, counters of the past.
package struct AuthSweep: Sendable {
    /// For a day an expired code is told apart from one that never was, by operators only.
    private static let verificationAge: Duration = .seconds(86_400)
    private static let sessionAge: Duration = .seconds(30 * 86_400)

    private let postgres: PostgresClient
    private let limits: RateLimits

    package init(postgres: PostgresClient, limits: RateLimits) {
        self.postgres = postgres
        self.limits = limits
    }

    package struct Report: Sendable, Equatable {
        package let verifications: Int
        package let sessions: Int
        package let counters: Int

        package init(verifications: Int, sessions: Int, counters: Int) {
            self.verifications = verifications
            self.sessions = sessions
            self.counters = counters
        }
    }

    /// Any number of processes may run it at once, and it may be killed at any point: it deletes in batches with commits of
    /// their own. A step that fails does not keep the others from their work.
    ///
    /// - Throws: `AuthSweepFailure` when a step failed, once all the others are done.
    @discardableResult
    package func runOnce() async throws -> Report {
        var failures: [String: any Error] = [:]
        func run(_ step: String, _ delete: () async throws -> Int) async -> Int {
            do { return try await delete() } catch { failures[step] = error }
            return 0
        }
        let report = Report(
            verifications: await run("verifications") {
                try await VerificationStore.deleteExpired(postgres, age: Self.verificationAge)
            },
            sessions: await run("sessions") {
                try await SessionStore.deleteOld(postgres, age: Self.sessionAge)
            },
            counters: await run("counters") { try await limits.sweep() })
        _ = await run("messages") { try await limits.sweepMessages() }
        _ = await run("code_sends") { try await FirewallStore.deleteOldSends(postgres) }
        _ = await run("closed_prefixes") { try await FirewallStore.deleteOldClosings(postgres) }
        _ = await run("verified_addresses") { try await FirewallStore.deleteOldAddresses(postgres) }
        try Task.checkCancellation()
        guard failures.isEmpty else { throw AuthSweepFailure(steps: failures) }
        return report
    }
}

/// Steps of a sweep that failed, by name.
package struct AuthSweepFailure: Error {
    package let steps: [String: any Error]
}
