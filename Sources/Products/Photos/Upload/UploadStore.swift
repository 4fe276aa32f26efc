import Auth
import FeatureKit
import Foundation
import Groups
import Notifications
import ObjectStorage
import Postgres
import RateLimiting

/// The decision about an upload that is possible without its bytes.
enum UploadDecision: Sendable {
    /// The upload may be stored.
    case open
    /// An upload with the same key was accepted before. `photo` and the fingerprint of its bytes are nil if that photo is
    /// gone.
    case known(photo: Photo?, fingerprint: [UInt8]?, readAt: Date)
    case alreadySentToday(nextSendAt: Date)
    case inProgress(retryAfter: Duration)
}

/// The sender's day, claimed under a lease for an upload whose picture is ready to be stored.
struct UploadClaim: Sendable {
    let photoID: PhotoID
    let photoKey: ObjectKey
    let thumbnailKey: ObjectKey
}

/// A picture to be stored, with its sender and group.
struct UploadAttempt: Sendable {
    let groupID: GroupID
    let senderID: UserID
    let idempotencyKey: String?
    /// The fingerprint of the original bytes. Nil without a key, because a retry is recognised by its key only.
    let fingerprint: [UInt8]?
    let width: Int
    let height: Int
    let thumbHash: [UInt8]
}

/// SQL that stores photos: `claim` (transaction A), then `accept` (transaction B) or `abandon`.
struct UploadStore: Sendable {
    let postgres: PostgresClient
    let groups: GroupMembership
    let limits: PhotoSettings
    let quota: DecodingQuota
    /// Nil in tests without notifications.
    var notifications: NotificationOutbox?
    /// Nil in tests that trust the database's clock.
    var clocks: ClockWatch?

    /// Decides without locks, so that an upload which cannot succeed is refused before its bytes are read.
    func decision(group: GroupID, sender: UserID, key: String?) async throws -> UploadDecision {
        try await postgres.transaction { tx in
            try groups.require(tx, group: group, user: sender, lock: false)
            return try decision(tx, group: group, sender: sender, key: key)
        }
    }

    /// Decides like `decision`, for an upload that may be decoded next.
    ///
    /// - Throws: `RateLimited` if the upload is open and its sender's decoding quota is used up.
    func decisionBeforeDecoding(group: GroupID, sender: UserID, key: String?) async throws -> UploadDecision {
        try await postgres.transaction { tx in
            try groups.require(tx, group: group, user: sender, lock: false)
            let found = try decision(tx, group: group, sender: sender, key: key)
            if case .open = found { try quota.require(tx, for: sender) }
            return found
        }
    }

    /// Transaction A: claims the sender's day in the group under a lease and records the keys of the objects that will be
    /// written.
    func claim(_ attempt: UploadAttempt, keys: (photo: ObjectKey, thumbnail: ObjectKey), id: PhotoID)
        async throws
        -> Result<UploadClaim, UploadRefusal>
    {
        try await byTrustedTime { verify, tx in
            let (group, sender) = (attempt.groupID, attempt.senderID)
            // The membership is locked, so that neither sender nor group is deleted before the rows that refer to them are
            // written.
            try groups.require(tx, group: group, user: sender, lock: true)
            try verify(try lockSlot(tx, group: group, sender: sender))
            // IS TRUE: see `decision`.
            // Triggers: photos_forget_objects, photos_log_removal, photos_record_erasure (migrations/schema.sql)
            try tx.execute(
                """
                DELETE FROM photos
                WHERE group_id = \(group) AND sender_id = \(sender) AND (lease_until <= now()) IS TRUE
                """)
            let before = try decision(tx, group: group, sender: sender, key: attempt.idempotencyKey)
            guard case .open = before else { return .failure(UploadRefusal(decision: before)) }
            guard try insertPending(tx, attempt, keys: keys, id: id) else {
                // The sender's time zone has changed since the decision, and the day in the new zone is used.
                let after = try decision(tx, group: group, sender: sender, key: attempt.idempotencyKey)
                return .failure(UploadRefusal(decision: after))
            }
            return .success(UploadClaim(photoID: id, photoKey: keys.photo, thumbnailKey: keys.thumbnail))
        }
    }

    /// Transaction B: makes the pending photo live if its lease, its objects and the sender's membership still exist.
    ///
    /// - Throws: `PhotoError.attemptLost`; `GroupError.notFound` if the sender is not a member any more;
    ///   `PostgresError.commitOutcomeUnknown`, after which the photo may be live, so nothing may be deleted.
    func accept(_ claim: UploadClaim, of attempt: UploadAttempt) async throws -> (photo: Photo, readAt: Date)
    {
        try await byTrustedTime { verify, tx in
            // Lock the group's row before the membership's, in the common order of locks: a trigger writes the group's next
            // event.
            try groups.requireLocked(tx, attempt.groupID)
            try groups.require(tx, group: attempt.groupID, user: attempt.senderID, lock: true)
            guard let accepted = try makeLive(tx, claim) else { throw PhotoError.attemptLost }
            try verify(try accepted.get("read_at"))
            let sentOn: PostgresDate = try accepted.get("sent_on")
            // The day never moves back: a restore may have marked a later day as used meanwhile.
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
            try notifications?.notify(
                tx, of: claim.photoID, to: attempt.groupID, by: attempt.senderID, lifetime: limits.lifetime)
            return (try Photo(row: accepted), try accepted.get("read_at"))
        }
    }

