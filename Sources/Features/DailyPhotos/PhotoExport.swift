import FeatureKit
import Auth
import Foundation
import HTTPKit
import ObjectStorage
import Postgres

extension PhotoService {
    /// What is kept of the photos that the user sent: the photos themselves, by URLs where the user is still in their
    /// group, the last day that is used up in each group, and the clients' upload ids.
    package func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "photos": .array(try PhotoStore.sentPhotos(tx, user).map { .object(try exported($0)) }),
            "sent_days": try tx.exported(
                "SELECT group_id, last_sent_on FROM photo_slots WHERE sender_id = \(user) ORDER BY group_id"
            ),
            "upload_keys": try tx.exported(
                """
                SELECT group_id, key, photo_id, created_at
                FROM upload_keys
                WHERE sender_id = \(user)
                ORDER BY created_at, key
                """),
        ]
    }

    private func exported(_ row: PostgresRow) throws -> [String: JSONValue] {
        var members = try row.exported()
        for name in ["photo_key", "thumbnail_key", "is_readable", "read_at"] { members[name] = nil }
        guard try row.get("is_readable"), let expiresAt: Date = try row.get("expires_at") else {
            return members
        }
        let window = PresignedURLWindow(
            now: try row.get("read_at"), maxLifetime: limits.urlLifetime, objectExpiresAt: expiresAt)
        members["url"] = .string(try objects.presignedGet(ObjectKey(row.get("photo_key") as String), window))
        members["thumbnail_url"] = .string(
            try objects.presignedGet(ObjectKey(row.get("thumbnail_key") as String), window))
        members["url_expires_at"] = .date(window.expiresAt)
        return members
    }
}

extension PhotoStore {
    fileprivate static func sentPhotos(_ tx: PostgresTransaction, _ user: UserID) throws -> [PostgresRow] {
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
}
