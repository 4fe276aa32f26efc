import FeatureKit
import Foundation
import Groups
import ObjectStorage
import Postgres

/// A batch of objects leased to one sweeper. After the lease expires another sweeper may take it over; finishing the old
/// claim then has no effect.
struct DeletionClaim: Sendable {
    /// Objects of different kinds are claimed separately, so that objects which fail repeatedly do not delay others.
    enum Kind: Sendable {
        /// Objects that no sweeper has claimed before.
        case fresh
        /// Objects that the store did not delete, or whose sweeper was killed.
        case triedBefore
    }

    struct Object: Sendable {
        let key: ObjectKey
        let photo: PhotoID
        /// Whether a late PUT may write the object again, so that it is deleted a second time.
        let needsSecondPass: Bool
    }

    let id: UUID
    let kind: Kind
    let objects: [Object]
    /// The database's time at the claim, at which the objects were due.
    let claimedAt: Date

    var keys: [ObjectKey] { objects.map(\.key) }
}

extension DeletionClaim {
    /// Nil if there are no rows.
    fileprivate init?(id: UUID, _ kind: Kind, rows: [PostgresRow]) throws {
        guard let first = rows.first else { return nil }
        self.id = id
        self.kind = kind
        claimedAt = try first.get("claimed_at")
        objects = try rows.map { row in
            Object(
                key: try ObjectKey(row.get("key") as String), photo: try row.get("photo_id"),
                needsSecondPass: try row.get("needs_second_pass"))
        }
    }
}

/// The recorded deletion of a claim's objects.
struct DeletedObjects: Sendable {
    /// The photos whose objects were removed from the ledger.
    var photos: Set<PhotoID> = []
    /// For each object that was deleted for the first time: the seconds between its due time and its deletion.
    var lateness: [Double] = []
    /// The number of objects that are not due any more. Unlike `count` it includes second deletions.
    var finished = 0

    /// The number of objects that were deleted for the first time.
    var count: Int { lateness.count }
}

/// The backlog of the ledger.
package struct Backlog: Sendable, Codable, Equatable {
    /// The number of objects that are due and not deleted.
    package var dueObjects: Int
    /// The seconds for which the oldest of them has been due.
    package let lagSeconds: Double
    /// The age of the oldest stored object, in seconds.
    package let oldestObjectSeconds: Double

    enum CodingKeys: String, CodingKey {
        case dueObjects = "due_objects"
        case lagSeconds = "lag_seconds"
        case oldestObjectSeconds = "oldest_object_seconds"
    }

    package init(dueObjects: Int, lagSeconds: Double, oldestObjectSeconds: Double) {
        self.dueObjects = dueObjects
        self.lagSeconds = lagSeconds
        self.oldestObjectSeconds = oldestObjectSeconds
    }
}

/// SQL that claims due objects and removes them from the ledger. The objects are deleted between the two, outside any
/// transaction. Every statement is bounded, so that no lock is held for long, however large the backlog is.
struct ForgettingStore: Sendable {
    /// The largest number of rows that one statement changes, apart from claims.
    static let statementLimit = 1000

    let postgres: PostgresClient
    let groups: GroupMembership

    init(postgres: PostgresClient) {
        self.postgres = postgres
        self.groups = GroupMembership(postgres: postgres)
    }

    // MARK: - Uploads

    /// Deletes uploads whose lease has expired. Their objects become due, and their days are free again.
    ///
    /// - Returns: the number of uploads.
    func deleteAbandonedUploads() async throws -> Int {
        // Triggers: photos_forget_objects, photos_log_removal, photos_record_erasure (migrations/schema.sql)
        try await postgres.executeInBatches(of: Self.statementLimit) { batch in
            """
            DELETE FROM photos
            WHERE id IN (
                SELECT id FROM photos WHERE lease_until <= now() ORDER BY lease_until LIMIT \(batch)
                FOR UPDATE SKIP LOCKED
            )
            """
        }
    }

    /// Deletes idempotency keys, which answer late retries until they have that age.
    ///
    /// - Returns: the number of keys.
    func deleteUploadKeys(olderThan age: Duration) async throws -> Int {
        try await postgres.executeInBatches(of: Self.statementLimit) { batch in
            """
            DELETE FROM upload_keys
            WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM upload_keys
                WHERE created_at < now() - \(age)
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED
            ))
            """
        }
    }

