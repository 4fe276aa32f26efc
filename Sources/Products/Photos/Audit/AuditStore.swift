import FeatureKit
import Foundation
import ObjectStorage
import Postgres

/// An object of the ledger.
struct LedgerEntry: Sendable {
    let key: String
    let photoID: PhotoID
    /// Whether members can see the object's photo.
    let isAlive: Bool
    /// Whether the object has been due for more than five minutes.
    let isOverdue: Bool
}

/// The position of an audit.
struct AuditPosition: Sendable {
    var lastKey = ""
    var continuation: String?
    var report = AuditReport()
}

/// The SQL of audits.
struct AuditStore: Sendable {
    static let lease: Duration = .seconds(90)
    /// No photo has this id. It stands in the rows that orphans get.
    private static let noPhoto = PhotoID(
        rawValue: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

    let postgres: PostgresClient
    /// The name of the row in `audit_runs`.
    let name: String

    // MARK: - The run

    /// Claims the audit for `holder`, at its beginning or at the position of an interruption. At its beginning the report has
    /// only the doubt of the last audit, so that several audits together hide no more photos than one.
    ///
    /// - Throws: `AuditFailure.underWay`.
    func begin(holder: UUID, resume: Bool) async throws -> AuditPosition {
        let row = try await postgres.first(
            """
            INSERT INTO audit_runs AS run (name, holder, lease_until, started_at)
            VALUES (\(name), \(holder), now() + \(Self.lease), now())
            ON CONFLICT (name) DO UPDATE SET
                holder = excluded.holder, lease_until = excluded.lease_until,
                started_at = CASE WHEN \(resume) THEN COALESCE(run.started_at, now()) ELSE now() END,
                last_key = CASE WHEN \(resume) AND run.started_at IS NOT NULL THEN run.last_key ELSE '' END,
                continuation = CASE WHEN \(resume) AND run.started_at IS NOT NULL THEN run.continuation END,
                report = CASE WHEN \(resume) OR run.started_at IS NULL THEN run.report END
            WHERE run.lease_until IS NULL OR run.lease_until <= now()
            RETURNING last_key, continuation, report
            """)
        guard let row else { throw AuditFailure.underWay }
        let last = try Self.report(row.get("report"))
        var report = last ?? AuditReport()
        if report.isComplete {
            report = AuditReport()
            report.doubt = last?.doubt
        }
        return AuditPosition(
            lastKey: try row.get("last_key"), continuation: try row.get("continuation"), report: report)
    }

    /// - Throws: `AuditFailure.takenOver`.
    func renew(holder: UUID) async throws {
        let renewed = try await postgres.execute(
            """
            UPDATE audit_runs SET lease_until = now() + \(Self.lease)
            WHERE name = \(name) AND holder = \(holder)
            """)
        guard renewed == 1 else { throw AuditFailure.takenOver }
    }

    /// - Throws: `AuditFailure.takenOver`.
    func save(_ position: AuditPosition, holder: UUID) async throws {
        let saved = try await postgres.execute(
            """
            UPDATE audit_runs
            SET last_key = \(position.lastKey), continuation = \(position.continuation),
                report = \(try Self.text(position.report)),
                lease_until = now() + \(Self.lease)
            WHERE name = \(name) AND holder = \(holder)
            """)
        guard saved == 1 else { throw AuditFailure.takenOver }
    }

    /// Releases an audit that is to be resumed later.
    func release(holder: UUID) async throws {
        try await postgres.execute(
            "UPDATE audit_runs SET lease_until = NULL WHERE name = \(name) AND holder = \(holder)")
    }

    func finish(_ report: AuditReport, holder: UUID, nextAfter pause: Duration?) async throws {
        try await postgres.execute(
            """
            UPDATE audit_runs
            SET started_at = NULL, last_key = '', continuation = NULL, lease_until = NULL, finished_at = now(),
                report = \(try Self.text(report)),
                next_run_at = now() + \(pause)::interval
            WHERE name = \(name) AND holder = \(holder)
            """)
        try await postgres.execute("DELETE FROM orphan_sightings WHERE seen_at < now() - interval '2 days'")
    }

    struct Schedule: Sendable {
        /// Also after an interruption.
        var isDue = true
        /// How long ago the last complete audit ended.
        var lastComplete: Duration?
        /// Its report; nil while the next one is under way.
        var lastReport: AuditReport?
    }

    func schedule() async throws -> Schedule {
        let row = try await postgres.first(
            """
            SELECT (lease_until IS NULL OR lease_until <= now())
                    AND (started_at IS NOT NULL OR next_run_at IS NULL OR next_run_at <= now()) AS is_due,
                EXTRACT(EPOCH FROM now() - finished_at)::float8 AS last_complete,
                CASE WHEN started_at IS NULL THEN report END AS last_report
            FROM audit_runs
            WHERE name = \(name)
            """)
        guard let row else { return Schedule() }
        return Schedule(
            isDue: try row.get("is_due"),
            lastComplete: try row.get("last_complete", as: Double?.self).map(Duration.seconds),
            lastReport: try Self.report(row.get("last_report")))
    }

    private static func report(_ text: String?) -> AuditReport? {
        text.flatMap { try? JSONDecoder().decode(AuditReport.self, from: Data($0.utf8)) }
    }

    private static func text(_ report: AuditReport) throws -> String {
        String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    }

    // MARK: - The ledger

    /// The entries of the ledger after `key` up to `end`, in the order of the keys' bytes.
    func ledger(after key: String, through end: String?, limit: Int) async throws -> [LedgerEntry] {
        let upTo: SQL = end.map { "AND o.key <= \($0) COLLATE \"C\"" } ?? ""
        return try await postgres.query(
            """
            SELECT o.key, o.photo_id, p.id IS NOT NULL AS is_alive,
                o.delete_after < now() - interval '5 minutes' AS is_overdue
            FROM stored_objects o
            LEFT JOIN photos p ON p.id = o.photo_id AND p.expires_at > now() AND o.delete_after > now()
            WHERE o.key > \(key) COLLATE "C" \(fragment: upTo)
            ORDER BY o.key
            LIMIT \(limit)
            """
        ).map { row in
            LedgerEntry(
                key: try row.get("key"), photoID: try row.get("photo_id"), isAlive: try row.get("is_alive"),
                isOverdue: try row.get("is_overdue"))
        }
    }

    /// The photos and uploads whose deletion is late: their number, and the first of them.
    func overdue() async throws -> [(kind: AuditFinding.Kind, count: Int, first: [String])] {
        let late: [(AuditFinding.Kind, SQL)] = [
            (.overduePhoto, "FROM photos WHERE expires_at < now() - interval '5 minutes'"),
            (.overdueUpload, "FROM photos WHERE lease_until < now() - interval '5 minutes'"),
        ]
        var found: [(AuditFinding.Kind, Int, [String])] = []
        for (kind, rows) in late {
            let first: [String] = try await postgres.query(
                "SELECT id::text AS id \(fragment: rows) ORDER BY id LIMIT \(AuditReport.maxFindings)"
            ).map { try $0.get("id") }
            let count = try await postgres.first("SELECT count(*) AS count \(fragment: rows)")
            found.append((kind, try count?.get("count") ?? 0, first))
        }
        return found
    }

    // MARK: - Orphans

    /// Records objects without a row. An object that has a row by now is left out.
    ///
    /// - Returns: the time since each object was first seen.
    func recordSightings(_ keys: [String]) async throws -> [String: Duration] {
        let rows = try await postgres.query(
            """
            INSERT INTO orphan_sightings AS sighting (key)
            SELECT l.key FROM unnest(\(keys)::text[]) AS l (key)
            WHERE NOT EXISTS (SELECT FROM stored_objects o WHERE o.key = l.key)
            ORDER BY l.key
            ON CONFLICT (key) DO UPDATE SET seen_at = sighting.seen_at
            RETURNING key, EXTRACT(EPOCH FROM now() - seen_at)::float8 AS known_for
            """)
        var found: [String: Duration] = [:]
        for row in rows { found[try row.get("key")] = .seconds(try row.get("known_for", as: Double.self)) }
        return found
    }

    /// Inserts rows for orphans that are due at once, so that the sweeper deletes them like all objects. A key that has a row
    /// by now keeps it, by the unique index.
    ///
    /// - Parameter age: the least age of the orphans.
    /// - Returns: the keys for which a row was inserted.
    func adopt(_ keys: [String], olderThan age: Duration) async throws -> Set<String> {
        let rows = try await postgres.query(
            """
            INSERT INTO stored_objects (key, photo_id, created_at, delete_after)
            SELECT l.key, \(Self.noPhoto), now() - \(age), now()
            FROM unnest(\(keys)::text[]) AS l (key)
            ORDER BY l.key
            ON CONFLICT (key) DO NOTHING
            RETURNING key
            """)
        try await postgres.execute("DELETE FROM orphan_sightings WHERE key = ANY(\(keys))")
        return Set(try rows.map { try $0.get("key") })
    }

    // MARK: - Photos without objects

    /// Whether members can see the photo of the object `key` now.
    func isAlive(_ key: String) async throws -> Bool {
        try await postgres.first(Self.living(key)) != nil
    }

    /// Hides a photo whose object is lost, unless it has ended meanwhile.
    func hide(_ key: String) async throws -> Bool {
        try await postgres.transaction { tx in
            // `end` checks the photo again under its row lock.
            guard let row = try tx.first(Self.living(key)) else { return false }
            return try PhotoStore.end(tx, [row.get("id")]) == 1
        }
    }

    private static func living(_ key: String) -> SQL {
        """
        SELECT p.id FROM stored_objects o
        JOIN photos p ON p.id = o.photo_id
        WHERE o.key = \(key) AND p.expires_at > now() AND o.delete_after > now()
        """
    }
}
