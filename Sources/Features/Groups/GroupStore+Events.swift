import Auth
import Postgres

/// What members can see happen in a group.
package enum GroupEventKind: String, Sendable {
    case memberJoined = "member_joined"
    case memberLeft = "member_left"
    /// Somebody whose name is seen in the group has another one.
    case memberRenamed = "member_renamed"
    case groupRenamed = "group_renamed"
    /// Photos write these by triggers of their table.
    case photoAdded = "photo_added"
    case photoRemoved = "photo_removed"
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
                UPDATE groups SET last_event = last_event + 1, last_event_at = clock_timestamp()
                WHERE id = ANY(\(groups))
                RETURNING id, last_event, last_event_at
            )
            INSERT INTO group_events (group_id, number, kind, user_id, at)
            SELECT id, last_event, \(kind.rawValue), \(user as UserID?), last_event_at FROM numbered
            """)
    }

    /// Holds the group's row: what the transaction changes of the group from here on is numbered in its turn.
    /// - Throws: `GroupError.notFound` when there is no such group.
    package func lock(in transaction: PostgresTransaction, group: GroupID) throws {
        guard
            try transaction.first("SELECT 1 AS one FROM groups WHERE id = \(group) FOR NO KEY UPDATE") != nil
        else { throw GroupError.notFound }
    }

    /// Holds the rows of those of the groups that nobody else holds, in the order of their ids.
    /// - Returns: them.
    package func lockFree(
        in transaction: PostgresTransaction, among groups: [GroupID]
    ) throws -> [GroupID] {
        try transaction.query(
            """
            SELECT id FROM groups WHERE id = ANY(\(groups)) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try $0.get("id") }
    }

    /// The user, whose row the transaction holds, has another name: news wherever it is seen, beside members' lists
    /// under photos of groups that the user has left.
    package func recordRename(in transaction: PostgresTransaction, of user: UserID) throws {
        let groups = try lockAll(in: transaction, seeing: user)
        try record(in: transaction, .memberRenamed, of: user, in: groups)
    }

    /// Holds the rows of all groups that the user is in, or has photos in, in the order of their ids.
    func lockAll(in transaction: PostgresTransaction, seeing user: UserID) throws -> [GroupID] {
        try transaction.query(
            """
            SELECT id FROM groups
            WHERE id IN (
                SELECT group_id FROM group_members WHERE user_id = \(user)
                UNION SELECT group_id FROM photos WHERE sender_id = \(user)
            )
            ORDER BY id
            FOR NO KEY UPDATE
            """
        ).map { try $0.get("id") }
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
