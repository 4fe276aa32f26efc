import Auth
import FeatureKit
import Foundation
import Groups
import ObjectStorage
import Postgres

extension Photo {
    /// The columns of a photo `p` and of its sender `u`.
    static let columns: SQL = """
        p.id, p.group_id, p.sender_id, u.first_name AS sender_name, p.created_at, p.expires_at, p.width, p.height,
        p.thumbhash, p.photo_key, p.thumbnail_key, now() AS read_at
        """

    /// Selects a photo `p` with its sender's name.
    static let selection: SQL = """
        SELECT \(fragment: columns)
        FROM photos p
        JOIN users u ON u.id = p.sender_id
        """

    /// - Parameter names: the senders' names; if nil, the row has them.
    init(row: PostgresRow, names: SenderNames? = nil) throws {
        let sender: UserID = try row.get("sender_id")
        self.init(
            id: try row.get("id"), groupID: try row.get("group_id"), senderID: sender,
            senderName: try names.map { $0[sender] } ?? row.get("sender_name"),
            createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"),
            width: try row.get("width"), height: try row.get("height"),
            thumbHash: try row.get("thumbhash"), photoKey: try ObjectKey(row.get("photo_key") as String),
            thumbnailKey: try ObjectKey(row.get("thumbnail_key") as String))
    }
}

/// SQL that reads photos for members and deletes a photo for its sender. Every read excludes photos from the instant of
/// their expiry on.
struct PhotoStore: Sendable {
    let postgres: PostgresClient
    let groups: GroupMembership

    init(postgres: PostgresClient, groups: GroupMembership) {
        self.postgres = postgres
        self.groups = groups
    }

    /// Finds a photo that has not expired, in a group whose member the reader is.
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

    /// Ends a photo now. Its objects are due at once, and its day stays used.
    ///
    /// - Parameter verify: gets the transaction's time and throws if it cannot be trusted. If nil, no time is trusted: the
    ///   photo ends at its own beginning, which has passed by any clock.
    /// - Returns: a claim of the photo's objects; the caller deletes them.
    /// - Throws: `PhotoError.notFound` unless the user sent the photo and is still a member of the group.
    func delete(
        _ id: PhotoID, sender: UserID, verify: (@Sendable (Date) throws -> Void)? = { _ in }
    ) async throws -> DeletionClaim? {
        let end: SQL = verify == nil ? "LEAST(now(), p.created_at)" : "now()"
        return try await postgres.transaction { tx in
            // Lock the group's row first, in the common order of locks: the trigger writes the group's next event.
            guard let group = try Self.group(tx, of: id) else { throw PhotoError.notFound }
            try groups.requireLocked(tx, group)
            // Triggers: photos_log_change, photos_record_early_end (migrations/schema.sql)
            let deleted = try tx.first(
                """
                UPDATE photos p
                SET expires_at = \(fragment: end)
                FROM group_members m
                WHERE p.id = \(id) AND p.sender_id = \(sender) AND p.expires_at > now()
                  AND m.group_id = p.group_id AND m.user_id = \(sender)
                RETURNING now() AS now
                """)
            guard let deleted else { throw PhotoError.notFound }
            try verify?(try deleted.get("now"))
            return try ForgettingStore.claimObjects(
                tx, of: id, lease: PromptDeletion.lease,
                putsLandWithin: PhotoSweeper.Settings().secondPassAfter)
        }
    }

    private static func group(_ tx: PostgresTransaction, of id: PhotoID) throws -> GroupID? {
        try tx.first("SELECT group_id FROM photos WHERE id = \(id)")?.get("group_id")
    }
}
