import CompanionRules
import FeatureKit
import Postgres

/// The only way to change what an owner has. Each change of a balance is one entry in the ledger, and the owner's clients hear
/// of it. The caller holds the lock of the owner's settings.
enum CompanionWallets {
    static func balances(_ tx: PostgresTransaction, of user: UserID) throws -> CompanionBalances {
        try CompanionWalletStore.balances(tx, of: user)
    }

    /// Adds to a balance.
    @discardableResult
    static func credit(
        _ tx: PostgresTransaction, _ posting: CompanionPosting, of user: UserID
    ) throws -> CompanionBalances {
        CompanionHints.walletChanged(tx, of: user)
        return try CompanionWalletStore.add(tx, posting.amount, posting, of: user)
    }

    /// Pays a price. A price of 0 changes nothing.
    ///
    /// - Throws: `CompanionError.notEnoughEnergy`, `.notEnoughGems`.
    @discardableResult
    static func spend(
        _ tx: PostgresTransaction, _ posting: CompanionPosting, of user: UserID
    ) throws -> CompanionBalances {
        guard posting.amount > 0 else { return try balances(tx, of: user) }
        guard let left = try CompanionWalletStore.spend(tx, posting, of: user) else {
            throw posting.currency == .energy ? CompanionError.notEnoughEnergy : .notEnoughGems
        }
        CompanionHints.walletChanged(tx, of: user)
        return left
    }

    /// Takes gems of a refunded purchase back, also below 0.
    @discardableResult
    static func takeBack(
        _ tx: PostgresTransaction, _ posting: CompanionPosting, of user: UserID
    ) throws -> CompanionBalances {
        CompanionHints.walletChanged(tx, of: user)
        return try CompanionWalletStore.add(tx, -posting.amount, posting, of: user)
    }
}
