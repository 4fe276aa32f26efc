import FeatureKit
import Foundation
import Groups
import ObjectStorage
import Postgres

/// Objects that one sweeper has taken to delete. What another sweeper has taken over since is not finished twice.
struct DeletionClaim: Sendable {
    /// What is claimed together. Apart, so that what goes wrong again and again delays nothing else.
    enum Kind: Sendable {
        /// Objects that nobody has tried to delete.
        case fresh
        /// Objects that the store has kept, or whose sweeper was killed while it was at them.
        case triedBefore
    }

    struct Object: Sendable {
        let key: ObjectKey
        /// A PUT may yet land: deleted now and once more.
        let needsSecondPass: Bool
    }

    let id: UUID
    let kind: Kind
    let objects: [Object]
    /// The database's time, by which the objects were due.
    let claimedAt: Date

    var keys: [ObjectKey] { objects.map(\.key) }
}

extension DeletionClaim {
    /// Nil without rows.
    fileprivate init?(id: UUID, _ kind: Kind, rows: [PostgresRow]) throws {
        guard let first = rows.first else { return nil }
        self.id = id
        self.kind = kind
        claimedAt = try first.get("claimed_at")
        objects = try rows.map { row in
            Object(
                key: try ObjectKey(row.get("key") as String),
                needsSecondPass: try row.get("needs_second_pass"))
        }
    }
}

/// What a claim brought to its end.
struct StruckObjects: Sendable {
    /// The photos whose objects left the ledger.
    var photos: Set<PhotoID> = []
    /// How long after it was due each object was deleted for the first time, in seconds.
    var lateness: [Double] = []
    /// Objects that are not due any more. A second deletion is included, though `count` leaves it out.
    var settled = 0

    /// Objects that were deleted for the first time.
    var count: Int { lateness.count }
}

