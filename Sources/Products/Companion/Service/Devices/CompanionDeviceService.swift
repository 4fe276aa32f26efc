import FeatureKit
import Foundation
import Postgres

/// The phones of an owner. A phone is registered by its first sync.
struct CompanionDeviceService: Sendable {
    /// The phones of one owner at most.
    static let limit = 5

    let postgres: PostgresClient
    let accounts: CompanionAccounts

    init(postgres: PostgresClient, accounts: CompanionAccounts) {
        self.postgres = postgres
        self.accounts = accounts
    }

    /// In the order of their registration.
    func list(for user: UserID) async throws -> [CompanionDeviceState] {
        try await accounts.read(user) { tx, _ in try CompanionDeviceStore.all(tx, of: user) }
    }

    /// Forgets a phone. Its bypasses, windows and reports stay, so that a lost phone changes no figure.
    ///
    /// - Throws: `CompanionError.notFound`.
    func delete(_ id: UUID, for user: UserID) async throws {
        try await postgres.transaction { tx in
            _ = try accounts.requireLocked(tx, user)
            guard try CompanionDeviceStore.delete(tx, id, of: user) else { throw CompanionError.notFound }
        }
    }
}
