import Auth
import FeatureKit
import Foundation
import Postgres

extension GroupStore {
    /// The groups as one of their members sees them: the member's day, all members, and the newest photo, in one statement.
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
            SELECT \(fragment: versionColumns), g.name, g.created_at, day.is_used,
                CASE WHEN day.is_used
                    THEN end_of_local_day(slot.last_sent_on, me.time_zone) END AS next_send_at,
                everybody.ids, everybody.names, everybody.joined
            \(fragment: versionSource(for: user, only: group, joining: everybody))
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
            lastPhotoAt: try row.get("last_photo_at"), isMuted: try row.get("is_muted"),
            version: try GroupVersion(row))
    }
}
