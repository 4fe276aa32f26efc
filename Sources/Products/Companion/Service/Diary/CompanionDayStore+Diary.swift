import CompanionRules
import FeatureKit
import Foundation
import Postgres

/// SQL about days that the job of the diary needs.
extension CompanionDayStore {
    /// Locks accounts for which a summary is due and that no other transaction has locked.
    static func claimSummaries(
        _ tx: PostgresTransaction, limit: Int, without users: [UUID]
    ) throws -> [UserID] {
        try tx.query(
            """
            SELECT s.user_id
            FROM (
                SELECT user_id FROM companion_days d
                WHERE \(fragment: Self.summaryIsDue) AND d.user_id <> ALL(\(users))
                ORDER BY ends_at
                LIMIT \(limit)
            ) AS due
            JOIN companion_settings s ON s.user_id = due.user_id
            FOR NO KEY UPDATE OF s SKIP LOCKED
            """
        ).reduce(into: []) { users, row in
            let user: UserID = try row.get("user_id")
            if !users.contains(user) { users.append(user) }
        }
    }
}
