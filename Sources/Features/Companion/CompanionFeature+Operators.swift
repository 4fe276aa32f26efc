import CompanionRules
import FeatureKit
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
}
