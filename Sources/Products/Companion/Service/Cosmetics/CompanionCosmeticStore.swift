import CompanionRules
import FeatureKit
import HTTPKit
import Postgres

/// SQL about `companion_cosmetics`.
enum CompanionCosmeticStore {
    /// The ids of what the user owns.
    static func owned(_ tx: PostgresTransaction, by user: UserID) throws -> Set<String> {
        Set(
            try tx.query("SELECT id FROM companion_cosmetics WHERE user_id = \(user)").map {
                try $0.get("id")
            })
    }

    static func insert(_ tx: PostgresTransaction, _ cosmetic: CompanionOwnedCosmetic, of user: UserID) throws
    {
        try tx.execute(
            """
            INSERT INTO companion_cosmetics (user_id, id, currency, price)
            VALUES (\(user), \(cosmetic.id), \(cosmetic.currency.rawValue), \(cosmetic.price))
            """)
    }

    /// The cosmetics that the user bought for gems after a purchase, in the order of the ledger.
    static func boughtForGems(
        _ tx: PostgresTransaction, by user: UserID, after place: Int
    ) throws -> [GemCosmetic] {
        try tx.query(
            """
            SELECT id, price FROM companion_cosmetics
            WHERE user_id = \(user) AND currency = 'gems' AND place > \(place) ORDER BY place
            """
        ).map { GemCosmetic(id: try $0.get("id"), gems: try $0.get("price")) }
    }

    static func delete(_ tx: PostgresTransaction, _ ids: [String], of user: UserID) throws {
        try tx.execute("DELETE FROM companion_cosmetics WHERE user_id = \(user) AND id = ANY(\(ids))")
    }

    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "cosmetics": try tx.exported(
                """
                SELECT id, currency, price, bought_at FROM companion_cosmetics
                WHERE user_id = \(user) ORDER BY place
                """)
        ]
    }
}
