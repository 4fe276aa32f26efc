import FeatureKit
import Auth
import HTTPKit
import Postgres

extension GroupStore {
    /// The groups that the user is in, and when the user came or went.
    package static func export(
        _ transaction: PostgresTransaction, _ user: UserID
    ) throws -> [String: JSONValue] {
        [
            "groups": try transaction.exported(
                """
                SELECT m.group_id, g.name, m.joined_at,
                    coalesce(m.muted_until = 'infinity', false) AS muted_for_ever,
                    nullif(m.muted_until, 'infinity') AS muted_until
                FROM group_members m
                JOIN groups g ON g.id = m.group_id
                WHERE m.user_id = \(user)
                ORDER BY m.joined_at, m.group_id
                """),
            "former_groups": try transaction.exported(
                """
                SELECT group_id, left_at FROM former_members
                WHERE user_id = \(user)
                ORDER BY left_at, group_id
                """),
            "group_events": try transaction.exported(
                """
                SELECT group_id, number, kind, at FROM group_events
                WHERE user_id = \(user)
                ORDER BY at, group_id, number
                """),
        ]
    }
}

extension BlockStore {
    /// Whom the user blocks; not who blocks the user.
    package static func export(
        _ transaction: PostgresTransaction, _ user: UserID
    ) throws -> [String: JSONValue] {
        [
            "blocks": try transaction.exported(
                """
                SELECT blocked_id, created_at FROM blocks WHERE blocker_id = \(user)
                ORDER BY created_at, blocked_id
                """)
        ]
    }
}

extension InvitationStore {
    /// The invitations that the user made, and those to the user's number. An invitation that the user did not use is
    /// left out where a block hides it from the list of invitations too: it would tell of somebody else's block.
    package func export(
        _ transaction: PostgresTransaction, _ id: UserID
    ) throws -> [String: JSONValue] {
        let user = try UserStore.require(transaction, id)
        let columns: SQL = "id, code, group_id, phone_number, created_at, expires_at, used_at, revoked_at"
        return [
            "invites_sent": try transaction.exported(
                """
                SELECT \(fragment: columns) FROM invites
                WHERE invited_by = \(user.id)
                ORDER BY created_at, id
                """),
            "invites_received": try transaction.exported(
                """
                SELECT \(fragment: columns) FROM invites i
                WHERE used_by = \(user.id) OR (
                    phone_number = \(user.phoneNumber) AND NOT \(fragment: blocks.forbids(invitationTo: user))
                )
                ORDER BY created_at, id
                """),
            "contact_checks": try transaction.exported(
                "SELECT ends_at FROM contact_checks WHERE user_id = \(user.id)"),
        ]
    }
}
