import Auth
import Foundation
import Groups
import Notifications
import ObjectStorage
import Postgres

/// What is known of an upload before its bytes are read.
enum UploadOutlook: Sendable {
    /// Nothing speaks against it.
    case open
    /// Its key has been accepted before, with bytes of this SHA-256; `photo` is nil when it is gone.
    case known(bytesSHA256: [UInt8], photo: Photo?, readAt: Date)
    case alreadySentToday(nextSendAt: Date)
    case inProgress(retryAfter: Duration)
}

/// A day claimed under a lease, for an upload whose picture is ready to be stored.
struct UploadClaim: Sendable {
    let photoID: PhotoID
    let photoKey: ObjectKey
    let thumbnailKey: ObjectKey
}

/// A picture to store, and whose it is.
struct UploadAttempt: Sendable {
    let groupID: GroupID
    let senderID: UserID
    let idempotencyKey: String?
    let bytesSHA256: [UInt8]
    let width: Int
    let height: Int
    let thumbHash: [UInt8]
}

/// The write path of a photo: `claim` (transaction A), then `accept` (transaction B) or `abandon`.
struct UploadStore: Sendable {
    let postgres: PostgresClient
    let groups: GroupStore
    let limits: PhotoLimits
    /// Nil: nobody is told of photos.
    var desk: NotificationDesk?

    /// A look without locks: refuses the hopeless before their bytes are read or decoded.
    func outlook(group: GroupID, sender: UserID, key: String?) async throws -> UploadOutlook {
        try await postgres.transaction { tx in
            try groups.requireMember(in: tx, group: group, user: sender, lock: false)
            return try outlook(in: tx, group: group, sender: sender, key: key)
        }
    }

