import FeatureKit
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
    // Triggers: group_events_signal
    func record(
        in transaction: PostgresTransaction, _ kind: GroupEventKind, of user: UserID? = nil,
        in groups: [GroupID]
    ) throws {
        guard !groups.isEmpty else { return }
        guard !kind.replacesItself else { return try replace(in: transaction, kind, of: user, in: groups) }
        try transaction.execute(
            """
            WITH before AS (SELECT id, last_event_at FROM groups WHERE id = ANY(\(groups))), numbered AS (
                UPDATE groups g SET last_event = g.last_event + 1, last_event_at = clock_timestamp()
                FROM before
                WHERE g.id = before.id
                RETURNING g.id, g.last_event, g.last_event_at, before.last_event_at AS previous_at
            )
            INSERT INTO group_events (group_id, number, kind, user_id, at, previous_at)
            SELECT id, last_event, \(kind.rawValue), \(user as UserID?), last_event_at, ARRAY[previous_at]
            FROM numbered
            """)
    }

    /// The same for a rename. It takes the place of the last one of its kind and user, where only renames came after
    /// that: so that renames in a loop leave one event for each name, and a reader misses none that still counts.
    ///
    /// The row behind the replaced event takes over its place, so that every cursor stays known.
    // Triggers: group_events_signal
    private func replace(
        in transaction: PostgresTransaction, _ kind: GroupEventKind, of user: UserID?, in groups: [GroupID]
    ) throws {
        try transaction.execute(
            """
            WITH before AS (
                SELECT id, last_event, last_event_at FROM groups WHERE id = ANY(\(groups))
            ), replaced AS (
                SELECT e.group_id, e.number, e.partition, e.skipped, e.previous_at, next.number AS next
                FROM before b
                CROSS JOIN LATERAL (
                    SELECT coalesce(max(number), 0) AS number FROM group_events
                    WHERE group_id = b.id AND kind NOT IN ('group_renamed', 'member_renamed')
                ) AS other
                CROSS JOIN LATERAL (
                    SELECT group_id, number, partition, skipped, previous_at FROM group_events
                    WHERE group_id = b.id AND number > other.number
                        AND kind = \(kind.rawValue) AND user_id IS NOT DISTINCT FROM \(user as UserID?)::uuid
                    ORDER BY number DESC
                    LIMIT 1
                ) AS e
                LEFT JOIN LATERAL (
                    SELECT min(number) AS number FROM group_events
                    WHERE group_id = b.id AND number > e.number
                ) AS next ON true
            ), gone AS (
                DELETE FROM group_events e USING replaced r
                WHERE e.group_id = r.group_id AND e.number = r.number AND e.partition = r.partition
            ), closed AS (
                UPDATE group_events e
                SET skipped = e.skipped + r.skipped + 1,
                    previous_at = newest_moments(r.previous_at || e.previous_at)
                FROM replaced r
                WHERE e.group_id = r.group_id AND e.number = r.next
            ), numbered AS (
                UPDATE groups g SET last_event = g.last_event + 1, last_event_at = clock_timestamp()
                FROM before b
                WHERE g.id = b.id
                RETURNING g.id, g.last_event, g.last_event_at, b.last_event_at AS previous_at
            )
            INSERT INTO group_events (group_id, number, kind, user_id, at, skipped, previous_at)
            SELECT n.id, n.last_event, \(kind.rawValue), \(user as UserID?)::uuid, n.last_event_at,
                coalesce(r.skipped + 1, 0), newest_moments(r.previous_at || n.previous_at)
            FROM numbered n
            LEFT JOIN replaced r ON r.group_id = n.id AND r.next IS NULL
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
    /// - Parameter memory: how long a member who left still counts.
    func haveMet(
        in transaction: PostgresTransaction, _ one: UserID, _ other: UserID, within memory: Duration
    ) throws -> Bool {
        func groups(of user: UserID) -> SQL {
            """
            SELECT group_id FROM group_members WHERE user_id = \(user)
            UNION SELECT group_id FROM former_members
            WHERE user_id = \(user) AND left_at > now() - make_interval(secs => \(memory / .seconds(1)))
            """
        }
        return try transaction.first(
            """
            SELECT 1 AS one
            FROM (\(fragment: groups(of: one))) AS mine
            JOIN (\(fragment: groups(of: other))) AS theirs USING (group_id)
            LIMIT 1
            """) != nil
    }

    /// Empties the partitions of the log that hold nothing younger than `retention`. One that is busy is left to the
    /// next run, since everybody who reads the log waits behind this.
    /// - Returns: how many were emptied.
    func emptyOldPartitions(retention: Duration) async throws -> Int {
        var emptied = 0
        for number in 0..<Self.partitions {
            let name = "group_events_\(number)"
            // One look at the end of the index. An empty partition is not old.
            let isOld: SQL = """
                SELECT coalesce(max(at) < now() - make_interval(secs => \(retention / .seconds(1))), false) AS is_old
                FROM \(identifier: name)
                """
            guard try await postgres.first(isOld)?.get("is_old") == true else { continue }
            do {
                emptied += try await postgres.transaction { transaction in
                    try transaction.execute("SET LOCAL lock_timeout = '200ms'")
                    try transaction.execute("LOCK TABLE \(identifier: name) IN ACCESS EXCLUSIVE MODE")
                    guard try transaction.first(isOld)?.get("is_old") == true else { return 0 }
                    try transaction.execute("TRUNCATE \(identifier: name)")
                    return 1
                }
            } catch PostgresError.unavailable {
                continue
            }
        }
        return emptied
    }

    /// As many as `event_partition` of the schema goes round.
    private static let partitions = 6

    /// Deletes up to `limit` events that are older than `retention` and were not emptied with their partition, because
    /// its day came round before.
    /// - Returns: how many.
    func deleteOldEvents(retention: Duration, limit: Int) async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM group_events WHERE (group_id, number) IN (
                SELECT group_id, number FROM group_events
                WHERE at < now() - make_interval(secs => \((retention + .seconds(86_400)) / .seconds(1)))
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            )
            """)
    }

    /// Forgets up to `limit` people who left a group longer than `memory` ago.
    /// - Returns: how many.
    func deleteFormerMembers(memory: Duration, limit: Int) async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM former_members WHERE (group_id, user_id) IN (
                SELECT group_id, user_id FROM former_members
                WHERE left_at < now() - make_interval(secs => \(memory / .seconds(1)))
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            )
            """)
    }
}

extension GroupEventKind {
    /// Whether a later event of the same kind and user says all that the earlier one does.
    fileprivate var replacesItself: Bool { self == .groupRenamed || self == .memberRenamed }
}
