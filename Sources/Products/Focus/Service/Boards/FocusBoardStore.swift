import FeatureKit
import FocusRules
import Foundation
import Groups
import Postgres

/// SQL about boards, live and closed.
enum FocusBoardStore {
    /// One statement that checks the caller and reads the board. Each row repeats the facts about the board; a board without
    /// entries has one row.
    ///
    /// - Parameter week: nil: the caller's current week.
    static func reading(_ group: GroupID, week: DayNumber?, for user: UserID) -> SQL {
        """
        SELECT b.week - DATE '1970-01-01' AS week, extract(epoch FROM focus_closes_at(b.week))::bigint AS closes_at,
            b.is_joined, b.is_member, b.is_later, b.is_done, b.has_result,
            e.user_id, e.first_name, e.rank, e.points, e.streak_count, e.longest_streak, e.estimated, e.status,
            extract(epoch FROM e.synced_at)::bigint AS synced_at
        FROM (
            SELECT w.week, w.is_joined, w.current, w.week > w.current AS is_later,
                EXISTS (SELECT FROM group_members m WHERE m.group_id = \(group) AND m.user_id = \(user)) AS is_member,
                EXISTS (SELECT FROM focus_closes c WHERE c.week >= w.week AND c.groups_after IS NULL) AS is_done,
                EXISTS (SELECT FROM focus_results r WHERE r.group_id = \(group) AND r.week = w.week) AS has_result
            FROM (
                SELECT p.user_id IS NOT NULL AS is_joined,
                    date_trunc('week', local_day(now(), u.time_zone)::timestamp)::date AS current,
                    coalesce(DATE '1970-01-01' + \(week)::integer,
                        date_trunc('week', local_day(now(), u.time_zone)::timestamp)::date) AS week
                FROM users u LEFT JOIN focus_profiles p ON p.user_id = u.id
                WHERE u.id = \(user)
            ) w
        ) b
        LEFT JOIN LATERAL (
            SELECT p.user_id, u.first_name, r.rank, r.points, r.streak_count, r.longest_streak, r.estimated, r.status,
                NULL::timestamptz AS synced_at
            FROM group_members m
            JOIN focus_profiles p ON p.user_id = m.user_id AND p.boards
            JOIN users u ON u.id = m.user_id
            JOIN focus_results r ON r.group_id = m.group_id AND r.week = b.week AND r.user_id = m.user_id
            WHERE m.group_id = \(group) AND b.has_result
            UNION ALL
            SELECT \(fragment: live)
            FROM group_members m
            JOIN focus_profiles p ON p.user_id = m.user_id AND p.boards
            JOIN users u ON u.id = m.user_id
            LEFT JOIN focus_weeks w ON w.user_id = m.user_id AND w.week = b.week
            WHERE m.group_id = \(group) AND NOT b.has_result
        ) e ON b.is_joined AND b.is_member AND NOT b.is_later AND (b.has_result OR NOT b.is_done)
        ORDER BY e.rank, e.points DESC, e.longest_streak DESC, e.user_id
        """
    }

    private static let live: SQL = """
        p.user_id, u.first_name, NULL::integer, coalesce(w.points, 0), coalesce(w.streak_count, 0),
        coalesce(w.longest_streak, 0), coalesce(w.estimated, false), \(fragment: status),
        CASE WHEN p.synced_at < now() - interval '24 hours' THEN date_trunc('hour', p.synced_at, 'UTC') END
        """

    /// The tracking status of the user of a profile `p`, as `trackingStatus(of:)` says.
    static let status: SQL = """
        (
            SELECT CASE WHEN bool_or(d.status = 'broken') THEN 'broken' WHEN bool_or(d.status = 'verified') THEN 'verified'
                ELSE 'pending' END
            FROM focus_devices d WHERE d.user_id = p.user_id AND d.deleted_at IS NULL
        )
        """

    /// - Throws: `FocusError.notJoined`; `.notFound` for callers who may not see the board, and for boards that do not exist.
    static func board(_ rows: [PostgresRow]) throws -> FocusBoardState {
        guard let first = rows.first, try first.get("is_joined") else { throw FocusError.notJoined }
        let hasResult: Bool = try first.get("has_result")
        guard try first.get("is_member"), try !first.get("is_later"), try hasResult || !first.get("is_done")
        else { throw FocusError.notFound }
        let entries = try rows.compactMap { row in
            try row.get("user_id", as: UserID?.self).map { try FocusBoardState.Entry($0, row) }
        }
        return FocusBoardState(
            week: try first.get("week"), closesAt: try first.get("closes_at"), isClosed: hasResult,
            entries: hasResult ? entries : FocusBoardState.ranked(entries))
    }
}

extension FocusBoardState.Entry {
    fileprivate init(_ user: UserID, _ row: PostgresRow) throws {
        self.init(
            rank: try row.get("rank", as: Int?.self) ?? 0, user: user, firstName: try row.get("first_name"),
            figures: try DayFigures(row), status: try row.get("status"), syncedAt: try row.get("synced_at"))
    }
}

extension FocusBoardState {
    /// The entries of a live board with their ranks.
    fileprivate static func ranked(_ entries: [Entry]) -> [Entry] {
        let byID = Dictionary(uniqueKeysWithValues: entries.map { ($0.user.resourceID.description, $0) })
        let members = byID.map { id, entry in
            BoardMember(id: id, points: entry.figures.points, longestStreak: entry.figures.longestStreak)
        }
        return boardRanks(members).compactMap { rank, member in
            byID[member.id].map { entry in
                Entry(
                    rank: rank, user: entry.user, firstName: entry.firstName, figures: entry.figures,
                    status: entry.status, syncedAt: entry.syncedAt)
            }
        }
    }
}
