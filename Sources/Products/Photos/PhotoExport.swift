import Auth
import FeatureKit
import Foundation
import HTTPKit
import ObjectStorage
import Postgres

extension PhotoService {
    /// The data about the photos that the user sent: the photos themselves, with URLs if the user is still a member of
    /// the group, the last used day in each group, and the idempotency keys of uploads.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "photos": .array(try PhotoStore.sentPhotos(tx, by: user).map { .object(try exported($0)) }),
            "sent_days": try PhotoStore.sentDays(tx, by: user),
            "upload_keys": try PhotoStore.uploadKeys(tx, of: user),
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