    /// Transaction A: takes the sender's day in the group under a lease, and writes down the objects to come.
    func claim(_ attempt: UploadAttempt, keys: (photo: ObjectKey, thumbnail: ObjectKey), id: PhotoID)
        async throws
        -> Result<UploadClaim, UploadRefusal>
    {
        let lease = limits.leaseDuration.seconds
        return try await postgres.transaction { tx in
            let (group, sender) = (attempt.groupID, attempt.senderID)
            // Held, so that neither sender nor group can go before the rows that refer to them are written.
            try groups.requireMember(in: tx, group: group, user: sender, lock: true)
            try lockSlot(in: tx, group: group, sender: sender)
            try tx.execute(
                """
                DELETE FROM photos
                WHERE group_id = \(group) AND sender_id = \(sender) AND lease_until <= now()
                """)
            let outlook = try outlook(in: tx, group: group, sender: sender, key: attempt.idempotencyKey)
            guard case .open = outlook else { return .failure(UploadRefusal(outlook: outlook)) }

            for key in [keys.photo, keys.thumbnail] {
                try tx.execute(
                    """
                    INSERT INTO stored_objects (key, photo_id, delete_after)
                    VALUES (\(key.rawValue), \(id), now() + make_interval(secs => \(lease)))
                    """)
            }
            try tx.execute(
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash,
                                    photo_key, thumbnail_key)
                SELECT \(id), \(group), u.id, local_day(now(), u.time_zone), now() + make_interval(secs => \(lease)),
                       \(attempt.width), \(attempt.height), \(attempt.thumbHash),
                       \(keys.photo.rawValue), \(keys.thumbnail.rawValue)
                FROM users u
                WHERE u.id = \(sender)
                """)
            return .success(UploadClaim(photoID: id, photoKey: keys.photo, thumbnailKey: keys.thumbnail))
        }
    }

    /// Transaction B: pending becomes live, where the lease, the objects and the membership still hold.
    ///
    /// - Throws: `PhotoError.attemptLost`; `GroupError.notFound` when the sender is no member any more. When the
    ///   outcome of COMMIT is unknown, the claim may have been accepted: nothing may be deleted then.
    func accept(_ claim: UploadClaim, of attempt: UploadAttempt) async throws -> (photo: Photo, readAt: Date)
    {
        let lifetime = limits.lifetime.seconds
        return try await postgres.transaction { tx in
            // The group's row before the membership's, as everywhere: the log gets its next number.
            try groups.lock(in: tx, group: attempt.groupID)
            try groups.requireMember(in: tx, group: attempt.groupID, user: attempt.senderID, lock: true)
            let accepted = try tx.first(
                """
                UPDATE photos
                SET lease_until = NULL, created_at = now(), expires_at = now() + make_interval(secs => \(lifetime))
                WHERE id = \(claim.photoID) AND lease_until > now()
                RETURNING sent_on, expires_at, now() AS read_at
                """)
            guard let accepted else { throw PhotoError.attemptLost }
            let expiresAt: Date = try accepted.get("expires_at")
            let sentOn: PostgresDate = try accepted.get("sent_on")

            // A sweeper that has claimed one of them may have deleted it already.
            let kept = try tx.execute(
                """
                UPDATE stored_objects
                SET delete_after = \(expiresAt)
                WHERE photo_id = \(claim.photoID) AND claimed_until IS NULL
                """)
            guard kept == 2 else { throw PhotoError.attemptLost }

            try tx.execute(
                """
                UPDATE photo_slots
                SET last_sent_on = \(sentOn)
                WHERE group_id = \(attempt.groupID) AND sender_id = \(attempt.senderID)
                """)
            if let key = attempt.idempotencyKey {
                try tx.execute(
                    """
                    INSERT INTO upload_keys (group_id, sender_id, key, bytes_sha256, photo_id)
                    VALUES (\(attempt.groupID), \(attempt.senderID), \(key), \(attempt.bytesSHA256), \(claim.photoID))
                    """)
            }
            try desk?.announce(
                tx, claim.photoID, to: attempt.groupID, by: attempt.senderID, lifetime: limits.lifetime)
            let row = try tx.first("\(fragment: Photo.selection) WHERE p.id = \(claim.photoID)")
            guard let row else { throw PhotoError.attemptLost }
            return (try Photo(row: row), try accepted.get("read_at"))
        }
    }

    /// Gives the day back and makes the attempt's objects due, at once and once more later (a late PUT).
    func abandon(_ claim: UploadClaim) async throws {
        try await postgres.execute(
            "DELETE FROM photos WHERE id = \(claim.photoID) AND lease_until IS NOT NULL")
    }

    private func lockSlot(in tx: PostgresTransaction, group: GroupID, sender: UserID) throws {
        try tx.execute(
            """
            INSERT INTO photo_slots (group_id, sender_id)
            VALUES (\(group), \(sender))
            ON CONFLICT DO NOTHING
            """)
        try tx.execute(
            """
            SELECT FROM photo_slots
            WHERE group_id = \(group) AND sender_id = \(sender)
            FOR UPDATE
            """)
    }

    /// One statement, so one snapshot: an acceptance that commits meanwhile is seen as a whole or not at all.
    private func outlook(in tx: PostgresTransaction, group: GroupID, sender: UserID, key: String?) throws
        -> UploadOutlook
    {
        let row = try tx.first(
            """
            SELECT k.bytes_sha256, p.id, p.group_id, p.sender_id, u.first_name AS sender_name, p.created_at,
                   p.expires_at, p.width, p.height, p.thumbhash, p.photo_key, p.thumbnail_key, now() AS read_at,
                   EXTRACT(EPOCH FROM pending.lease_until - now())::float8 AS lease_seconds,
                   end_of_local_day(s.last_sent_on, u.time_zone) AS next_send_at
            FROM users u
            LEFT JOIN upload_keys k
                ON k.group_id = \(group) AND k.sender_id = u.id AND k.key = \(key)::text
            LEFT JOIN photos p ON p.id = k.photo_id AND p.expires_at > now()
            LEFT JOIN photos pending
                ON pending.group_id = \(group) AND pending.sender_id = u.id AND pending.lease_until > now()
            LEFT JOIN photo_slots s
                ON s.group_id = \(group) AND s.sender_id = u.id
                AND s.last_sent_on >= local_day(now(), u.time_zone)
            WHERE u.id = \(sender)
            ORDER BY pending.lease_until DESC
            LIMIT 1
            """)
        guard let row else { throw PhotoError.notFound }
        if let hash = try row.get("bytes_sha256", as: [UInt8]?.self) {
            let isThere = try row.get("id", as: PhotoID?.self) != nil
            return .known(
                bytesSHA256: hash, photo: isThere ? try Photo(row: row) : nil, readAt: try row.get("read_at"))
        }
        if let seconds = try row.get("lease_seconds", as: Double?.self) {
            return .inProgress(retryAfter: .milliseconds(Int64(seconds * 1000)))
        }
        if let nextSendAt = try row.get("next_send_at", as: Date?.self) {
            return .alreadySentToday(nextSendAt: nextSendAt)
        }
        return .open
    }
}

/// Why a claim was not given.
struct UploadRefusal: Error {
    let outlook: UploadOutlook
}