    /// Frees the day and makes the attempt's objects due. They are deleted at once and a second time later, because a late
    /// PUT may write one after the first deletion.
    func abandon(_ claim: UploadClaim) async throws {
        // Triggers: photos_forget_objects, photos_log_removal, photos_record_erasure (migrations/schema.sql)
        try await postgres.execute(
            "DELETE FROM photos WHERE id = \(claim.photoID) AND lease_until IS NOT NULL")
    }

    /// Writes the attempt's row for the sender's local day, and the keys of its objects. One statement checks the day and writes
    /// it, so both use the same time zone.
    ///
    /// - Returns: false if that day, or a later one, is used.
    private func insertPending(
        _ tx: PostgresTransaction, _ attempt: UploadAttempt, keys: (photo: ObjectKey, thumbnail: ObjectKey),
        id: PhotoID
    ) throws -> Bool {
        let objects = try tx.execute(
            """
            WITH pending AS (
                INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash,
                                    photo_key, thumbnail_key, fingerprint)
                SELECT \(id), s.group_id, u.id, local_day(now(), u.time_zone), now() + \(limits.leaseDuration),
                       \(attempt.width), \(attempt.height), \(attempt.thumbHash),
                       \(keys.photo.rawValue), \(keys.thumbnail.rawValue), \(attempt.fingerprint)::bytea
                FROM users u
                JOIN photo_slots s ON s.group_id = \(attempt.groupID) AND s.sender_id = u.id
                WHERE u.id = \(attempt.senderID)
                  AND (s.last_sent_on IS NULL OR s.last_sent_on < local_day(now(), u.time_zone))
                ON CONFLICT ON CONSTRAINT photos_one_per_day DO NOTHING
                RETURNING id, photo_key, thumbnail_key, lease_until
            )
            INSERT INTO stored_objects (key, photo_id, delete_after)
            SELECT key, id, lease_until FROM pending, unnest(ARRAY[photo_key, thumbnail_key]) AS o (key)
            """)
        return objects > 0
    }

    /// Makes a pending photo live if its lease has not expired and no sweeper has ever claimed one of its objects.
    ///
    /// A sweeper's claim sets `claimed_until`, and its second pass moves `delete_after`. In both cases the store may have
    /// deleted the object. The photo's and the objects' rows stay locked until COMMIT.
    ///
    /// - Returns: nil if one of the conditions does not hold.
    private func makeLive(_ tx: PostgresTransaction, _ claim: UploadClaim) throws -> PostgresRow? {
        // Triggers: photos_log_change, photos_record_early_end (migrations/schema.sql)
        try tx.first(
            """
            WITH attempt AS (
                SELECT id, lease_until FROM photos
                WHERE id = \(claim.photoID) AND lease_until > clock_timestamp()
                FOR UPDATE
            ), kept AS (
                UPDATE stored_objects o
                SET delete_after = now() + \(limits.lifetime)
                FROM attempt
                WHERE o.photo_id = attempt.id AND o.claimed_until IS NULL AND o.delete_after = attempt.lease_until
                RETURNING o.key
            )
            UPDATE photos p
            SET lease_until = NULL, created_at = now(), expires_at = now() + \(limits.lifetime)
            FROM attempt, users u
            WHERE p.id = attempt.id AND u.id = p.sender_id AND (SELECT count(*) FROM kept) = 2
            RETURNING p.sent_on, \(fragment: Photo.columns)
            """)
    }

    /// Runs a transaction that is rolled back if the database's clock cannot be trusted, so that a wrong clock does not use
    /// up a day.
    ///
    /// - Throws: `PhotoError.clocksDisagree`.
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
    private func lockSlot(_ tx: PostgresTransaction, group: GroupID, sender: UserID) throws -> Date {
        // The statement locks a row that is there already, even though it changes nothing of it.
        try tx.one(
            """
            WITH slot AS (
                INSERT INTO photo_slots (group_id, sender_id)
                VALUES (\(group), \(sender))
                ON CONFLICT (group_id, sender_id) DO UPDATE SET sender_id = excluded.sender_id WHERE false
            )
            SELECT now() AS now
            """
        ).get("now")
    }

    /// Decides by one statement, so by one snapshot: it sees all of an acceptance that commits meanwhile, or nothing of it.
    ///
    /// The end of a day is asked for only where there is one: PostgreSQL searches for that of NULL, too, which takes longer than all
    /// else here.
    ///
    /// IS TRUE hides the index on lease_until from the planner, which believes that hardly any upload is in progress: by that
    /// index each decision would read everybody's.
    private func decision(_ tx: PostgresTransaction, group: GroupID, sender: UserID, key: String?) throws
        -> UploadDecision
    {
        let row = try tx.first(
            """
            SELECT k.photo_id AS known_photo_id, p.fingerprint, p.id, p.group_id, p.sender_id, u.first_name AS sender_name, p.created_at,
                   p.expires_at, p.width, p.height, p.thumbhash, p.photo_key, p.thumbnail_key, now() AS read_at,
                   EXTRACT(EPOCH FROM pending.lease_until - now())::float8 AS lease_seconds,
                   CASE WHEN s.last_sent_on IS NOT NULL THEN end_of_local_day(s.last_sent_on, u.time_zone) END
                       AS next_send_at
            FROM users u
            LEFT JOIN upload_keys k
                ON k.group_id = \(group) AND k.sender_id = u.id AND k.key = \(key)::text
            LEFT JOIN photos p ON p.id = k.photo_id AND p.expires_at > now()
            LEFT JOIN photos pending
                ON pending.group_id = \(group) AND pending.sender_id = u.id
                AND (pending.lease_until > now()) IS TRUE
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

/// Why an upload could not claim its day.
struct UploadRefusal: Error {
    let decision: UploadDecision
}
