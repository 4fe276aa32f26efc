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
    private let repeatWindow: Duration

    /// - Parameter repeatWindow: how long the parent of the newest refresh token may be repeated.
    package init(postgres: PostgresClient, limits: RateLimits, repeatWindow: Duration = .seconds(60)) {
        self.repeatWindow = repeatWindow
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

    /// Any number of instances may run it at once, and it may be killed at any point.
    @discardableResult
    package func runOnce() async throws -> Report {
        try await SessionStore.coarsenRotations(postgres, olderThan: repeatWindow)
        try await FirewallStore.deleteOld(postgres)
        return Report(
            verifications: try await VerificationStore.deleteExpired(postgres, age: Self.verificationAge),
            sessions: try await SessionStore.deleteOld(postgres, age: Self.sessionAge),
            counters: try await limits.sweep())
    }
}
