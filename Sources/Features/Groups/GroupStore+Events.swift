import Auth
import Postgres

/// What members can see happen in a group.
enum GroupEventKind: String {
    case memberJoined = "member_joined"
    case memberLeft = "member_left"
    case groupRenamed = "group_renamed"
}

extension GroupStore {
    /// Writes the event down in each of the groups under that group's next number. Part of the change itself: the
    /// groups' rows are held until both are committed.
    func record(
        in transaction: PostgresTransaction, _ kind: GroupEventKind, of user: UserID? = nil,
        in groups: [GroupID]
    ) throws {
        guard !groups.isEmpty else { return }
        try transaction.execute(
            """
            WITH numbered AS (
                UPDATE groups SET last_event = last_event + 1 WHERE id = ANY(\(groups))
                RETURNING id, last_event
            )
            INSERT INTO group_events (group_id, number, kind, user_id)
            SELECT id, last_event, \(kind.rawValue), \(user as UserID?) FROM numbered
            """)
    }

    /// Whether both are, or were of late, in one group. Only there does one see another's id.
    func haveMet(in transaction: PostgresTransaction, _ one: UserID, _ other: UserID) throws -> Bool {
        try transaction.first(
            """
            SELECT 1 AS one
            FROM (
                SELECT group_id FROM group_members WHERE user_id = \(one)
                UNION SELECT group_id FROM group_events WHERE user_id = \(one)
            ) AS mine
            JOIN (
                SELECT group_id FROM group_members WHERE user_id = \(other)
                UNION SELECT group_id FROM group_events WHERE user_id = \(other)
            ) AS theirs USING (group_id)
            LIMIT 1
            """) != nil
    }

    /// Deletes up to `limit` events older than `retention`.
    /// - Returns: how many.
    func deleteOldEvents(retention: Duration, limit: Int) async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM group_events WHERE (group_id, number) IN (
                SELECT group_id, number FROM group_events
                WHERE at < now() - \(retention.components.seconds) * interval '1 second'
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            )
            """)
    }
}
