import Auth
import FeatureKit
import HTTPKit
import Postgres

extension InvitationStore {
    /// The invitations that the user made, the invitations to the user's number, and the time until which the service
    /// remembers the numbers that the user has looked up.
    ///
    /// An unused invitation is left out when a block also hides it from the list of invitations. Otherwise the export would
    /// reveal another person's block.
    func export(_ tx: PostgresTransaction, _ user: UserProfile) throws -> [String: JSONValue] {
        let columns: SQL = "id, code, group_id, phone_number, created_at, expires_at, used_at, revoked_at"
        return [
            "invites_sent": try tx.exported(
                """
                SELECT \(fragment: columns) FROM invites
                WHERE invited_by = \(user.id)
                ORDER BY created_at, id
                """),
            "invites_received": try tx.exported(
                """
                SELECT \(fragment: columns) FROM invites i
                WHERE used_by = \(user.id) OR (
                    phone_number = \(user.phoneNumber) AND NOT \(fragment: blocks.forbids(invitationTo: user))
                )
                ORDER BY created_at, id
                """),
            "contact_checks": try tx.exported(
                "SELECT ends_at FROM contact_checks WHERE user_id = \(user.id)"),
        ]
    }
}
