import Foundation
import ObjectStorage
import Postgres

/// Objects that one sweeper has taken to delete. `lease` names the claim: what another sweeper has taken over since
/// is not finished twice.
struct DeletionClaim: Sendable {
    let keys: [ObjectKey]
    let lease: Date
}

/// How far behind the ledger is.
package struct Backlog: Sendable {
    /// Objects due and not yet gone.
    package let dueObjects: Int
    /// How long the oldest of them has been due.
    package let lag: Duration
    /// The age of the oldest object that is still stored.
    package let oldestObjectAge: Duration
}

/// The ledger's end: what is due is claimed, deleted outside any transaction, and then struck off.
struct ForgettingStore: Sendable {
    let postgres: PostgresClient

    /// Makes the objects of uploads whose lease ran out due, and frees their days.
    ///
    /// - Returns: How many uploads were abandoned.
    func reapAbandonedUploads() async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM photos
            WHERE id IN (
                SELECT id FROM photos WHERE lease_until <= now() ORDER BY lease_until LIMIT 1000
                FOR UPDATE SKIP LOCKED
            )
            """)
    }

    /// Takes up to `limit` due objects, oldest first, that nobody else is at.
    func claimDueObjects(limit: Int, lease: Duration) async throws -> DeletionClaim? {
        let rows = try await postgres.query(
            """
            UPDATE stored_objects
            SET claimed_until = now() + make_interval(secs => \(lease.seconds))
            WHERE key IN (
                SELECT key FROM stored_objects
                WHERE delete_after <= now() AND (claimed_until IS NULL OR claimed_until <= now())
                ORDER BY delete_after
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            )
            RETURNING key, claimed_until
            """)
        guard let first = rows.first else { return nil }
        return DeletionClaim(
            keys: try rows.map { try ObjectKey($0.get("key") as String) },
            lease: try first.get("claimed_until"))
    }

    /// Strikes deleted objects off, or schedules their second deletion.
    ///
    /// - Returns: How many deletions this claim finished.
    func finish(_ keys: [ObjectKey], of claim: DeletionClaim, secondPassAfter delay: Duration) async throws
        -> Int
    {
        let names = keys.map(\.rawValue)
        return try await postgres.transaction { tx in
            let again = try tx.execute(
                """
                UPDATE stored_objects
                SET passes = passes - 1, claimed_until = NULL, failures = 0,
                    delete_after = now() + make_interval(secs => \(delay.seconds))
                WHERE key = ANY(\(names)) AND claimed_until = \(claim.lease) AND passes > 1
                """)
            let gone = try tx.execute(
                "DELETE FROM stored_objects WHERE key = ANY(\(names)) AND claimed_until = \(claim.lease)")
            return again + gone
        }
    }

    /// Puts failed objects back, to be tried again after a pause that doubles up to a minute.
    func release(_ keys: [ObjectKey], of claim: DeletionClaim) async throws {
        let names = keys.map(\.rawValue)
        try await postgres.execute(
            """
            UPDATE stored_objects
            SET failures = failures + 1,
                claimed_until = now() + make_interval(secs => LEAST(60, 2 ^ LEAST(failures, 6))::float8)
            WHERE key = ANY(\(names)) AND claimed_until = \(claim.lease)
            """)
    }

    /// Deletes the rows of expired photos whose objects are all gone.
    func deleteForgottenPhotos() async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM photos p
            WHERE p.expires_at <= now()
              AND NOT EXISTS (SELECT FROM stored_objects o WHERE o.photo_id = p.id)
            """)
    }

    /// Upload keys answer late retries for `age`; then they are forgotten too.
    func deleteUploadKeys(olderThan age: Duration) async throws {
        try await postgres.execute(
            "DELETE FROM upload_keys WHERE created_at < now() - make_interval(secs => \(age.seconds))")
    }

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
        guard let row else { return Backlog(dueObjects: 0, lag: .zero, oldestObjectAge: .zero) }
        let lag: Double = try row.get("lag")
        let oldest: Double = try row.get("oldest")
        return Backlog(
            dueObjects: try row.get("due"), lag: .milliseconds(Int64(lag * 1000)),
            oldestObjectAge: .milliseconds(Int64(oldest * 1000)))
    }

    /// How many expired photos and abandoned uploads a sweep would forget now.
    func due() async throws -> (photos: Int, abandonedUploads: Int, objects: Int) {
        let row = try await postgres.first(
            """
            SELECT (SELECT count(*) FROM photos WHERE expires_at <= now()) AS photos,
                   (SELECT count(*) FROM photos WHERE lease_until <= now()) AS abandoned,
                   (SELECT count(*) FROM stored_objects WHERE delete_after <= now()) AS objects
            """)
        guard let row else { return (0, 0, 0) }
        return (try row.get("photos"), try row.get("abandoned"), try row.get("objects"))
    }
}
