import FeatureKit
import Auth
import Foundation
import Groups
import ObjectStorage
import Postgres

extension Photo {
    /// A live photo's columns. `p` is the photo.
    static let selection: SQL = """
        SELECT p.id, p.group_id, p.sender_id, u.first_name AS sender_name, p.created_at, p.expires_at, p.width,
               p.height, p.thumbhash, p.photo_key, p.thumbnail_key, now() AS read_at
        FROM photos p
        JOIN users u ON u.id = p.sender_id
        """

    init(row: PostgresRow) throws {
        self.init(
            id: try row.get("id"), groupID: try row.get("group_id"), senderID: try row.get("sender_id"),
            senderName: try row.get("sender_name"), createdAt: try row.get("created_at"),
            expiresAt: try row.get("expires_at"), width: try row.get("width"), height: try row.get("height"),
            thumbHash: try row.get("thumbhash"), photoKey: try ObjectKey(row.get("photo_key") as String),
            thumbnailKey: try ObjectKey(row.get("thumbnail_key") as String))
    }
}

/// What members see of photos, and their deletion by the sender. Every read stops at the instant of expiry.
package struct PhotoStore: Sendable {
    let postgres: PostgresClient
    let groups: GroupStore

    /// - Parameter postgres: The database with the migrated schema.
    package init(postgres: PostgresClient, groups: GroupStore) {
        self.postgres = postgres
        self.groups = groups
    }

    /// One unexpired photo of a group that the reader is in.
    ///
    /// - Throws: `PhotoError.notFound`.
    func require(_ id: PhotoID, reader: UserID) async throws -> PhotoSnapshot {
        let row = try await postgres.first(
            """
            \(fragment: Photo.selection)
            JOIN group_members m ON m.group_id = p.group_id AND m.user_id = \(reader)
            WHERE p.id = \(id) AND p.expires_at > now()
            """)
        guard let row else { throw PhotoError.notFound }
        return PhotoSnapshot(photos: [try Photo(row: row)], readAt: try row.get("read_at"))
    }

    /// Ends a photo's life now. Its objects are due at once, and its day stays used.
    ///
    /// - Returns: the claim of its objects, which the caller deletes.
    /// - Throws: `PhotoError.notFound` unless the caller sent it and is still in the group.
    func delete(_ id: PhotoID, sender: UserID) async throws -> DeletionClaim? {
        try await postgres.transaction { tx in
            // The group's row first, as everywhere: the log gets its next number.
            guard let group = try Self.group(of: id, in: tx) else { throw PhotoError.notFound }
            try groups.requireLocked(tx, group)
            let deleted = try tx.execute(
                """
                UPDATE photos p
                SET expires_at = now()
                FROM group_members m
                WHERE p.id = \(id) AND p.sender_id = \(sender) AND p.expires_at > now()
                  AND m.group_id = p.group_id AND m.user_id = \(sender)
                """)
            guard deleted == 1 else { throw PhotoError.notFound }
            return try ForgettingStore.claimObjects(
                of: id, in: tx, lease: PromptDeletion.lease,
                putsLandWithin: PhotoSweeper.Settings().secondPassAfter)
        }
    }

    private static func group(of id: PhotoID, in tx: PostgresTransaction) throws -> GroupID? {
        try tx.first("SELECT group_id FROM photos WHERE id = \(id)")?.get("group_id")
    }
}
