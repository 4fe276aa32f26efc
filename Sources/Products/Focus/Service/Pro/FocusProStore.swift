import FeatureKit
import FocusRules
import Foundation
import Postgres
import StoreReceipts

/// SQL about `focus_transactions`, `focus_refunds` and the end of Pro in the profile.
enum FocusProStore {
    /// Lets purchase and refund of one transaction run one after the other. It comes before the lock of the profile.
    static func lock(_ tx: PostgresTransaction, _ id: String) throws {
        try tx.execute("SELECT pg_advisory_xact_lock(hashtextextended('focus transaction ' || \(id), 0))")
    }

    /// The user who redeemed a transaction. A refund changes nothing about that.
    static func owner(_ tx: PostgresTransaction, _ id: String) throws -> UserID? {
        try tx.first("SELECT user_id FROM focus_transactions WHERE id = \(id)")?.get("user_id")
    }

    /// Whether the user has a transaction of the same subscription already.
    static func renews(
        _ tx: PostgresTransaction, _ transaction: StoreTransaction, of user: UserID
    ) throws -> Bool {
        try tx.first(
            """
            SELECT 1 AS one FROM focus_transactions
            WHERE user_id = \(user) AND \(transaction.originalID) IN (id, original_id) LIMIT 1
            """) != nil
    }

    static func insert(
        _ tx: PostgresTransaction, _ transaction: StoreTransaction, expiresAt: Date, for user: UserID
    ) throws {
        try tx.execute(
            """
            INSERT INTO focus_transactions (id, original_id, user_id, product_id, expires_at)
            VALUES (\(transaction.id), \(transaction.originalID), \(user), \(transaction.productID), \(expiresAt))
            """)
    }

    /// - Returns: false if it was revoked before.
    static func revoke(_ tx: PostgresTransaction, _ id: String) throws -> Bool {
        try tx.execute(
            "UPDATE focus_transactions SET revoked_at = now() WHERE id = \(id) AND revoked_at IS NULL") > 0
    }

    /// Remembers for good that a transaction does not count, for anybody.
    ///
    /// - Parameter codes: the current one first.
    static func remember(_ tx: PostgresTransaction, _ codes: [[UInt8]]) throws {
        try tx.execute(
            "INSERT INTO focus_refunds (digest) VALUES (\(codes[0])) ON CONFLICT (digest) DO NOTHING")
    }

    static func isRemembered(_ tx: PostgresTransaction, _ codes: [[UInt8]]) throws -> Bool {
        try tx.first("SELECT 1 AS one FROM focus_refunds WHERE digest = ANY(\(codes)) LIMIT 1") != nil
    }

    /// Computes the end of Pro anew. The caller has locked the profile.
    static func refresh(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(
            """
            UPDATE focus_profiles p SET pro_until = greatest(p.pro_granted_until, (
                SELECT date_trunc('second', max(t.expires_at)) FROM focus_transactions t
                WHERE t.user_id = p.user_id AND t.revoked_at IS NULL))
            WHERE p.user_id = \(user)
            """)
    }

    static func end(_ tx: PostgresTransaction, of user: UserID) throws -> Date? {
        try tx.one("SELECT pro_until FROM focus_profiles WHERE user_id = \(user)").get("pro_until")
    }

    /// Grants Pro to the end of a day in UTC, in place of an earlier grant. A purchase that lasts longer stands.
    ///
    /// - Returns: false if the user has no profile.
    static func grant(
        _ postgres: PostgresClient, until day: PostgresDate, to user: UserID
    ) async throws -> Bool {
        try await postgres.transaction { tx in
            let granted = try tx.execute(
                """
                UPDATE focus_profiles SET pro_granted_until = (\(day) + 1)::timestamp AT TIME ZONE 'UTC'
                WHERE user_id = \(user)
                """)
            try refresh(tx, of: user)
            return granted > 0
        }
    }
}
