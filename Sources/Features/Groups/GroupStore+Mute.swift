import Auth
import Foundation
import Postgres

extension GroupStore {
    /// The member hears nothing of the group until then, or for ever.
    /// - Throws: `GroupError.notFound`, `.muteEndsInPast` by PostgreSQL's clock.
    package func mute(_ group: GroupID, until end: Date?, by user: UserID) async throws {
        try await postgres.transaction { transaction in
            let row = try transaction.first(
                """
                UPDATE group_members SET muted_until = coalesce(\(end)::timestamptz, 'infinity')
                WHERE group_id = \(group) AND user_id = \(user)
                RETURNING muted_until > now() AS lies_ahead
                """)
            guard let row else { throw GroupError.notFound }
            guard try row.get("lies_ahead", as: Bool.self) else { throw GroupError.muteEndsInPast }
        }
    }

    package func unmute(_ group: GroupID, by user: UserID) async throws {
        let changed = try await postgres.execute(
            """
            UPDATE group_members SET muted_until = NULL WHERE group_id = \(group) AND user_id = \(user)
            """)
        guard changed == 1 else { throw GroupError.notFound }
    }
}