    // MARK: - Objects

    /// Claims up to `limit` due objects of a kind that no other sweeper has claimed, oldest first.
    ///
    /// - Parameter putsLandWithin: how long after the row was written a PUT may still write the object. An upload may abandon
    ///   a slow PUT, repeat it and be accepted. If the object is deleted before the slow PUT lands, it is deleted a second
    ///   time.
    func claimDueObjects(
        _ kind: DeletionClaim.Kind = .fresh, limit: Int, lease: Duration, putsLandWithin: Duration = .zero
    ) async throws -> DeletionClaim? {
        let id = UUID.version7()
        // No lease and no pause lasts longer than a minute. A later time was written while the clock was wrong.
        let isUnclaimed: SQL =
            switch kind {
            case .fresh: "claimed_until IS NULL"
            case .triedBefore: "(claimed_until <= now() OR claimed_until > now() + interval '5 minutes')"
            }
        // Select by ctid: with a thousand keys the planner would read the whole ledger.
        let rows = try await postgres.query(
            """
            UPDATE stored_objects
            SET claimed_until = now() + \(lease), claimed_by = \(id)
            WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM stored_objects
                WHERE delete_after <= now() AND \(fragment: isUnclaimed)
                ORDER BY delete_after
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            ))
            RETURNING \(fragment: Self.claimed(putsLandWithin: putsLandWithin))
            """)
        return try DeletionClaim(id: id, kind, rows: rows)
    }

