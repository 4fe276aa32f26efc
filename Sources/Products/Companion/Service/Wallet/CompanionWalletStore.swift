import CompanionRules
import FeatureKit
import Postgres

/// SQL that changes `companion_wallets` and `companion_ledger` together. The caller holds the lock of the owner's settings.
enum CompanionWalletStore {
    static func balances(_ tx: PostgresTransaction, of user: UserID) throws -> CompanionBalances {
        try tx.first("SELECT energy, gems FROM companion_wallets WHERE user_id = \(user)")
            .map(CompanionBalances.init) ?? .none
    }

    /// Changes a balance by the amount, which may be below 0.
    static func add(
        _ tx: PostgresTransaction, _ amount: Int, _ posting: CompanionPosting, of user: UserID
    ) throws -> CompanionBalances {
        let (energy, gems) = posting.currency == .energy ? (amount, 0) : (0, amount)
        let wallet: SQL = """
            INSERT INTO companion_wallets AS w (user_id, energy, gems, entries, entry_at)
            VALUES (\(user), \(energy), \(gems), 1, date_trunc('second', now()))
            ON CONFLICT (user_id) DO UPDATE
            SET energy = w.energy + excluded.energy, gems = w.gems + excluded.gems, entries = w.entries + 1,
                entry_at = greatest(w.entry_at, excluded.entry_at)
            RETURNING *
            """
        return try CompanionBalances(try tx.one(changing(wallet, amount, posting)))
    }

    /// - Returns: nil if the balance does not suffice.
    static func spend(
        _ tx: PostgresTransaction, _ posting: CompanionPosting, of user: UserID
    ) throws -> CompanionBalances? {
        let (energy, gems) = posting.currency == .energy ? (posting.amount, 0) : (0, posting.amount)
        let wallet: SQL = """
            UPDATE companion_wallets AS w
            SET energy = w.energy - \(energy), gems = w.gems - \(gems), entries = w.entries + 1,
                entry_at = greatest(w.entry_at, date_trunc('second', now()))
            WHERE w.user_id = \(user) AND w.\(identifier: posting.currency.rawValue) >= \(posting.amount)
            RETURNING *
            """
        return try tx.first(changing(wallet, -posting.amount, posting)).map(CompanionBalances.init)
    }

    /// The time of an entry is never before that of an earlier one, also when the earlier transaction began later.
    private static func changing(_ wallet: SQL, _ amount: Int, _ posting: CompanionPosting) -> SQL {
        """
        WITH wallet AS (\(fragment: wallet)), entry AS (
            INSERT INTO companion_ledger (user_id, id, at, currency, amount, balance, kind, ref)
            SELECT user_id, companion_ledger_id(entry_at, entries), entry_at, \(posting.currency.rawValue),
                \(amount), \(identifier: posting.currency.rawValue), \(posting.kind.rawValue), \(posting.ref)
            FROM wallet
        )
        SELECT energy, gems FROM wallet
        """
    }
}

extension CompanionBalances {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(energy: try row.get("energy"), gems: try row.get("gems"))
    }
}
