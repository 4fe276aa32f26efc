import CompanionRules
import FeatureKit
import Notifications
import Postgres

// The parts of `dayly companion` that need no feature in operation.
extension CompanionFeature {
    /// - Returns: nil: the account has not joined, or does not exist.
    package static func account(
        _ postgres: PostgresClient, of user: UserID
    ) async throws -> CompanionAccountReport? {
        try await postgres.transaction { tx in try CompanionSupportStore.account(tx, user) }
    }

    /// - Returns: false for a name that no flag has.
    package static func setFlag(
        _ postgres: PostgresClient, _ key: String, isEnabled: Bool
    ) async throws -> Bool {
        guard isFlagKey(key) else { return false }
        try await CompanionFlagStore(postgres: postgres).set(
            CompanionFlagState(key: key, isEnabled: isEnabled))
        return true
    }

    /// Runs each job of Companion once, as the service does all the time. Any number of processes may run them at once.
    package static func runJobs(
        _ settings: CompanionSettings, postgres: PostgresClient, notifications: NotificationOutbox
    ) async throws -> CompanionRunReport {
        let accounts = CompanionAccounts(settings, postgres: postgres, notifications: notifications)
        let rolled = try await CompanionRollJob.ofPets(postgres, accounts).runOnce()
        let nightly = try await CompanionNightlyJob(postgres: postgres, outbox: notifications).runOnce()
        let summarised = try await CompanionRollJob.ofSummaries(postgres, accounts).runOnce()
        let deleted = try await purge(postgres).runOnce()
        return CompanionRunReport(
            companionRoll: .init(accounts: rolled),
            companionNightly: .init(handled: nightly.handled, posted: nightly.posted),
            companionSummaries: .init(accounts: summarised), companionPurge: .init(deletedRows: deleted))
    }
}

/// The effects of a run of the jobs.
package struct CompanionRunReport: Sendable, Encodable {
    package struct Accounts: Sendable, Encodable {
        package let accounts: Int
    }

    package struct Nightly: Sendable, Encodable {
        package let handled: Int
        package let posted: Int
    }

    package struct Purge: Sendable, Encodable {
        package let deletedRows: Int
    }

    package let companionRoll: Accounts
    package let companionNightly: Nightly
    package let companionSummaries: Accounts
    package let companionPurge: Purge
}
