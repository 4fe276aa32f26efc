import FeatureKit
import Postgres

/// The pets that an owner remembers.
struct CompanionMemorialService: Sendable {
    let postgres: PostgresClient
    let accounts: CompanionAccounts

    func page(
        of user: UserID, before place: CompanionMemorialPlace?
    ) async throws -> ListPage<CompanionMemorialState> {
        try await accounts.read(user) { tx, _ in
            try CompanionMemorialStore.page(tx, of: user, before: place)
        }
    }

    /// - Throws: `CompanionError.notFound`.
    func delete(_ id: CompanionPetID, of user: UserID) async throws {
        try await postgres.transaction { tx in
            _ = try accounts.requireLocked(tx, user)
            guard try CompanionMemorialStore.delete(tx, id, of: user) else { throw CompanionError.notFound }
            CompanionHints.petChanged(tx, of: user)
        }
    }
}
