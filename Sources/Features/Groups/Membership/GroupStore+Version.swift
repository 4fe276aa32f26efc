import Auth
import FeatureKit
import Foundation
import Postgres

extension GroupStore {
    /// The versions of all groups of the user, in the order of their views, or of one group.
    ///
    /// - Throws: `GroupError.notFound` unless the user is in that group.
    func versions(for user: UserID, only group: GroupID? = nil) async throws -> [GroupVersion] {
        let versions = try await postgres.query(Self.versionQuery(for: user, only: group)).map(
            GroupVersion.init)
        if group != nil, versions.isEmpty { throw GroupError.notFound }
        return versions
    }

    /// The columns of a version, in `versionQuery` and `viewQuery`. `g` is the group, `mine` the membership, `me` the user,
    /// `slot` the last day that the user used up there, and `day.is_used` whether that is today.
    static let versionColumns: SQL = """
        g.id, \(fragment: LogPosition.columns), me.time_zone,
        CASE WHEN day.is_used THEN slot.last_sent_on END AS sent_on,
        (
            SELECT max(p.created_at) FROM photos p
            WHERE p.group_id = g.id AND p.lease_until IS NULL AND p.expires_at > now()
        ) AS last_photo_at,
        coalesce(mine.muted_until > now(), false) AS is_muted
        """

    static func versionSource(for user: UserID, only group: GroupID?, joining more: SQL = "") -> SQL {
        let filter: SQL = group.map { "AND mine.group_id = \($0)" } ?? ""
        return """
            FROM group_members mine
            JOIN groups g ON g.id = mine.group_id
            JOIN users me ON me.id = mine.user_id
            LEFT JOIN photo_slots slot ON slot.group_id = mine.group_id AND slot.sender_id = mine.user_id
            CROSS JOIN LATERAL (
                SELECT coalesce(slot.last_sent_on >= local_day(now(), me.time_zone), false) AS is_used
            ) AS day
            \(fragment: more)
            WHERE mine.user_id = \(user) \(fragment: filter)
            ORDER BY g.created_at, g.id
            """
    }

    private static func versionQuery(for user: UserID, only group: GroupID?) -> SQL {
        "SELECT \(fragment: versionColumns) \(fragment: versionSource(for: user, only: group))"
    }
}
