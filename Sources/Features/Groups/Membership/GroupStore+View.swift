import Auth
import FeatureKit
import Foundation
import Postgres

extension GroupStore {
    /// The groups of users without their members, oldest first. The key is the user.
    static let summaries = SharedQuery { keys in
        summaryQuery(keys.table("user_id"), source(for: "asked.user_id", only: nil))
    }

    /// The same of one group. The key is the user and the group.
    static let oneSummary = SharedQuery { keys in
        summaryQuery(keys.table("user_id", "group_id"), source(for: "asked.user_id", only: "asked.group_id"))
    }

    /// OFFSET keeps the subquery apart, so that PostgreSQL reads by indexes for one user after the other.
    private static func summaryQuery(_ keys: SQL, _ source: SQL) -> SQL {
        """
        SELECT asked.place, summary.*
        FROM \(fragment: keys)
        CROSS JOIN LATERAL (SELECT \(fragment: summaryColumns) \(fragment: source) OFFSET 0) AS summary
        ORDER BY asked.place, summary.created_at, summary.id
        """
    }

    /// The same with all members, in one statement.
    static func viewQuery(for user: UserID, only group: GroupID? = nil) -> SQL {
        let everybody: SQL = """
            CROSS JOIN LATERAL (
                SELECT array_agg(m.user_id ORDER BY m.joined_at, m.user_id) AS ids,
                    array_agg(coalesce(u.first_name, '') ORDER BY m.joined_at, m.user_id) AS names,
                    array_agg(m.joined_at ORDER BY m.joined_at, m.user_id) AS joined
                FROM group_members m
                JOIN users u ON u.id = m.user_id
                WHERE m.group_id = mine.group_id
            ) AS everybody
            """
        return """
            SELECT \(fragment: summaryColumns), everybody.ids, everybody.names, everybody.joined
            \(fragment: source(for: "\(user)", only: group.map { "\($0)" }, joining: everybody))
            ORDER BY g.created_at, g.id
            """
    }

    static func view(_ row: PostgresRow) throws -> GroupView {
        let ids: [UUID] = try row.get("ids")
        let names: [String] = try row.get("names")
        let joined: [Date] = try row.get("joined")
        return GroupView(
            summary: try GroupSummary(row),
            members: zip(ids, zip(names, joined)).map { id, rest in
                GroupMember(
                    id: UserID(rawValue: id), firstName: rest.0.isEmpty ? nil : rest.0, joinedAt: rest.1)
            })
    }

    /// `g` is the group, `mine` the membership, `me` the user, `slot` the last day that the user used up there, and
    /// `day.is_used` whether that is today.
    private static let summaryColumns: SQL = """
        g.id, g.name, g.created_at, \(fragment: LogPosition.columns), me.time_zone,
        day.is_used, CASE WHEN day.is_used THEN slot.last_sent_on END AS sent_on,
        CASE WHEN day.is_used THEN end_of_local_day(slot.last_sent_on, me.time_zone) END AS next_send_at,
        (
            SELECT max(p.created_at) FROM photos p
            WHERE p.group_id = g.id AND p.lease_until IS NULL AND p.expires_at > now()
        ) AS last_photo_at,
        coalesce(mine.muted_until > now(), false) AS is_muted
        """

    private static func source(for user: SQL, only group: SQL?, joining more: SQL = "") -> SQL {
        let filter: SQL = group.map { "AND mine.group_id = \(fragment: $0)" } ?? ""
        return """
            FROM group_members mine
            JOIN groups g ON g.id = mine.group_id
            JOIN users me ON me.id = mine.user_id
            LEFT JOIN photo_slots slot ON slot.group_id = mine.group_id AND slot.sender_id = mine.user_id
            CROSS JOIN LATERAL (
                SELECT coalesce(slot.last_sent_on >= local_day(now(), me.time_zone), false) AS is_used
            ) AS day
            \(fragment: more)
            WHERE mine.user_id = \(fragment: user) \(fragment: filter)
            """
    }
}

extension GroupSummary {
    fileprivate init(_ row: PostgresRow) throws {
        id = try row.get("id")
        name = try row.get("name")
        createdAt = try row.get("created_at")
        position = try LogPosition(row)
        hasSentToday = try row.get("is_used")
        nextSendAt = try row.get("next_send_at")
        lastPhotoAt = try row.get("last_photo_at")
        isMuted = try row.get("is_muted")
        version = GroupVersion(
            group: id, position: position, lastPhotoAt: lastPhotoAt, sentOn: try row.get("sent_on"),
            timeZone: try row.get("time_zone"), isMuted: isMuted)
    }

    static func all(in rows: [PostgresRow]) throws -> [GroupSummary] { try rows.map(GroupSummary.init) }
}
