import FeatureKit
import Auth
import Foundation
import Groups
import Notifications
import ObjectStorage
import Postgres
import RateLimiting

/// What is known of an upload before its bytes are read.
enum UploadDecision: Sendable {
    /// Nothing speaks against it.
    case open
    /// Its key has been accepted before. `photo` is nil when it is gone; without a fingerprint the key alone decides.
    case known(photo: Photo?, fingerprint: [UInt8]?, readAt: Date)
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
    /// The fingerprint of the original bytes. Nil without a key, because then no retry can ask for it.
    let fingerprint: [UInt8]?
    let width: Int
    let height: Int
    let thumbHash: [UInt8]
}

/// The write path of a photo: `claim` (transaction A), then `accept` (transaction B) or `abandon`.
struct UploadStore: Sendable {
    let postgres: PostgresClient
    let groups: GroupStore
    let limits: PhotoSettings
    let quota: DecodingQuota
    /// Nil: nobody is told of photos.
    var notifications: NotificationOutbox?
    /// Nil: the database's clock is believed, whatever it says.
    var clocks: ClockWatch?

    /// A look without locks: refuses the hopeless before their bytes are read or decoded.
    func decision(group: GroupID, sender: UserID, key: String?) async throws -> UploadDecision {
        try await postgres.transaction { tx in
            try groups.requireMember(tx, group: group, user: sender, lock: false)
            return try decision(in: tx, group: group, sender: sender, key: key)
        }
    }

    /// The same look for an upload whose bytes may be decoded next.
    ///
    /// - Throws: `RateLimited` when the upload is open and its sender has no decoding left.
    func decisionBeforeDecoding(group: GroupID, sender: UserID, key: String?) async throws -> UploadDecision {
        try await postgres.transaction { tx in
            try groups.requireMember(tx, group: group, user: sender, lock: false)
            let found = try decision(in: tx, group: group, sender: sender, key: key)
            if case .open = found { try quota.require(tx, for: sender) }
            return found
        }
    }

    /// Transaction A: takes the sender's day in the group under a lease, and writes down the objects to come.
    func claim(_ attempt: UploadAttempt, keys: (photo: ObjectKey, thumbnail: ObjectKey), id: PhotoID)
        async throws
        -> Result<UploadClaim, UploadRefusal>
    {
        try await byTrustedTime { verify, tx in
            let (group, sender) = (attempt.groupID, attempt.senderID)
            // Held, so that neither sender nor group can go before the rows that refer to them are written.
            try groups.requireMember(tx, group: group, user: sender, lock: true)
            try verify(try lockSlot(in: tx, group: group, sender: sender))
            try tx.execute(
                """
                DELETE FROM photos
                WHERE group_id = \(group) AND sender_id = \(sender) AND lease_until <= now()
                """)
            let before = try decision(in: tx, group: group, sender: sender, key: attempt.idempotencyKey)
            guard case .open = before else { return .failure(UploadRefusal(decision: before)) }
            guard try insertPending(in: tx, attempt, keys: keys, id: id) else {
                // The sender's time zone has changed since the look above, and the day in the new one is used.
                let after = try decision(in: tx, group: group, sender: sender, key: attempt.idempotencyKey)
                return .failure(UploadRefusal(decision: after))
            }
            for key in [keys.photo, keys.thumbnail] {
                try tx.execute(
                    """
                    INSERT INTO stored_objects (key, photo_id, delete_after)
                    SELECT \(key.rawValue), id, lease_until FROM photos WHERE id = \(id)
                    """)
            }
            return .success(UploadClaim(photoID: id, photoKey: keys.photo, thumbnailKey: keys.thumbnail))
        }
    }

