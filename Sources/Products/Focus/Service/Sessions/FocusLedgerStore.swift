import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about `focus_ledger` and its sums in the profile.
enum FocusLedgerStore {
    struct Totals: Sendable, Equatable {
        let xp: Int
        let coins: Int
    }

    /// Pays XP and as many coins, once for each cause.
    ///
    /// - Parameters:
    ///   - cause: `session:<id>` or `tutorial`.
    ///   - day: the local day on which they were earned.
    /// - Returns: false if the cause has paid before.
    @discardableResult
    static func pay(
        _ tx: PostgresTransaction, _ user: UserID, cause: String, xp: Int, on day: DayNumber
    ) throws -> Bool {
        try tx.execute(
            """
            WITH paid AS (
                INSERT INTO focus_ledger (user_id, cause, xp, coins, earned_on)
                VALUES (\(user), \(cause), \(xp), \(xp), DATE '1970-01-01' + \(day)::integer)
                ON CONFLICT (user_id, cause) DO NOTHING
                RETURNING xp, coins
            )
            UPDATE focus_profiles p SET xp = p.xp + paid.xp, coins = p.coins + paid.coins
            FROM paid WHERE p.user_id = \(user)
            """) > 0
    }

    static func totals(_ tx: PostgresTransaction, of user: UserID) throws -> Totals {
        let row = try tx.one("SELECT xp, coins FROM focus_profiles WHERE user_id = \(user)")
        return Totals(xp: try row.get("xp"), coins: try row.get("coins"))
    }

    static func hasPaid(_ tx: PostgresTransaction, _ user: UserID, cause: String) throws -> Bool {
        try tx.first(
            "SELECT 1 AS one FROM focus_ledger WHERE user_id = \(user) AND cause = \(cause)") != nil
    }
}
