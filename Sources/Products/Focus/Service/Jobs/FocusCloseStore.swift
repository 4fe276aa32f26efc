import FeatureKit
import FocusRules
import Foundation
import Postgres

/// The close of a week that is under way.
struct FocusOpenClose: Sendable {
    let week: PostgresDate
    let areLeaguesDone: Bool
    /// The groups up to this id are closed; nil: all are.
    let groupsAfter: UUID?
    /// The weeks of followed users up to this id are in the feeds; nil: all are.
    let feedAfter: UUID?
    let seatsAfter: UUID
    /// Whether the week after it is still open.
    let isLast: Bool
}

/// SQL of the job `focus_close`.
enum FocusCloseStore {
    /// Begins the close of every week that is due. The first week is the one before the first profile.
    static func begin(_ tx: PostgresTransaction) throws {
        try tx.execute(
            """
            INSERT INTO focus_closes (week)
            SELECT due.week::date
            FROM generate_series(
                coalesce(
                    (SELECT max(week) + 7 FROM focus_closes),
                    (SELECT date_trunc('week', min(joined_at) AT TIME ZONE 'UTC')::date - 7 FROM focus_profiles)
                )::timestamp,
                (now() AT TIME ZONE 'UTC')::date - 7, interval '7 days') AS due (week)
            WHERE focus_closes_at(due.week::date) <= now()
            ON CONFLICT (week) DO NOTHING
            """)
    }

    /// Locks the oldest close that is under way.
    ///
    /// - Returns: nil if there is none, and while another process works on it.
    static func claim(_ tx: PostgresTransaction) throws -> FocusOpenClose? {
        try tx.first(
            """
            SELECT week, leagues_done, groups_after, feed_after, seats_after, focus_closes_at(week + 7) > now() AS is_last
            FROM focus_closes
            WHERE week = (SELECT min(week) FROM focus_closes WHERE closed_at IS NULL) AND closed_at IS NULL
            FOR UPDATE SKIP LOCKED
            """
        ).map { row in
            FocusOpenClose(
                week: try row.get("week"), areLeaguesDone: try row.get("leagues_done"),
                groupsAfter: try row.get("groups_after"), feedAfter: try row.get("feed_after"),
                seatsAfter: try row.get("seats_after"),
                isLast: try row.get("is_last"))
        }
    }

    static func setLeaguesDone(_ tx: PostgresTransaction, week: PostgresDate) throws {
        try tx.execute("UPDATE focus_closes SET leagues_done = true WHERE week = \(week)")
    }

    /// Freezes the boards of the next groups.
    ///
    /// - Returns: the last of these groups, and those whose board was made; nil after the last group.
    static func closeGroups(
        _ tx: PostgresTransaction, week: PostgresDate, after: UUID, limit: Int
    ) throws -> (last: UUID, boards: [FocusBoardMembers])? {
        let page = try tx.query(
            """
            SELECT id FROM groups
            WHERE id > \(after) AND created_at < focus_closes_at(\(week))
            ORDER BY id
            LIMIT \(limit)
            FOR KEY SHARE
            """)
        let ids: [UUID] = try page.map { try $0.get("id") }
        guard let last = ids.last else { return nil }
        return (last, try insertResults(tx, week: week, of: ids))
    }

    /// The statement names the members too, so that hints cost the close no further one.
    private static func insertResults(
        _ tx: PostgresTransaction, week: PostgresDate, of groups: [UUID]
    ) throws -> [FocusBoardMembers] {
        try tx.query(
            """
            WITH joined AS MATERIALIZED (
                SELECT m.group_id, p.user_id, p.boards, \(fragment: FocusBoardStore.status) AS status
                FROM group_members m JOIN focus_profiles p ON p.user_id = m.user_id
                WHERE m.group_id = ANY(\(groups))
                ORDER BY p.user_id
                FOR KEY SHARE OF p
            ),
            made AS (
                INSERT INTO focus_results
                    (group_id, week, user_id, rank, points, streak_count, longest_streak, estimated, status)
                SELECT l.group_id, \(week), l.user_id,
                    rank() OVER (
                        PARTITION BY l.group_id ORDER BY coalesce(w.points, 0) DESC, coalesce(w.longest_streak, 0) DESC),
                    coalesce(w.points, 0), coalesce(w.streak_count, 0), coalesce(w.longest_streak, 0),
                    coalesce(w.estimated, false), l.status
                FROM joined l
                LEFT JOIN focus_weeks w ON w.user_id = l.user_id AND w.week = \(week)
                WHERE l.boards
                ON CONFLICT (group_id, week, user_id) DO NOTHING
                RETURNING group_id
            )
            SELECT group_id, array_agg(user_id) AS members FROM joined
            WHERE group_id IN (SELECT group_id FROM made)
            GROUP BY group_id
            """
        ).map { FocusBoardMembers(group: try $0.get("group_id"), users: try $0.get("members")) }
    }

    /// The next group of `closeGroups`; nil after the last one.
    static func nextGroup(_ tx: PostgresTransaction, week: PostgresDate, after: UUID) throws -> UUID? {
        try tx.first(
            """
            SELECT id FROM groups WHERE id > \(after) AND created_at < focus_closes_at(\(week)) ORDER BY id LIMIT 1
            """
        )?.get("id")
    }

    static func setGroups(_ tx: PostgresTransaction, week: PostgresDate, after: UUID?) throws {
        try tx.execute("UPDATE focus_closes SET groups_after = \(after) WHERE week = \(week)")
    }

    static func setFeed(_ tx: PostgresTransaction, week: PostgresDate, after: UUID?) throws {
        try tx.execute("UPDATE focus_closes SET feed_after = \(after) WHERE week = \(week)")
    }

    /// The next users with league points in the week after this one, in the order of their ids.
    static func seatCandidates(
        _ tx: PostgresTransaction, week: PostgresDate, after: UUID, limit: Int
    ) throws -> [UserID] {
        try tx.query(
            """
            SELECT w.user_id
            FROM focus_weeks w JOIN focus_profiles p ON p.user_id = w.user_id
            WHERE w.week = \(week) + 7 AND w.user_id > \(after) AND w.xp + w.usage_points > 0
            AND p.leagues AND p.nickname IS NOT NULL
            ORDER BY w.user_id
            LIMIT \(limit)
            """
        ).map { try $0.get("user_id") }
    }

    static func setSeats(_ tx: PostgresTransaction, week: PostgresDate, after: UUID) throws {
        try tx.execute("UPDATE focus_closes SET seats_after = \(after) WHERE week = \(week)")
    }

    static func finish(_ tx: PostgresTransaction, week: PostgresDate) throws {
        try tx.execute("UPDATE focus_closes SET closed_at = now() WHERE week = \(week)")
    }
}
