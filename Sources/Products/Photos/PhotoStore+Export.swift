import Auth
import FeatureKit
import HTTPKit
import Postgres

/// SQL of the export of an account.
extension PhotoStore {
    /// All photos of the sender, including attempts and expired photos that are not deleted yet.
    static func sentPhotos(_ tx: PostgresTransaction, by user: UserID) throws -> [PostgresRow] {
        try tx.query(
            """
            SELECT p.id, p.group_id, p.sent_on, p.lease_until, p.created_at, p.expires_at, p.width, p.height,
                p.thumbhash, p.photo_key, p.thumbnail_key, now() AS read_at,
                m.user_id IS NOT NULL AND coalesce(p.expires_at > now(), false) AS is_readable
            FROM photos p
            LEFT JOIN group_members m ON m.group_id = p.group_id AND m.user_id = p.sender_id
            WHERE p.sender_id = \(user)
            ORDER BY p.created_at, p.id
            """)
    }

    static func sentDays(_ tx: PostgresTransaction, by user: UserID) throws -> JSONValue {
        try tx.exported(
            "SELECT group_id, last_sent_on FROM photo_slots WHERE sender_id = \(user) ORDER BY group_id")
    }

    static func uploadKeys(_ tx: PostgresTransaction, of user: UserID) throws -> JSONValue {
        try tx.exported(
            """
            SELECT group_id, key, photo_id, created_at
            FROM upload_keys
            WHERE sender_id = \(user)
            ORDER BY created_at, key
            """)
    }
}