    /// Undoes a claim whose objects were not touched. Any sweeper may claim them at once. It does not write the database's
    /// time, which is not trusted at the moment.
    func undo(_ claim: DeletionClaim) async throws {
        let until: SQL = claim.kind == .fresh ? "NULL" : "'epoch'"
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET claimed_until = \(fragment: until), claimed_by = NULL
            WHERE key = ANY(\(claim.keys.map(\.rawValue))) AND claimed_by = \(claim.id)
            """)
    }

    /// Makes the objects of a photo due and claims them, in the transaction that ends the photo. No sweeper can have claimed
    /// them, because they were not due before.
    static func claimObjects(
        _ tx: PostgresTransaction, of photo: PhotoID, lease: Duration, putsLandWithin: Duration
    ) throws -> DeletionClaim? {
        let id = UUID.version7()
        let rows = try tx.query(
            """
            UPDATE stored_objects
            SET delete_after = now(), claimed_until = now() + \(lease),
                claimed_by = \(id)
            WHERE photo_id = \(photo)
            RETURNING \(fragment: claimed(putsLandWithin: putsLandWithin))
            """)
        return try DeletionClaim(id: id, .fresh, rows: rows)
    }

    /// The columns of a claimed object.
    private static func claimed(putsLandWithin: Duration) -> SQL {
        """
        key, photo_id, passes > 1 OR delete_after < created_at + \(putsLandWithin)
            AS needs_second_pass, now() AS claimed_at
        """
    }

    /// Extends the lease.
    func renew(_ claim: DeletionClaim, for lease: Duration) async throws {
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET claimed_until = now() + \(lease)
            WHERE key = ANY(\(claim.keys.map(\.rawValue))) AND claimed_by = \(claim.id)
            """)
    }

    /// Removes deleted objects from the ledger, or schedules their second deletion. An object is counted at its first deletion
    /// only: the statement that records it also marks the row.
    func recordDeletion(
        of objects: [DeletionClaim.Object], _ claim: DeletionClaim, secondPassAfter delay: Duration
    ) async throws -> DeletedObjects {
        // Two statements: if the process is killed in between, the other objects are deleted again.
        var deleted = DeletedObjects()
        let again = objects.filter(\.needsSecondPass).map(\.key.rawValue)
        if !again.isEmpty { try await scheduleSecondPass(of: again, claim, after: delay, &deleted) }
        try await deleteEntries(of: objects.filter { !$0.needsSecondPass }, claim, &deleted)
        return deleted
    }

    private func scheduleSecondPass(
        of keys: [String], _ claim: DeletionClaim, after delay: Duration, _ deleted: inout DeletedObjects
    ) async throws {
        let rows = try await postgres.query(
            """
            WITH before AS (
                SELECT key, deleted_once, EXTRACT(EPOCH FROM now() - delete_after)::float8 AS lateness
                FROM stored_objects
                WHERE key = ANY(\(keys)) AND claimed_by = \(claim.id)
                FOR UPDATE
            )
            UPDATE stored_objects o
            SET passes = GREATEST(passes - 1, 1), deleted_once = true, claimed_until = NULL, claimed_by = NULL,
                failures = 0, delete_after = now() + \(delay)
            FROM before
            WHERE o.key = before.key
            RETURNING before.deleted_once, before.lateness
            """)
        for row in rows {
            deleted.finished += 1
            if try !row.get("deleted_once") { deleted.lateness.append(try row.get("lateness")) }
        }
    }

    private func deleteEntries(
        of objects: [DeletionClaim.Object], _ claim: DeletionClaim, _ deleted: inout DeletedObjects
    ) async throws {
        guard !objects.isEmpty else { return }
        let keys = Set(objects.map(\.key))
        let kept = claim.keys.filter { !keys.contains($0) }
        // The photos find the entries: photos that expire together are neighbours in the index of their ids. Keys are random,
        // so that the look-up of each would read another page.
        // If an upload was abandoned since the claim, its objects have passes = 2 and stay for another claim.
        // The ids come from a subquery: if the planner knew their number, it would read the whole ledger.
        let rows = try await postgres.query(
            """
            WITH gone AS (
                DELETE FROM stored_objects
                WHERE photo_id = ANY(ARRAY(SELECT unnest(\(objects.map(\.photo))::uuid[])))
                  AND claimed_by = \(claim.id) AND passes = 1 AND key <> ALL(\(kept.map(\.rawValue)))
                RETURNING photo_id, delete_after, deleted_once
            )
            SELECT photo_id, deleted_once, EXTRACT(EPOCH FROM now() - delete_after)::float8 AS lateness,
                count(*) AS objects
            FROM gone
            GROUP BY photo_id, delete_after, deleted_once
            """)
        for row in rows {
            deleted.photos.insert(try row.get("photo_id"))
            let objects: Int = try row.get("objects")
            deleted.finished += objects
            if try !row.get("deleted_once") {
                deleted.lateness += Array(repeating: try row.get("lateness"), count: objects)
            }
        }
    }

    /// Returns objects that the store did not delete. Each is tried again after a pause that doubles with every failure, up to
    /// a minute.
    func release(_ keys: [ObjectKey], of claim: DeletionClaim) async throws {
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET failures = failures + 1, claimed_by = NULL,
                claimed_until = now()
                    + make_interval(secs => LEAST(60, 2 ^ LEAST(failures, 6)) * (0.75 + 0.25 * random()))
            WHERE key = ANY(\(keys.map(\.rawValue))) AND claimed_by = \(claim.id)
            """)
    }

    /// Returns a claim after the store failed. Any sweeper may claim the objects at once. They stay marked as tried, so that no
    /// upload is accepted with them: the store may still carry out the deletion.
    func putBack(_ claim: DeletionClaim) async throws {
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET claimed_until = now(), claimed_by = NULL
            WHERE key = ANY(\(claim.keys.map(\.rawValue))) AND claimed_by = \(claim.id)
            """)
    }

    // MARK: - Photos

    /// The objects of the photo `p`, for EXISTS. OFFSET 0 keeps the planner from considering a join of the whole tables, for
    /// which it would read the ends of their indexes, where the rows of past sweeps stand until a VACUUM.
    private static let objectsOfPhoto: SQL = "SELECT FROM stored_objects o WHERE o.photo_id = p.id OFFSET 0"

    /// Expired photos without objects, oldest first: a sweeper was killed before it deleted the rows, or two sweepers had an
    /// object each.
    func photosWithoutObjects(limit: Int = statementLimit) async throws -> [PhotoID] {
        let rows = try await postgres.query(
            """
            SELECT p.id
            FROM photos p
            WHERE p.expires_at <= now()
              AND NOT EXISTS (\(fragment: Self.objectsOfPhoto))
            ORDER BY p.expires_at
            LIMIT \(limit)
            """)
        return try rows.map { try $0.get("id") }
    }

    /// Deletes the rows of photos that have expired and whose objects are all gone. The rows of expired photos are deleted
    /// here only, apart from deletions of groups and accounts.
    ///
    /// - Parameter failures: gets the error of each photo that cannot be deleted. It keeps no other one.
    /// - Returns: the number of deleted rows. A photo whose expiry is not in the group's log is left to the next sweep if
    ///   another transaction has locked the group's row.
    func deletePhotos(_ photos: [PhotoID], _ failures: inout [any Error]) async throws -> Int {
        guard !photos.isEmpty else { return 0 }
        do {
            return try await deletePhotos(photos)
        } catch let error where error.isOfRows {
            guard photos.count > 1 else {
                failures.append(error)
                return 0
            }
            let middle = photos.count / 2
            let first = try await deletePhotos(Array(photos[..<middle]), &failures)
            return first + (try await deletePhotos(Array(photos[middle...]), &failures))
        }
    }

    private func deletePhotos(_ photos: [PhotoID]) async throws -> Int {
        // A subquery, as in `deleteEntries`. IS TRUE hides the index on expires_at from the planner, which believes that few
        // photos have expired: by that index every batch would read the whole backlog.
        let isDeletable: SQL = """
            p.id = ANY(ARRAY(SELECT unnest(\(photos)::uuid[]))) AND (p.expires_at <= now()) IS TRUE
            AND NOT EXISTS (\(fragment: Self.objectsOfPhoto))
            """
        // Triggers: photos_forget_objects, photos_log_removal, photos_record_erasure (migrations/schema.sql)
        let logged = try await postgres.execute(
            "DELETE FROM photos p WHERE \(fragment: isDeletable) AND p.removal_logged")
        guard logged < photos.count else { return logged }
        // The trigger locks the group's row to write the event. Lock all these rows in one order, before the photos' rows.
        let unlogged: [GroupID] = try await postgres.query(
            "SELECT DISTINCT p.group_id FROM photos p WHERE \(fragment: isDeletable) AND NOT p.removal_logged"
        ).map { try $0.get("group_id") }
        guard !unlogged.isEmpty else { return logged }
        return logged
            + (try await postgres.transaction { tx in
                let locked = try groups.lockFree(tx, among: unlogged)
                // Triggers: photos_forget_objects, photos_log_removal, photos_record_erasure (migrations/schema.sql)
                return try tx.execute(
                    "DELETE FROM photos p WHERE \(fragment: isDeletable) AND p.group_id = ANY(\(locked))")
            })
    }

    // MARK: - Backlog

    func backlog() async throws -> Backlog {
        let row = try await postgres.first(
            """
            SELECT (SELECT count(*) FROM stored_objects WHERE delete_after <= now()) AS due,
                   COALESCE(EXTRACT(EPOCH FROM now() - (
                       SELECT min(delete_after) FROM stored_objects WHERE delete_after <= now()
                   )), 0)::float8 AS lag,
                   COALESCE(EXTRACT(EPOCH FROM now() - (
                       SELECT min(created_at) FROM stored_objects
                   )), 0)::float8 AS oldest
            """)
        guard let row else { return Backlog(dueObjects: 0, lagSeconds: 0, oldestObjectSeconds: 0) }
        return Backlog(
            dueObjects: try row.get("due"), lagSeconds: try row.get("lag"),
            oldestObjectSeconds: try row.get("oldest"))
    }

    /// The number of due objects whose deletion has failed before.
    func waitingObjects() async throws -> Int {
        try await postgres.first(
            "SELECT count(*) AS count FROM stored_objects WHERE delete_after <= now() AND failures > 0"
        )?.get("count") ?? 0
    }

    /// The numbers of objects, expired photos and abandoned uploads that a sweep would report now. Second deletions do not
    /// count.
    func due() async throws -> (objects: Int, photos: Int, abandonedUploads: Int) {
        let row = try await postgres.first(
            """
            SELECT (
                       SELECT count(*) FROM stored_objects WHERE delete_after <= now() AND NOT deleted_once
                   ) AS objects,
                   (SELECT count(*) FROM photos WHERE expires_at <= now()) AS photos,
                   (SELECT count(*) FROM photos WHERE lease_until <= now()) AS abandoned
            """)
        guard let row else { return (0, 0, 0) }
        return (try row.get("objects"), try row.get("photos"), try row.get("abandoned"))
    }
}
