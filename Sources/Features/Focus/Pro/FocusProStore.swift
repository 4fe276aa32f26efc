import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about `focus_transactions` and the end of Pro in the profile.
struct FocusProStore: Sendable {
    /// Notes that a transaction counts for the user.
    ///
    /// - Returns: false if it has counted for the user before.
    /// - Throws: `FocusError.purchaseClaimed` if it counts for another account.
    static func claim(
        _ tx: PostgresTransaction, _ id: String, product: String, expiresAt: Date, for user: UserID
    ) throws -> Bool {
        let claimed = try tx.execute(
            """
            INSERT INTO focus_transactions (id, user_id, product_id, expires_at)
            VALUES (\(id), \(user), \(product), \(expiresAt))
            ON CONFLICT (id) DO NOTHING
            """)
        if claimed > 0 { return true }
        guard try isClaimed(tx, id, by: user) else { throw FocusError.purchaseClaimed }
        return false
    }

    static func isClaimed(_ tx: PostgresTransaction, _ id: String, by user: UserID) throws -> Bool {
        try tx.first("SELECT 1 AS one FROM focus_transactions WHERE id = \(id) AND user_id = \(user)") != nil
    }

    /// Raises the end of Pro, and never lowers it.
    static func raise(_ tx: PostgresTransaction, to date: Date, of user: UserID) throws {
        try tx.execute(
            """
            UPDATE focus_profiles SET pro_until = greatest(pro_until, date_trunc('second', \(date)))
            WHERE user_id = \(user)
            """)
    }

    static func end(_ tx: PostgresTransaction, of user: UserID) throws -> Date? {
        try tx.one("SELECT pro_until FROM focus_profiles WHERE user_id = \(user)").get("pro_until")
    }

    /// Sets the end of Pro to the end of a day in UTC.
    ///
    /// - Returns: false if the user has no profile.
    static func set(_ postgres: PostgresClient, until day: PostgresDate, of user: UserID) async throws -> Bool
    {
        try await postgres.execute(
            """
            UPDATE focus_profiles SET pro_until = (\(day) + 1)::timestamp AT TIME ZONE 'UTC'
            WHERE user_id = \(user)
            """) > 0
    }
}
