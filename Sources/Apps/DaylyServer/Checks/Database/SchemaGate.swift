import CommandKit
import Foundation
import Logging
import Postgres

/// Decides whether this program may run on the schema of the database.
package struct SchemaGate: Sendable {
    package static let oldestServerVersion = 150_000

    private let client: PostgresClient
    private let migrator: Migrator

    /// - Throws: `MigrationError` if the folder of migrations cannot be read.
    package init(client: PostgresClient, migrationsPath: String) throws {
        self.client = client
        migrator = Migrator(
            client: client,
            migrations: try Migration.load(from: URL(fileURLWithPath: migrationsPath, isDirectory: true)))
    }

    /// - Returns: The names of the migrations that this call applied.
    package func migrate() async throws -> [String] {
        try await migrator.migrate()
    }

    package func status() async throws -> MigrationStatus {
        try await migrator.status()
    }

    /// The missing migrations that are marked as breaking.
    func missingBreaking() async throws -> [String] {
        guard case .behind(let names) = try await migrator.status() else { return [] }
        return migrator.breaking(among: names)
    }

    /// `server_version_num` of PostgreSQL: 150018 is 15.18.
    package func serverVersion() async throws -> Int {
        let row = try await client.first("SELECT current_setting('server_version_num')::int AS version")
        return try row?.get("version", as: Int.self) ?? 0
    }

    /// - Throws: `CommandFailure` if the service must not run on this database.
    package func requireServable() async throws {
        let version: Int
        let status: MigrationStatus
        do {
            version = try await serverVersion()
            status = try await migrator.status()
        } catch let error as PostgresError {
            throw CommandFailure.database(error)
        }
        guard version >= Self.oldestServerVersion else {
            throw CommandFailure(
                reason: "PostgreSQL is version \(version / 10_000).",
                remedy: "Dayly needs version 15 or newer.")
        }
        if let failure = status.failure { throw failure }
    }
}

extension MigrationStatus {
    /// Whether the service may run on this schema.
    package var isServable: Bool {
        switch self {
        case .current, .aheadCompatible: true
        case .behind, .aheadBreaking, .changed: false
        }
    }

    /// Whether not even the first migration is applied.
    var isEmpty: Bool {
        guard case .behind(let names) = self else { return false }
        return names.contains { $0.hasPrefix("0001_") }
    }

    /// The reason against running on this schema, and the remedy; nil if the service may run.
    package var failure: CommandFailure? {
        switch self {
        case .current, .aheadCompatible: nil
        case .behind where isEmpty:
            CommandFailure(reason: "The database has no schema yet.", remedy: "Run: dayly migrate")
        case .behind(let names):
            CommandFailure(
                reason: "The database is older than this version: \(names.joined(separator: ", ")) "
                    + "\(names.count == 1 ? "is" : "are") not applied.",
                remedy: "Run: dayly migrate")
        case .aheadBreaking(let names): CommandFailure.aheadBreaking(names)
        case .changed(let names): CommandFailure.changed(names)
        }
    }
}
