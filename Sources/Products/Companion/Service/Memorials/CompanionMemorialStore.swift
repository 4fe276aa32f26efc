import CompanionRules
import FeatureKit
import Foundation
import Postgres

/// A dead pet whose owner has a new one.
struct CompanionMemorialState: Sendable, Equatable {
    let id: CompanionPetID
    let name: String
    let species: String
    let growth: Int
    let bornOn: DayNumber
    let diedOn: DayNumber
    let outfit: [String]
    let createdAt: Instant
}

/// The place of a memorial in the list: that of the last one of a page.
struct CompanionMemorialPlace: Sendable, Equatable {
    let createdAt: Instant
    let id: CompanionPetID
}

/// SQL about `companion_memorials`.
enum CompanionMemorialStore {
    /// Remembers a dead pet. The caller holds the lock of the owner's settings.
    static func insert(
        _ tx: PostgresTransaction, _ dead: CompanionPetState, _ owner: CompanionOwner
    ) throws {
        try tx.execute(
            """
            INSERT INTO companion_memorials (
                user_id, id, name, species, growth, born_on, died_on, outfit, created_at
            ) VALUES (
                \(owner.user), \(dead.id), \(dead.name), \(dead.species.rawValue), \(dead.pet.growth),
                DATE '1970-01-01' + \(dead.pet.bornOn)::integer, DATE '1970-01-01' + \(dead.pet.diedOn)::integer,
                \(dead.outfit), to_timestamp(\(owner.now))
            )
            """)
    }

    /// The newest memorials, or those before the place: one more than a page holds.
    static func page(
        _ tx: PostgresTransaction, of user: UserID, before place: CompanionMemorialPlace?
    ) throws -> ListPage<CompanionMemorialState> {
        let older: SQL =
            place.map { "AND (created_at, id) < (to_timestamp(\($0.createdAt)), \($0.id))" } ?? ""
        return ListPage(
            try tx.query(
                """
                SELECT id, name, species, growth, born_on - DATE '1970-01-01' AS born_on,
                    died_on - DATE '1970-01-01' AS died_on, outfit,
                    extract(epoch FROM created_at)::bigint AS created_at
                FROM companion_memorials
                WHERE user_id = \(user) \(fragment: older)
                ORDER BY created_at DESC, id DESC
                LIMIT \(ListPage<CompanionMemorialState>.size + 1)
                """
            ).map(CompanionMemorialState.init))
    }

    /// - Returns: false if the user has no such memorial.
    static func delete(_ tx: PostgresTransaction, _ id: CompanionPetID, of user: UserID) throws -> Bool {
        try tx.execute("DELETE FROM companion_memorials WHERE user_id = \(user) AND id = \(id)") > 0
    }
}

extension CompanionMemorialState {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: try row.get("id"), name: try row.get("name"), species: try row.get("species"),
            growth: try row.get("growth"), bornOn: try row.get("born_on"), diedOn: try row.get("died_on"),
            outfit: try row.get("outfit"), createdAt: try row.get("created_at"))
    }
}
