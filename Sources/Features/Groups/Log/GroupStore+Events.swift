import Auth
import FeatureKit
import Postgres

/// The kinds of events that members see.
package enum GroupEventKind: String, Sendable {
    case memberJoined = "member_joined"
    case memberLeft = "member_left"
    /// A person whose name members see in the group has a new name.
    case memberRenamed = "member_renamed"
    case groupRenamed = "group_renamed"
    // Triggers of the table `photos` write these two.
    case photoAdded = "photo_added"
    case photoRemoved = "photo_removed"
}

extension GroupStore {
    /// Writes the event to the log of each group, under the group's next number, in the transaction of the change itself. The
    /// rows of the groups stay locked until the commit.
    func record(
        _ tx: PostgresTransaction, _ kind: GroupEventKind, of user: UserID? = nil,
        in groups: [GroupID]
    ) throws {
        guard !groups.isEmpty else { return }
        guard !kind.replacesItself else { return try replace(tx, kind, of: user, in: groups) }
        // Triggers: group_events_signal (migrations/schema.sql)
        try tx.execute(
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

    /// Writes a rename. It replaces the last event of the same kind and user if only renames came after that. So renames in
    /// a loop leave one event for each name, and a reader misses no name that is still in use.
    ///
    /// The event after the replaced one takes over its place in the log, so that all cursors stay valid.
    private func replace(
        _ tx: PostgresTransaction, _ kind: GroupEventKind, of user: UserID?, in groups: [GroupID]
    ) throws {
        // Triggers: group_events_signal (migrations/schema.sql)
        try tx.execute(
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

    /// Locks those of the groups that no other transaction has locked, in the order of their ids.
    ///
    /// - Returns: the locked groups.
    func lockFree(
        _ tx: PostgresTransaction, among groups: [GroupID]
    ) throws -> [GroupID] {
        try tx.query(
            """
            SELECT id FROM groups WHERE id = ANY(\(groups)) ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try $0.get("id") }
    }

    /// Writes an event about the user's new name to every group that shows it: the groups that the user is in, and those that
    /// they have left but still have photos in. The transaction has locked the user's row.
    func recordRename(_ tx: PostgresTransaction, of user: UserID) throws {
        let groups = try lockAll(tx, seeing: user)
        try record(tx, .memberRenamed, of: user, in: groups)
    }

    /// Locks the rows of all groups that the user is in or has photos in, in the order of their ids.
    func lockAll(_ tx: PostgresTransaction, seeing user: UserID) throws -> [GroupID] {
        try tx.query(
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

    /// Whether both users are in one group, or were so recently. Only members of a group see each other's ids.
    ///
    /// - Parameter memory: the time for which a former member still counts.
    func haveMet(
        _ tx: PostgresTransaction, _ one: UserID, _ other: UserID, within memory: Duration
    ) throws -> Bool {
        func groups(of user: UserID) -> SQL {
            """
            SELECT group_id FROM group_members WHERE user_id = \(user)
            UNION SELECT group_id FROM former_members
            WHERE user_id = \(user) AND left_at > now() - \(memory)
            """
        }
        return try tx.first(
            """
            SELECT 1 AS one
            FROM (\(fragment: groups(of: one))) AS mine
            JOIN (\(fragment: groups(of: other))) AS theirs USING (group_id)
            LIMIT 1
            """) != nil
    }

    /// Empties the partitions of the log in which all events are older than `retention`. It skips a busy partition until the
    /// next run, because all readers of the log would wait for its lock.
    ///
    /// - Returns: the number of emptied partitions.
    func emptyOldPartitions(retention: Duration) async throws -> Int {
        var emptied = 0
        for number in 0..<Self.partitions {
            let name = "group_events_\(number)"
            // This reads the end of the index only. An empty partition does not count as old.
            let isOld: SQL = """
                SELECT coalesce(max(at) < now() - \(retention), false) AS is_old
                FROM \(identifier: name)
                """
            guard try await postgres.first(isOld)?.get("is_old") == true else { continue }
            let done = try await postgres.unlessBusy { tx in
                try tx.execute("LOCK TABLE \(identifier: name) IN ACCESS EXCLUSIVE MODE")
                guard try tx.first(isOld)?.get("is_old") == true else { return 0 }
                try tx.execute("TRUNCATE \(identifier: name)")
                return 1
            }
            emptied += done ?? 0
        }
        return emptied
    }

    /// The number of partitions in the schema's `event_partition`.
    private static let partitions = 6

    /// Deletes events that are older than `retention`, a batch at a time. It is for events that were not emptied with their
    /// partition, because the partition's next day began before.
    ///
    /// - Returns: the number of deleted events.
    func deleteOldEvents(retention: Duration, batch: Int) async throws -> Int {
        try await postgres.executeInBatches(of: batch) { batch in
            """
            DELETE FROM group_events WHERE (group_id, number) IN (
                SELECT group_id, number FROM group_events
                WHERE at < now() - \(retention + .seconds(86_400))
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED
            )
            """
        }
    }

    /// Deletes records of members who left a group more than `memory` ago, a batch at a time.
    ///
    /// - Returns: the number of deleted records.
    func deleteFormerMembers(memory: Duration, batch: Int) async throws -> Int {
        try await postgres.executeInBatches(of: batch) { batch in
            """
            DELETE FROM former_members WHERE (group_id, user_id) IN (
                SELECT group_id, user_id FROM former_members
                WHERE left_at < now() - \(memory)
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED
            )
            """
        }
    }
}

extension GroupEventKind {
    /// Whether a later event of the same kind and user makes the earlier one redundant.
    fileprivate var replacesItself: Bool { self == .groupRenamed || self == .memberRenamed }
}
