import Foundation
import Postgres

/// The recorded backups, and the age of the database.
struct BackupRecord: Sendable, Equatable {
    /// When the first migration was applied.
    var since: Date
    var now: Date
    /// When the newest backup was finished; nil if none was recorded.
    var finished: Date?
    /// The earliest time to which a kept backup can take the database back.
    var oldest: Date?
}

struct BackupStore: Sendable {
    let client: PostgresClient

    /// Nil before the migration that made the table.
    func read() async throws -> BackupRecord? {
        let table = try await client.first("SELECT to_regclass('backups') IS NOT NULL AS is_there")
        guard try table?.get("is_there") == true else { return nil }
        let row = try await client.first(
            """
            SELECT now() AS now, max(finished_at) AS finished, min(oldest_at) AS oldest,
                (SELECT coalesce(min(applied_at), now()) FROM schema_migrations) AS since
            FROM backups
            """)
        return try row.map { row in
            BackupRecord(
                since: try row.get("since"), now: try row.get("now"), finished: try row.get("finished"),
                oldest: try row.get("oldest"))
        }
    }
}