    /// Transaction B: pending becomes live, where the lease, the objects and the membership still hold.
    ///
    /// - Throws: `PhotoError.attemptLost`; `GroupError.notFound` when the sender is no member any more. When the
    ///   outcome of COMMIT is unknown, the claim may have been accepted: nothing may be deleted then.
    func accept(_ claim: UploadClaim, of attempt: UploadAttempt) async throws -> (photo: Photo, readAt: Date)
    {
        try await byTrustedTime { verify, tx in
            // The group's row before the membership's, as everywhere: the log gets its next number.
            try groups.requireLocked(tx, attempt.groupID)
            try groups.requireMember(tx, group: attempt.groupID, user: attempt.senderID, lock: true)
            guard let accepted = try makeLive(in: tx, claim) else { throw PhotoError.attemptLost }
            try verify(try accepted.get("read_at"))
            let sentOn: PostgresDate = try accepted.get("sent_on")
            // Never back: a restored backup may have used up later days meanwhile.
            try tx.execute(
                """
                UPDATE photo_slots
                SET last_sent_on = GREATEST(last_sent_on, \(sentOn))
                WHERE group_id = \(attempt.groupID) AND sender_id = \(attempt.senderID)
                """)
            if let key = attempt.idempotencyKey {
                try tx.execute(
                    """
                    INSERT INTO upload_keys (group_id, sender_id, key, photo_id)
                    VALUES (\(attempt.groupID), \(attempt.senderID), \(key), \(claim.photoID))
                    """)
            }
            try notifications?.announce(
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

    /// Writes the attempt's row for the sender's local day. The statement that judges the day also writes it, so both
    /// see the same time zone.
    ///
    /// - Returns: false where that day, or a later one, is used.
    private func insertPending(
        in tx: PostgresTransaction, _ attempt: UploadAttempt, keys: (photo: ObjectKey, thumbnail: ObjectKey),
        id: PhotoID
    ) throws -> Bool {
        let lease = limits.leaseDuration.seconds
        let inserted = try tx.execute(
            """
            INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash,
                                photo_key, thumbnail_key, fingerprint)
            SELECT \(id), s.group_id, u.id, local_day(now(), u.time_zone), now() + make_interval(secs => \(lease)),
                   \(attempt.width), \(attempt.height), \(attempt.thumbHash),
                   \(keys.photo.rawValue), \(keys.thumbnail.rawValue), \(attempt.fingerprint)::bytea
            FROM users u
            JOIN photo_slots s ON s.group_id = \(attempt.groupID) AND s.sender_id = u.id
            WHERE u.id = \(attempt.senderID)
              AND (s.last_sent_on IS NULL OR s.last_sent_on < local_day(now(), u.time_zone))
            ON CONFLICT ON CONSTRAINT photos_one_per_day DO NOTHING
            """)
        return inserted == 1
    }

    /// Makes a pending photo live, where its lease holds at this moment and no sweeper has ever taken one of its
    /// objects.
    ///
    /// A sweeper's claim marks an object by `claimed_until`, and its second pass moves `delete_after`: either way the
    /// store may have deleted it. Both stay locked from here to COMMIT.
    ///
    /// - Returns: nil where one of the conditions does not hold.
    private func makeLive(in tx: PostgresTransaction, _ claim: UploadClaim) throws -> PostgresRow? {
        let lifetime = limits.lifetime.seconds
        return try tx.first(
            """
            WITH attempt AS (
                SELECT id, lease_until FROM photos
                WHERE id = \(claim.photoID) AND lease_until > clock_timestamp()
                FOR UPDATE
            ), kept AS (
                UPDATE stored_objects o
                SET delete_after = now() + make_interval(secs => \(lifetime))
                FROM attempt
                WHERE o.photo_id = attempt.id AND o.claimed_until IS NULL AND o.delete_after = attempt.lease_until
                RETURNING o.key
            )
            UPDATE photos p
            SET lease_until = NULL, created_at = now(), expires_at = now() + make_interval(secs => \(lifetime))
            FROM attempt
            WHERE p.id = attempt.id AND (SELECT count(*) FROM kept) = 2
            RETURNING p.sent_on, now() AS read_at
            """)
    }

    /// A transaction that ends where the database's clock cannot be trusted: no day is taken by such a clock.
    private func byTrustedTime<Value: Sendable>(
        _ body:
            @escaping @Sendable (_ verify: @Sendable (Date) throws -> Void, PostgresTransaction) throws ->
            Value
    ) async throws -> Value {
        guard let clocks else { return try await postgres.transaction { try body({ _ in }, $0) } }
        do {
            return try await clocks.checking { verify in
                try await postgres.transaction { try body(verify, $0) }
            }
        } catch is ClocksDisagree {
            throw PhotoError.clocksDisagree
        }
    }

    /// - Returns: the transaction's time.
    private func lockSlot(in tx: PostgresTransaction, group: GroupID, sender: UserID) throws -> Date {
        try tx.execute(
            """
            INSERT INTO photo_slots (group_id, sender_id)
            VALUES (\(group), \(sender))
            ON CONFLICT DO NOTHING
            """)
        let slot = try tx.first(
            """
            SELECT now() AS now FROM photo_slots
            WHERE group_id = \(group) AND sender_id = \(sender)
            FOR UPDATE
            """)
        guard let slot else { throw PhotoError.notFound }
        return try slot.get("now")
    }

    /// One statement, so one snapshot: an acceptance that commits meanwhile is seen as a whole or not at all.
    private func decision(in tx: PostgresTransaction, group: GroupID, sender: UserID, key: String?) throws
        -> UploadDecision
    {
        let row = try tx.first(
            """
            SELECT k.photo_id AS known_photo_id, p.fingerprint, p.id, p.group_id, p.sender_id, u.first_name AS sender_name, p.created_at,
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
        if try row.get("known_photo_id", as: PhotoID?.self) != nil {
            let isThere = try row.get("id", as: PhotoID?.self) != nil
            return .known(
                photo: isThere ? try Photo(row: row) : nil, fingerprint: try row.get("fingerprint"),
                readAt: try row.get("read_at"))
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
    let decision: UploadDecision
}
