import CompanionRules
import FeatureKit
import Postgres

/// SQL about `companion_pets`. The writers hold the lock of the owner's settings.
enum CompanionPetStore {
    static func find(_ tx: PostgresTransaction, of user: UserID) throws -> CompanionPetState? {
        try tx.first("SELECT \(fragment: columns) FROM companion_pets WHERE user_id = \(user)")
            .map(CompanionPetState.init)
    }

    /// - Throws: `CompanionError.notFound`.
    static func require(_ tx: PostgresTransaction, of user: UserID) throws -> CompanionPetState {
        guard let state = try find(tx, of: user) else { throw CompanionError.notFound }
        return state
    }

    /// Writes a new pet.
    static func insert(_ tx: PostgresTransaction, _ state: CompanionPetState, of user: UserID) throws {
        let pet = state.pet
        try tx.execute(
            """
            INSERT INTO companion_pets (
                user_id, id, species, name, health, unfed_days, last_fed, growth, fullness, mood, food_energy,
                food_buff, born_on, reset_on, outfit
            ) VALUES (
                \(user), \(state.id), \(state.species.rawValue), \(state.name), \(pet.health.rawValue),
                \(pet.unfedDays), \(pet.lastFedBits), \(pet.growth), \(pet.fullness), \(pet.mood),
                \(pet.foodEnergy), \(pet.foodBuff), DATE '1970-01-01' + \(pet.bornOn)::integer,
                DATE '1970-01-01' + \(pet.bornOn - 1)::integer, \(state.outfit)
            )
            """)
    }

    /// Writes a new pet in place of a dead one.
    static func replace(_ tx: PostgresTransaction, by state: CompanionPetState, of user: UserID) throws {
        try tx.execute("DELETE FROM companion_pets WHERE user_id = \(user)")
        try insert(tx, state, of: user)
    }

    static func rename(_ tx: PostgresTransaction, to name: String, of user: UserID) throws {
        try tx.execute("UPDATE companion_pets SET name = \(name) WHERE user_id = \(user)")
    }

    static func dress(_ tx: PostgresTransaction, in outfit: [String], of user: UserID) throws {
        try tx.execute("UPDATE companion_pets SET outfit = \(outfit) WHERE user_id = \(user)")
    }

    /// Takes cosmetics off that the owner does not own any more.
    static func takeOff(_ tx: PostgresTransaction, _ ids: [String], of user: UserID) throws {
        try tx.execute(
            """
            UPDATE companion_pets
            SET outfit = ARRAY(SELECT worn FROM unnest(outfit) AS worn WHERE worn <> ALL(\(ids)) ORDER BY worn)
            WHERE user_id = \(user) AND outfit && \(ids)
            """)
    }

    static func feed(_ tx: PostgresTransaction, _ pet: Pet, of user: UserID) throws {
        try tx.execute(
            """
            UPDATE companion_pets
            SET fullness = \(pet.fullness), mood = \(pet.mood), food_energy = \(pet.foodEnergy),
                food_buff = \(pet.foodBuff)
            WHERE user_id = \(user)
            """)
    }

    /// Writes a pet that was cured or revived.
    static func recover(_ tx: PostgresTransaction, _ pet: Pet, of user: UserID) throws {
        try tx.execute(
            """
            UPDATE companion_pets
            SET health = \(pet.health.rawValue), unfed_days = \(pet.unfedDays), last_fed = \(pet.lastFedBits),
                fragile_until = to_timestamp(\(pet.fragileUntil)), died_on = NULL, died_at = NULL
            WHERE user_id = \(user)
            """)
    }

    private static let columns: SQL = """
        id, species, name, health, unfed_days, last_fed, growth, fullness, mood, food_energy, food_buff,
        extract(epoch FROM fragile_until)::bigint AS fragile_until, born_on - DATE '1970-01-01' AS born_on,
        died_on - DATE '1970-01-01' AS died_on, extract(epoch FROM died_at)::bigint AS died_at, outfit
        """
}

extension CompanionPetState {
    /// From the columns of `CompanionPetStore`.
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: try row.get("id"), species: try Species(stored: row.get("species")),
            name: try row.get("name"),
            pet: try Pet(row), outfit: try row.get("outfit"))
    }
}

extension Pet {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            bornOn: try row.get("born_on"), health: try PetHealth(stored: row.get("health")),
            unfedDays: try row.get("unfed_days"), lastFed: Self.lastFed(bits: try row.get("last_fed")),
            growth: try row.get("growth"), fullness: try row.get("fullness"), mood: try row.get("mood"),
            foodEnergy: try row.get("food_energy"), foodBuff: try row.get("food_buff"),
            fragileUntil: try row.get("fragile_until"), diedOn: try row.get("died_on"),
            diedAt: try row.get("died_at"))
    }

    /// The column `last_fed`: the newest reset is bit 0. A pet that has seen fewer than three resets was not fed at the
    /// missing ones, which has the same effect.
    var lastFedBits: Int { lastFed.suffix(3).reduce(0) { $0 << 1 | ($1 ? 1 : 0) } }

    private static func lastFed(bits: Int) -> [Bool] {
        [4, 2, 1].map { bits & $0 != 0 }
    }
}

extension RawRepresentable where RawValue == String {
    /// From a column whose values a check of the table limits to these.
    init(stored text: String) throws(PostgresError) {
        guard let value = Self(rawValue: text) else { throw .decoding("\(text) is no \(Self.self)") }
        self = value
    }
}
