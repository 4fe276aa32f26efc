import Auth
import FeatureKit
import HTTPKit
import Postgres

extension DeviceStore {
    /// The user's devices, and the notifications of the outbox for the user. A browser's keys are left out.
    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "devices": try tx.exported(
                """
                SELECT id, split_part(token, ' ', 1) AS token, platform, session_id, registered_at FROM devices
                WHERE user_id = \(user)
                ORDER BY registered_at, id
                """),
            "notifications": try tx.exported(
                """
                SELECT id, topic, key, created_at, due_at, expires_at, keep_until, attempts, done_at FROM outbox
                WHERE user_id = \(user)
                ORDER BY created_at, id
                """),
        ]
    }
}
