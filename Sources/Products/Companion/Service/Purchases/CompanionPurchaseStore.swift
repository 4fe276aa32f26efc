import FeatureKit
import HTTPKit
import Postgres
import StoreReceipts

/// SQL about `companion_purchases` and `companion_claims`.
enum CompanionPurchaseStore {
    /// nil: it is not credited to anybody who takes part now.
    static func find(_ tx: PostgresTransaction, _ id: String) throws -> CompanionCreditedPurchase? {
        try tx.first("SELECT user_id, gems, place FROM companion_purchases WHERE transaction_id = \(id)").map
        {
            CompanionCreditedPurchase(
                id: id, user: try $0.get("user_id"), gems: try $0.get("gems"), place: try $0.get("place"))
        }
    }

    static func insert(
        _ tx: PostgresTransaction, _ transaction: StoreTransaction, gems: Int, for user: UserID
    ) throws {
        try tx.execute(
            """
            INSERT INTO companion_purchases (transaction_id, user_id, product_id, quantity, gems)
            VALUES (\(transaction.id), \(user), \(transaction.productID), \(transaction.quantity), \(gems))
            """)
    }

    /// - Returns: false if it was refunded before.
    static func refund(_ tx: PostgresTransaction, _ id: String) throws -> Bool {
        try tx.execute(
            """
            UPDATE companion_purchases SET refunded_at = now()
            WHERE transaction_id = \(id) AND refunded_at IS NULL
            """) > 0
    }

    /// Remembers a transaction for good, if the service does not know it yet. When two calls come at once, the later one waits for the
    /// earlier one's end.
    ///
    /// - Parameters:
    ///   - codes: the codes of the transaction, the current one first.
    ///   - isRefused: whether the store has taken it back already.
    /// - Returns: what was known before.
    static func claim(
        _ tx: PostgresTransaction, _ codes: [[UInt8]], isRefused: Bool
    ) throws -> CompanionClaim {
        if let known = try known(tx, codes) { return known }
        let claimed = try tx.execute(
            """
            INSERT INTO companion_claims (digest, is_refused) VALUES (\(codes[0]), \(isRefused))
            ON CONFLICT (digest) DO NOTHING
            """)
        if claimed > 0 { return .new }
        return try known(tx, codes) ?? .new
    }

    private static func known(_ tx: PostgresTransaction, _ codes: [[UInt8]]) throws -> CompanionClaim? {
        try tx.first("SELECT is_refused FROM companion_claims WHERE digest = ANY(\(codes)) LIMIT 1").map {
            try $0.get("is_refused", as: Bool.self) ? .refused : .credited
        }
    }

    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "purchases": try tx.exported(
                """
                SELECT transaction_id, product_id, quantity, gems, credited_at, refunded_at
                FROM companion_purchases WHERE user_id = \(user) ORDER BY place
                """)
        ]
    }
}