/// How far behind the ledger is.
package struct Backlog: Sendable, Codable, Equatable {
    /// Objects due and not yet gone.
    package var dueObjects: Int
    /// How long the oldest of them has been due.
    package let lagSeconds: Double
    /// The age of the oldest object that is still stored.
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

/// The ledger's end: what is due is claimed, deleted outside any transaction, and then struck off. Every statement is
/// bounded, so that a backlog of any size holds no lock for long.
struct ForgettingStore: Sendable {
    /// The rows that one statement takes at most, where it takes no claim.
    static let statementLimit = 1000

    let postgres: PostgresClient
    let groups: GroupStore

    init(postgres: PostgresClient) {
        self.postgres = postgres
        self.groups = GroupStore(postgres: postgres)
    }

    // MARK: - Uploads

    /// Makes the objects of uploads whose lease ran out due, and frees their days.
    ///
    /// - Returns: How many uploads were abandoned; fewer than `statementLimit` when there are no more.
    func reapAbandonedUploads() async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM photos
            WHERE id IN (
                SELECT id FROM photos WHERE lease_until <= now() ORDER BY lease_until LIMIT \(Self.statementLimit)
                FOR UPDATE SKIP LOCKED
            )
            """)
    }

    /// Upload keys answer late retries for `age`; then they are forgotten too.
    ///
    /// - Returns: How many were deleted; fewer than `statementLimit` when there are no more.
    func deleteUploadKeys(olderThan age: Duration) async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM upload_keys
            WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM upload_keys
                WHERE created_at < now() - make_interval(secs => \(age.seconds))
                LIMIT \(Self.statementLimit)
                FOR UPDATE SKIP LOCKED
            ))
            """)
    }

    // MARK: - Objects

    /// Takes up to `limit` due objects of a kind, oldest first, that nobody else is at.
    ///
    /// - Parameter putsLandWithin: How long after its row was written an object's PUT may still land. An upload gives a
    ///   slow PUT up, makes another one and is accepted: what is deleted before the first of them has landed is deleted
    ///   once more.
    func claimDueObjects(
        _ kind: DeletionClaim.Kind = .fresh, limit: Int, lease: Duration, putsLandWithin: Duration = .zero
    ) async throws -> DeletionClaim? {
        let id = UUID.version7()
        let isUnclaimed: SQL =
            switch kind {
            case .fresh: "claimed_until IS NULL"
            case .triedBefore: "claimed_until <= now()"
            }
        // By place, not by key: the planner would rather read the whole ledger than look a thousand keys up.
        let rows = try await postgres.query(
            """
            UPDATE stored_objects
            SET claimed_until = now() + make_interval(secs => \(lease.seconds)), claimed_by = \(id)
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

    /// Undoes a claim that nothing was done under. No time is written that the database's clock, which is not to be
    /// trusted now, would name: any sweeper may take the objects at once.
    func undo(_ claim: DeletionClaim) async throws {
        let until: SQL = claim.kind == .fresh ? "NULL" : "'epoch'"
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET claimed_until = \(fragment: until), claimed_by = NULL
            WHERE key = ANY(\(claim.keys.map(\.rawValue))) AND claimed_by = \(claim.id)
            """)
    }

    /// Makes the objects of a living photo due and takes them, in the transaction that ends the photo. They were not
    /// due before, so no sweeper has claimed them.
    static func claimObjects(
        of photo: PhotoID, in tx: PostgresTransaction, lease: Duration, putsLandWithin: Duration
    ) throws -> DeletionClaim? {
        let id = UUID.version7()
        let rows = try tx.query(
            """
            UPDATE stored_objects
            SET delete_after = now(), claimed_until = now() + make_interval(secs => \(lease.seconds)),
                claimed_by = \(id)
            WHERE photo_id = \(photo)
            RETURNING \(fragment: claimed(putsLandWithin: putsLandWithin))
            """)
        return try DeletionClaim(id: id, .fresh, rows: rows)
    }

    /// An object as a claim returns it.
    private static func claimed(putsLandWithin: Duration) -> SQL {
        """
        key, passes > 1 OR delete_after < created_at + make_interval(secs => \(putsLandWithin.seconds))
            AS needs_second_pass, now() AS claimed_at
        """
    }

    /// Keeps other sweepers off for another while.
    func renew(_ claim: DeletionClaim, for lease: Duration) async throws {
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET claimed_until = now() + make_interval(secs => \(lease.seconds))
            WHERE key = ANY(\(claim.keys.map(\.rawValue))) AND claimed_by = \(claim.id)
            """)
    }

    /// Strikes deleted objects off, or schedules their second deletion. Each object counts at its first deletion, here
    /// and nowhere else: the row notes it in the same statement, whoever deletes the object how often.
    func strike(
        _ gone: [DeletionClaim.Object], of claim: DeletionClaim, secondPassAfter delay: Duration
    ) async throws -> StruckObjects {
        // Each in a statement of its own: what is killed between the two is deleted once more.
        var struck = StruckObjects()
        let again = gone.filter(\.needsSecondPass).map(\.key.rawValue)
        if !again.isEmpty { try await scheduleSecondPass(of: again, claim, after: delay, &struck) }
        try await strikeOff(gone.filter { !$0.needsSecondPass }.map(\.key.rawValue), claim, &struck)
        return struck
    }

    private func scheduleSecondPass(
        of keys: [String], _ claim: DeletionClaim, after delay: Duration, _ struck: inout StruckObjects
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
                failures = 0, delete_after = now() + make_interval(secs => \(delay.seconds))
            FROM before
            WHERE o.key = before.key
            RETURNING before.deleted_once, before.lateness
            """)
        for row in rows {
            struck.settled += 1
            if try !row.get("deleted_once") { struck.lateness.append(try row.get("lateness")) }
        }
    }

    private func strikeOff(_ keys: [String], _ claim: DeletionClaim, _ struck: inout StruckObjects)
        async throws
    {
        // An upload that was abandoned since the claim asks for a second pass: its next claim knows.
        // The keys by way of a query: told how many they are, the planner would rather read the whole ledger.
        let rows = try await postgres.query(
            """
            WITH gone AS (
                DELETE FROM stored_objects
                WHERE key = ANY(ARRAY(SELECT unnest(\(keys)::text[]))) AND claimed_by = \(claim.id) AND passes = 1
                RETURNING photo_id, delete_after, deleted_once
            )
            SELECT photo_id, deleted_once, EXTRACT(EPOCH FROM now() - delete_after)::float8 AS lateness,
                count(*) AS objects
            FROM gone
            GROUP BY photo_id, delete_after, deleted_once
            """)
        for row in rows {
            struck.photos.insert(try row.get("photo_id"))
            let objects: Int = try row.get("objects")
            struck.settled += objects
            if try !row.get("deleted_once") {
                struck.lateness += Array(repeating: try row.get("lateness"), count: objects)
            }
        }
    }

    /// Puts objects back that the store kept, each to be tried again after a pause of its own that doubles up to a
    /// minute.
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

    /// Puts a claim back, for a store that does not answer: any sweeper may take it at once. It stays marked as tried,
    /// because a deletion may yet take effect: no upload is accepted with it any more.
    func putBack(_ claim: DeletionClaim) async throws {
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET claimed_until = now(), claimed_by = NULL
            WHERE key = ANY(\(claim.keys.map(\.rawValue))) AND claimed_by = \(claim.id)
            """)
    }

    // MARK: - Photos

    /// Expired photos without objects, oldest first: a sweeper was killed between objects and rows, or two of them
    /// had an object each.
    func photosWithoutObjects(limit: Int = statementLimit) async throws -> Set<PhotoID> {
        let rows = try await postgres.query(
            """
            SELECT p.id
            FROM photos p
            WHERE p.expires_at <= now()
              AND NOT EXISTS (SELECT FROM stored_objects o WHERE o.photo_id = p.id)
            ORDER BY p.expires_at
            LIMIT \(limit)
            """)
        return Set(try rows.map { try $0.get("id") as PhotoID })
    }

    /// Deletes the rows of those photos that are expired and whose objects are all gone. The one place where an
    /// expired photo's row goes.
    ///
    /// - Returns: How many it deleted. Those whose group somebody is busy with, who has yet to be told that they are
    ///   gone, are left to the next sweep.
    func forgetPhotos(_ photos: Set<PhotoID>) async throws -> Int {
        guard !photos.isEmpty else { return 0 }
        let photos = Array(photos)
        // By way of a query, as in `strike`.
        let isForgettable: SQL = """
            p.id = ANY(ARRAY(SELECT unnest(\(photos)::uuid[]))) AND p.expires_at <= now()
            AND NOT EXISTS (SELECT FROM stored_objects o WHERE o.photo_id = p.id)
            """
        let told = try await postgres.execute(
            "DELETE FROM photos p WHERE \(fragment: isForgettable) AND p.removal_logged")
        guard told < photos.count else { return told }
        // Telling a group takes its row: all of them in one order, and before the photos' rows.
        let untold: [GroupID] = try await postgres.query(
            "SELECT DISTINCT p.group_id FROM photos p WHERE \(fragment: isForgettable) AND NOT p.removal_logged"
        ).map { try $0.get("group_id") }
        guard !untold.isEmpty else { return told }
        return told
            + (try await postgres.transaction { tx in
                let held = try groups.lockFree(tx, among: untold)
                return try tx.execute(
                    "DELETE FROM photos p WHERE \(fragment: isForgettable) AND p.group_id = ANY(\(held))")
            })
    }

    // MARK: - How things stand

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

    /// How many objects, expired photos and abandoned uploads a sweep would report now. Second deletions do not count.
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
