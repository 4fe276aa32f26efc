import FeatureKit
import Auth
import HTTPKit
import Postgres

extension DeviceStore {
    /// The user's devices, and what the user has been told or is yet to be told.
    package static func export(
        _ transaction: PostgresTransaction, _ user: UserID
    ) throws -> [String: JSONValue] {
        [
            "devices": try transaction.exported(
                """
                SELECT id, token, platform, session_id, registered_at FROM devices
                WHERE user_id = \(user)
                ORDER BY registered_at, id
                """),
            "notifications": try transaction.exported(
                """
                SELECT id, topic, key, created_at, due_at, expires_at, keep_until, attempts, done_at FROM outbox
                WHERE user_id = \(user)
                ORDER BY created_at, id
                """),
        ]
    }
}
