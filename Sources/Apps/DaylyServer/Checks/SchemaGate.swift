import Foundation
import Logging
import Postgres

/// Whether this program may run on the database as it is.
package struct SchemaGate: Sendable {
    package static let oldestServerVersion = 150_000

    private let client: PostgresClient
    private let migrator: Migrator

    /// - Throws: when the folder of the migrations cannot be read.
    package init(client: PostgresClient, migrationsPath: String) throws {
        self.client = client
        migrator = Migrator(
            client: client,
            migrations: try Migration.load(from: URL(fileURLWithPath: migrationsPath, isDirectory: true)))
    }

    /// - Returns: the names of what was applied now.
    package func migrate() async throws -> [String] {
        try await migrator.migrate()
    }

    package func status() async throws -> MigrationStatus {
        try await migrator.status()
    }

    /// As `server_version_num`: 150018 is 15.18.
    package func serverVersion() async throws -> Int {
        let row = try await client.first("SELECT current_setting('server_version_num')::int AS version")
        return try row?.get("version", as: Int.self) ?? 0
    }

    /// - Throws: `ServeFailure` when the service must not run on this database.
    package func requireServable() async throws {
        let version: Int
        let status: MigrationStatus
        do {
            version = try await serverVersion()
            status = try await migrator.status()
        } catch let error as PostgresError {
            throw ServeFailure.database(FailureText.of(error))
        }
        guard version >= Self.oldestServerVersion else {
            throw ServeFailure(
                reason: "PostgreSQL is version \(version / 10_000).",
                remedy: "Dayly needs version 15 or newer.")
        }
        if let failure = status.failure { throw failure }
    }
}

extension MigrationStatus {
    /// Whether a program may run on it.
    package var isServable: Bool {
        switch self {
        case .current, .aheadCompatible: true
        case .behind, .aheadBreaking, .changed: false
        }
    }

    /// Why a program must not run on it, and what mends it; nil where it may.
    package var failure: ServeFailure? {
        switch self {
        case .current, .aheadCompatible: nil
        case .behind(let names):
            ServeFailure(
                reason: "The database is older than this version: \(names.joined(separator: ", ")) "
                    + "\(names.count == 1 ? "is" : "are") not applied.",
                remedy: "Run: dayly migrate")
        case .aheadBreaking(let names): ServeFailure.aheadBreaking(names)
        case .changed(let names): ServeFailure.changed(names)
        }
    }
}
