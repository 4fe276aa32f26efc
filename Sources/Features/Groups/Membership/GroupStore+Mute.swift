import Auth
import FeatureKit
import Foundation
import Postgres

extension GroupStore {
    /// Mutes the group for a member: they get no push messages about it. Muting again until the same time writes nothing.
    ///
    /// - Parameter end: nil mutes for ever.
    /// - Throws: `GroupError.notFound`, `.muteEndsInPast` by PostgreSQL's clock.
    func mute(_ group: GroupID, until end: Date?, by user: UserID) async throws {
        try await postgres.transaction { tx in
            let row = try tx.first(
                """
                WITH mine AS (
                    SELECT group_id, user_id, coalesce(\(end)::timestamptz, 'infinity') AS ends
                    FROM group_members
                    WHERE group_id = \(group) AND user_id = \(user)
                ), changed AS (
                    UPDATE group_members m SET muted_until = mine.ends
                    FROM mine
                    WHERE m.group_id = mine.group_id AND m.user_id = mine.user_id
                        AND m.muted_until IS DISTINCT FROM mine.ends
                )
                SELECT ends > now() AS lies_ahead FROM mine
                """)
            guard let row else { throw GroupError.notFound }
            guard try row.get("lies_ahead", as: Bool.self) else { throw GroupError.muteEndsInPast }
        }
    }

    /// Ends the member's mute. Without a mute it writes nothing.
    ///
    /// - Throws: `GroupError.notFound`.
    func unmute(_ group: GroupID, by user: UserID) async throws {
        let membership = try await postgres.first(
            """
            WITH changed AS (
                UPDATE group_members SET muted_until = NULL
                WHERE group_id = \(group) AND user_id = \(user) AND muted_until IS NOT NULL
            )
            SELECT 1 AS one FROM group_members WHERE group_id = \(group) AND user_id = \(user)
            """)
        guard membership != nil else { throw GroupError.notFound }
    }
}
