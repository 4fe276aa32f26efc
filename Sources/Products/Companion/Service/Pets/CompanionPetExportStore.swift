import FeatureKit
import HTTPKit
import Postgres

/// SQL that exports what is kept about an owner's pets and wallet.
enum CompanionPetExportStore {
    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "pet": try pet(tx, user),
            "wallet": try wallet(tx, user),
            "ledger": try tx.exported(
                """
                SELECT id, at, currency, amount, balance, kind, ref FROM companion_ledger
                WHERE user_id = \(user) ORDER BY id
                """),
            "memorials": try tx.exported(
                """
                SELECT id, name, species, growth, born_on, died_on, array_to_string(outfit, ',') AS outfit, created_at
                FROM companion_memorials WHERE user_id = \(user) ORDER BY created_at, id
                """),
        ]
    }

    /// With the recoveries of all pets: who has had one has a pet.
    private static func pet(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        let row = try tx.first(
            """
            SELECT id, species, name, health, changed_on, unfed_days, last_fed, growth, fullness, mood, food_energy,
                food_buff, fragile_until, born_on, died_on, died_at, reset_on, array_to_string(outfit, ',') AS outfit
            FROM companion_pets WHERE user_id = \(user)
            """)
        guard var members = try row?.exported() else { return .null }
        members["recoveries"] = try tx.exported(
            """
            SELECT id, kind, pet_id, at FROM companion_recoveries WHERE user_id = \(user) ORDER BY at, id
            """)
        return .object(members)
    }

    private static func wallet(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        let row = try tx.first(
            "SELECT energy, gems, entries, entry_at FROM companion_wallets WHERE user_id = \(user)")
        return try row.map { .object(try $0.exported()) } ?? .null
    }
}
