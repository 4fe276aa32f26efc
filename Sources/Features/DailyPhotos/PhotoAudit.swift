import Foundation
import Logging
import Metrics
import ObjectStorage
import Postgres

/// Something that bucket and database do not agree on, or that is later than promised.
package struct AuditFinding: Sendable, Codable, Equatable {
    /// What is wrong.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// An object that no row knows.
        case orphanObject = "orphan_object"
        /// A photo in somebody's feed without its object.
        case missingObject = "missing_object"
        /// An object that was due more than five minutes ago.
        case overdueObject = "overdue_object"
        /// A photo's row that expired more than five minutes ago.
        case overduePhoto = "overdue_photo"
        /// An upload whose lease ran out more than five minutes ago.
        case overdueUpload = "overdue_upload"
    }

    package let kind: Kind
    /// The object's key, or the photo's id.
    package let subject: String
    /// True when this audit removed it.
    package var mended = false
}

/// What an audit saw.
package struct AuditReport: Sendable, Codable {
    /// Objects listed under `photos/`.
    package var objects = 0
    package var findings: [AuditFinding] = []
}

/// Holds the bucket against the database, both ways, and both against the promised time.
package struct PhotoAudit: Sendable {
    /// Only what is older can be an orphan: an object's row is written before it, and an upload takes less.
    private static let orphanAge: TimeInterval = 10 * 60
    private static let prefix = "photos/"

    let postgres: PostgresClient
    let objects: any ObjectStore
    let logger: Logger

    package init(postgres: PostgresClient, objects: any ObjectStore, logger: Logger) {
        self.postgres = postgres
        self.objects = objects
        self.logger = logger
    }

    /// - Parameter delete: Whether orphans are removed from the bucket.
    /// - Throws: `PostgresError`, `ObjectStoreError`.
    package func run(delete: Bool) async throws -> AuditReport {
        var report = AuditReport()
        report.findings = try await overdue()
        var continuation: String?
        var lastKey = ""
        repeat {
            let page = try await objects.list(prefix: Self.prefix, continuation: continuation)
            report.objects += page.objects.count
            continuation = page.continuation
            report.findings += try await orphans(in: page.objects, delete: delete)
            let end = continuation == nil ? nil : page.objects.last?.key.rawValue
            let listed = Set(page.objects.map(\.key))
            report.findings += try await missing(after: lastKey, through: end, listed: listed)
            lastKey = end ?? lastKey
        } while continuation != nil
        measure(report)
        return report
    }

    private func overdue() async throws -> [AuditFinding] {
        let rows = try await postgres.query(
            """
            SELECT 'overdue_photo' AS kind, id::text AS subject
            FROM photos WHERE expires_at < now() - interval '5 minutes'
            UNION ALL
            SELECT 'overdue_upload', id::text
            FROM photos WHERE lease_until < now() - interval '5 minutes'
            UNION ALL
            SELECT 'overdue_object', key
            FROM stored_objects WHERE delete_after < now() - interval '5 minutes'
            """)
        return try rows.compactMap { row in
            guard let kind = AuditFinding.Kind(rawValue: try row.get("kind")) else { return nil }
            return AuditFinding(kind: kind, subject: try row.get("subject"))
        }
    }

    /// Keys are never used twice and rows come before objects: what has no row now never gets one.
    private func orphans(in listed: [ObjectListing.Object], delete: Bool) async throws -> [AuditFinding] {
        guard !listed.isEmpty else { return [] }
        let rows = try await postgres.query(
            """
            SELECT l.key
            FROM unnest(\(listed.map(\.key.rawValue))::text[], \(listed.map(\.lastModified))::timestamptz[])
                AS l (key, modified_at)
            WHERE l.modified_at < now() - make_interval(secs => \(Self.orphanAge))
              AND NOT EXISTS (SELECT FROM stored_objects o WHERE o.key = l.key)
            ORDER BY l.key
            """)
        let keys = try rows.map { try ObjectKey($0.get("key") as String) }
        guard !keys.isEmpty else { return [] }
        let failures = delete ? try await objects.delete(keys) : [:]
        return keys.map { key in
            AuditFinding(
                kind: .orphanObject, subject: key.rawValue, mended: delete && failures[key] == nil)
        }
    }

    /// Live photos' keys in the listing's range that it did not name, and that are not there when asked for.
    private func missing(after start: String, through end: String?, listed: Set<ObjectKey>) async throws
        -> [AuditFinding]
    {
        let rows = try await postgres.query(
            """
            SELECT o.key
            FROM stored_objects o
            JOIN photos p ON p.id = o.photo_id AND p.expires_at > now()
            WHERE o.key > \(start) COLLATE "C" AND (\(end)::text IS NULL OR o.key <= \(end)::text COLLATE "C")
            ORDER BY o.key
            """)
        var findings: [AuditFinding] = []
        for row in rows {
            let key = try ObjectKey(row.get("key") as String)
            guard !listed.contains(key), try await objects.head(key) == nil, try await isAlive(key) else {
                continue
            }
            findings.append(AuditFinding(kind: .missingObject, subject: key.rawValue))
        }
        return findings
    }

    private func isAlive(_ key: ObjectKey) async throws -> Bool {
        try await postgres.first(
            """
            SELECT FROM stored_objects o
            JOIN photos p ON p.id = o.photo_id
            WHERE o.key = \(key.rawValue) AND p.expires_at > now() AND o.delete_after > now()
            """) != nil
    }

    private func measure(_ report: AuditReport) {
        for kind in AuditFinding.Kind.allCases {
            Gauge(label: "dayly_audit_findings", dimensions: [("kind", kind.rawValue)])
                .record(report.findings.count { $0.kind == kind })
        }
    }
}
