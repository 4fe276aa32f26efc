import DaylyTesting
import Foundation
import Postgres

/// How the harness lets the days of Companion pass, and when it looks at the tables.
extension World {
    /// Days pass for a user of Companion, as if everything had happened earlier. The day that ran has ended afterwards, and
    /// its end is due.
    ///
    /// - Returns: the name of the day that ran.
    @discardableResult
    func passCompanionDays(_ days: Int = 1, of user: String) async throws -> String {
        try await database.client.transaction { tx in
            // As every change of an account, so that no call sees half of it.
            let row = try tx.one(
                """
                SELECT (day - \(days)::integer)::text AS day FROM companion_settings
                WHERE user_id = \(user)::uuid FOR UPDATE
                """)
            // Rows refer to days whose names change.
            try tx.execute("SET LOCAL session_replication_role = replica")
            // By a detour: a day must not meet the one before it.
            for step in [-30_000 - days, 30_000] {
                for statement in Self.movesOfNames(of: user, by: step) { try tx.execute(statement) }
            }
            for statement in Self.movesOfTimes(of: user, by: days) { try tx.execute(statement) }
            return try row.get("day")
        }
    }

    /// Where a name of a day is in a key.
    private static func movesOfNames(of user: String, by days: Int) -> [SQL] {
        let tables: [SQL] = ["companion_days", "companion_bypasses", "companion_diary"]
        return tables.map { table in
            """
            UPDATE \(fragment: table) SET day = day + \(days)::integer WHERE user_id = \(user)::uuid
            """
        } + [
            """
            UPDATE companion_ledger SET ref = (ref::date + \(days)::integer)::text
            WHERE user_id = \(user)::uuid AND kind = 'award'
            """
        ]
    }

    private static func movesOfTimes(of user: String, by days: Int) -> [SQL] {
        let length: Duration = .seconds(86_400 * days)
        return [
            """
            UPDATE companion_settings
            SET day = day - \(days)::integer, begins_at = begins_at - \(length), ends_at = ends_at - \(length),
                joined_at = joined_at - \(length)
            WHERE user_id = \(user)::uuid
            """,
            """
            UPDATE companion_days SET begins_at = begins_at - \(length), ends_at = ends_at - \(length)
            WHERE user_id = \(user)::uuid
            """,
            """
            UPDATE companion_pets
            SET born_on = born_on - \(days)::integer, reset_on = reset_on - \(days)::integer,
                changed_on = changed_on - \(days)::integer, died_on = died_on - \(days)::integer,
                died_at = died_at - \(length), fragile_until = fragile_until - \(length)
            WHERE user_id = \(user)::uuid
            """,
            "UPDATE companion_recoveries SET at = at - \(length) WHERE user_id = \(user)::uuid",
            "UPDATE companion_devices SET last_event_at = last_event_at - \(length) WHERE user_id = \(user)::uuid",
        ]
    }

    /// Notes each breach of a rule of Companion in the tables. It reads one snapshot, so that others may go on meanwhile.
    func checkCompanion() async throws {
        for breach in try await CompanionTables.breaches(in: database.client) { broken(breach) }
    }

    /// Waits until no day of Companion ends by itself soon: a cell counts the days that it lets pass.
    ///
    /// - Parameter seconds: the time that the cell takes at most.
    func awaitRoomBeforeMidnight(_ seconds: Double = 240) async throws {
        let left = 86_400 - Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400)
        if left < seconds { try await Task.sleep(for: .seconds(left + 1)) }
    }
}
