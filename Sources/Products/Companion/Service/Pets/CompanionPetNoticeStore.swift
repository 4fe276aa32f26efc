import CompanionRules
import FeatureKit
import Postgres

/// SQL that says when a pet's owner is told of it, and whether the reason still holds.
enum CompanionPetNoticeStore {
    struct State: Sendable, Equatable {
        let health: PetHealth
        let unfedDays: Int
        let foodEnergy: Int
    }

    /// The first 09:00 of the owners' clocks from the beginning of their running day on, in their order.
    static func mornings(_ tx: PostgresTransaction, of owners: [CompanionOwner]) throws -> [Instant] {
        try tx.query(
            """
            SELECT extract(epoch FROM min(morning.at))::bigint AS at
            FROM unnest(\(owners.map(\.zone)), \(owners.map(\.day)), \(owners.map(\.dayTimes.beginsAt)))
                WITH ORDINALITY AS owner (zone, day, begins_at, place)
            CROSS JOIN LATERAL (
                SELECT local_instant(DATE '1970-01-01' + day::integer + later, TIME '09:00', zone) AS at
                FROM generate_series(-1, 2) AS later
            ) AS morning
            WHERE morning.at >= to_timestamp(begins_at)
            GROUP BY place
            ORDER BY place
            """
        ).map { try $0.get("at") }
    }

    /// - Returns: nil if the owner has another pet, or none.
    static func pet(
        _ postgres: PostgresClient, _ id: CompanionPetID, of user: UserID
    ) async throws -> State? {
        try await postgres.first(
            """
            SELECT health, unfed_days, food_energy FROM companion_pets WHERE user_id = \(user) AND id = \(id)
            """
        ).map { row in
            State(
                health: try PetHealth(stored: row.get("health")), unfedDays: try row.get("unfed_days"),
                foodEnergy: try row.get("food_energy"))
        }
    }
}
