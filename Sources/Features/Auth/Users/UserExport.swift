import FeatureKit
import Foundation
import HTTPKit
import Postgres

extension UserStore {
    /// What this feature keeps: the profile, the sessions, and the codes that were asked for.
    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        let profile = try tx.first(
            """
            SELECT id, phone_number, first_name, time_zone, time_zone_changed_at, discoverable, quiet_from,
                quiet_to, last_active_on, created_at
            FROM users
            WHERE id = \(user)
            """)
        guard let profile else { throw AuthError.userGone }
        return [
            "user": .object(try profile.exported()),
            "sessions": try SessionStore.export(tx, user),
            "verifications": try VerificationStore.export(tx, user),
        ]
    }
}

extension SessionStore {
    /// Without the nonce that refresh tokens are made from.
    fileprivate static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        try tx.exported(
            """
            SELECT id, device_name, generation, rotated_at, created_at, last_used_at, expires_at, ended_at
            FROM sessions
            WHERE user_id = \(user)
            ORDER BY created_at, id
            """)
    }
}

extension VerificationStore {
    /// Without what is kept of the code.
    fileprivate static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        try tx.exported(
            """
            SELECT id, phone_number, attempts, created_at, expires_at, used_at
            FROM verifications
            WHERE phone_number = (SELECT phone_number FROM users WHERE id = \(user))
            ORDER BY created_at, id
            """)
    }
}
