import CompanionRules
import FeatureKit
import Foundation
import Postgres

/// The end of a day of one pet's owner.
struct CompanionPetDay: Sendable, Equatable {
    let user: UserID
    let ended: CompanionEndedDay
}

/// A pet that a reset has changed in a way that is counted or told.
struct CompanionResetFinding: Sendable, Equatable {
    let user: UserID
    let pet: CompanionPetID
    let day: DayNumber
    let health: PetHealth
    /// Whether its health changed at the day's end.
    let hasChanged: Bool
    let unfedDays: Int
}

/// The reset of many pets in one statement. It follows ``CompanionRules/Pet/reset(_:rules:)``; a test compares the two.
enum CompanionResetStore {
    /// Resets the pets of these owners, each at the end of one day. A pet whose reset for the day is done stays as it is, and
    /// so does a dead one.
    ///
    /// - Returns: the number of pets that were reset, and those whose health has changed or that are near death.
    static func reset(
        _ tx: PostgresTransaction, _ days: [CompanionPetDay], rules: PetRules
    ) throws -> (count: Int, findings: [CompanionResetFinding]) {
        let rows = try tx.query(
            """
            WITH reset AS (
                UPDATE companion_pets AS p
                SET (health, changed_on, unfed_days, last_fed, growth, fullness, mood, died_on, died_at) = (
                        \(fragment: partOfDay) UNION ALL \(fragment: wholeDay(rules))
                    ), food_energy = 0, food_buff = 0, reset_on = ended.day
                FROM (
                    SELECT user_id, DATE '1970-01-01' + day::integer AS day, to_timestamp(at) AS at,
                        companion_missed(to_timestamp(at)) > interval '6 hours' AS is_excused
                    FROM unnest(
                        \(days.map(\.user)), \(days.map(\.ended.day)), \(days.map(\.ended.endsAt))
                    ) AS claimed (user_id, day, at)
                ) AS ended
                WHERE p.user_id = ended.user_id AND p.reset_on < ended.day AND p.health <> 'dead'
                RETURNING p.user_id, p.id, p.reset_on, p.health, p.unfed_days,
                    p.changed_on IS NOT DISTINCT FROM p.reset_on AS has_changed
            ), counted AS (SELECT count(*) AS count FROM reset)
            SELECT counted.count, found.* FROM counted LEFT JOIN (
                SELECT user_id, id, reset_on - DATE '1970-01-01' AS day, health, unfed_days, has_changed FROM reset
                WHERE has_changed OR unfed_days = \(rules.deadAfter - 1)
            ) AS found ON true
            """)
        return (try rows.first?.get("count") ?? 0, try rows.compactMap(CompanionResetFinding.init))
    }

    /// The day of adoption or restart counts nothing, nor does one in which Companion was not offered for a quarter of it.
    private static let partOfDay: SQL = """
        SELECT p.health, p.changed_on, p.unfed_days, p.last_fed, p.growth, p.fullness, p.mood, p.died_on, p.died_at
        WHERE p.born_on = ended.day OR ended.is_excused
        """

    /// The buff counts by the health in which the day was lived.
    private static func wholeDay(_ rules: PetRules) -> SQL {
        """
        SELECT changed.health, CASE WHEN changed.health = p.health THEN p.changed_on ELSE ended.day END,
            counted.unfed_days, counted.last_fed,
            p.growth + CASE WHEN fed.is_fed THEN (1005 + least(p.food_buff, fed.cap)) / 10 ELSE 0 END,
            greatest(0, p.fullness - 30), greatest(0, p.mood - 1),
            CASE WHEN changed.health = 'dead' THEN ended.day END,
            CASE WHEN changed.health = 'dead' THEN ended.at END
        FROM (
            SELECT p.food_energy >= \(rules.fedEnergy) AS is_fed, CASE
                    WHEN p.health = 'sick' THEN 100 WHEN ended.at < p.fragile_until THEN 150 ELSE 250
                END AS cap
        ) AS fed
        CROSS JOIN LATERAL (
            SELECT CASE WHEN fed.is_fed THEN 0 ELSE p.unfed_days + 1 END AS unfed_days,
                ((p.last_fed << 1) | fed.is_fed::integer) & 7 AS last_fed
        ) AS counted
        CROSS JOIN LATERAL (
            SELECT CASE
                    WHEN counted.unfed_days >= \(rules.deadAfter) THEN 'dead'
                    WHEN counted.unfed_days >= \(rules.sickAfter) THEN 'sick'
                    WHEN counted.last_fed IN (3, 5, 6, 7) THEN 'healthy' ELSE p.health
                END AS health
        ) AS changed
        WHERE p.born_on <> ended.day AND NOT ended.is_excused
        """
    }
}

extension CompanionResetFinding {
    fileprivate init?(_ row: PostgresRow) throws {
        guard let user: UserID = try row.get("user_id") else { return nil }
        self.init(
            user: user, pet: try row.get("id"), day: try row.get("day"),
            health: try PetHealth(stored: row.get("health")), hasChanged: try row.get("has_changed"),
            unfedDays: try row.get("unfed_days"))
    }
}
