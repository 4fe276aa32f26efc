import Auth
import Foundation
import Postgres

extension GroupStore {
    /// Groups as one of their members sees them: his day, everybody in it and the newest photo, in one statement.
    static func viewQuery(for user: UserID, only group: GroupID? = nil) -> SQL {
        let filter: SQL = group.map { "AND mine.group_id = \($0)" } ?? ""
        return """
            SELECT g.id, g.name, g.created_at, day.is_used,
                CASE WHEN day.is_used
                    THEN end_of_local_day(slot.last_sent_on, me.time_zone) END AS next_send_at,
                (
                    SELECT max(p.created_at) FROM photos p
                    WHERE p.group_id = g.id AND p.lease_until IS NULL AND p.expires_at > now()
                ) AS last_photo_at,
                coalesce(mine.muted_until > now(), false) AS is_muted,
                everybody.ids, everybody.names, everybody.joined
            FROM group_members mine
            JOIN groups g ON g.id = mine.group_id
            JOIN users me ON me.id = mine.user_id
            LEFT JOIN photo_slots slot ON slot.group_id = mine.group_id AND slot.sender_id = mine.user_id
            CROSS JOIN LATERAL (
                SELECT coalesce(slot.last_sent_on >= local_day(now(), me.time_zone), false) AS is_used
            ) AS day
            CROSS JOIN LATERAL (
                SELECT array_agg(m.user_id ORDER BY m.joined_at, m.user_id) AS ids,
                    array_agg(coalesce(u.first_name, '') ORDER BY m.joined_at, m.user_id) AS names,
                    array_agg(m.joined_at ORDER BY m.joined_at, m.user_id) AS joined
                FROM group_members m
                JOIN users u ON u.id = m.user_id
                WHERE m.group_id = mine.group_id
            ) AS everybody
            WHERE mine.user_id = \(user) \(fragment: filter)
            ORDER BY g.created_at, g.id
            """
    }

    static func view(_ row: PostgresRow) throws -> GroupView {
        let ids: [UUID] = try row.get("ids")
        let names: [String] = try row.get("names")
        let joined: [Date] = try row.get("joined")
        return GroupView(
            id: try row.get("id"), name: try row.get("name"), createdAt: try row.get("created_at"),
            members: zip(ids, zip(names, joined)).map { id, rest in
                GroupMember(
                    id: UserID(rawValue: id), firstName: rest.0.isEmpty ? nil : rest.0, joinedAt: rest.1)
            },
            hasSentToday: try row.get("is_used"), nextSendAt: try row.get("next_send_at"),
            lastPhotoAt: try row.get("last_photo_at"), isMuted: try row.get("is_muted"))
    }
}
