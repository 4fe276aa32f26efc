import FeatureKit
import HTTPKit
import Postgres

extension GroupStore {
    /// The user's groups, former groups, and events.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "groups": try tx.exported(
                """
                SELECT m.group_id, g.name, m.joined_at,
                    coalesce(m.muted_until = 'infinity', false) AS muted_for_ever,
                    nullif(m.muted_until, 'infinity') AS muted_until
                FROM group_members m
                JOIN groups g ON g.id = m.group_id
                WHERE m.user_id = \(user)
                ORDER BY m.joined_at, m.group_id
                """),
            "former_groups": try tx.exported(
                """
                SELECT group_id, left_at FROM former_members
                WHERE user_id = \(user)
                ORDER BY left_at, group_id
                """),
            "group_events": try tx.exported(
                """
                SELECT group_id, number, kind, at FROM group_events
                WHERE user_id = \(user)
                ORDER BY at, group_id, number
                """),
        ]
    }
}
