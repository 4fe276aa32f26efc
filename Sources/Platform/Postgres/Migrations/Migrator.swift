import Logging

/// Migrates a database's schema: each migration once, in order, in a transaction of its own.
package struct Migrator: Sendable {
    /// The advisory lock of the session that migrates, so that only one migrates at a time. The number is arbitrary.
    private static let lock: Int64 = 0x6461_796C_7900_0001

    let client: PostgresClient
    let migrations: [Migration]

    package init(client: PostgresClient, migrations: [Migration]) {
        self.client = client
        self.migrations = migrations.sorted { $0.name < $1.name }
    }

    /// Applies the missing migrations over a connection of its own, on which a statement has no time limit. Waits for
    /// another process that migrates. Behind a pooler it uses the connection that `directURL` names.
    ///
    /// - Returns: the names of the migrations applied now.
    /// - Throws: `MigrationError`. The migrations before the one that failed stay applied.
    @discardableResult
    package func migrate() async throws -> [String] {
        try Migration.validate(migrations)
        var configuration = client.configuration.direct
        configuration.maxConnections = 1
        configuration.statementTimeout = .zero
        // Another migrator may hold the lock for long. The migrations' own statements get the limit back.
        configuration.lockTimeout = .zero
        let migrating = PostgresClient(configuration: configuration, logger: client.logger)
        do {
            let applied = try await migrating.withConnection { connection in
                try migrate(on: connection)
            }
            await migrating.close()
            return applied
        } catch {
            await migrating.close()
            throw error
        }
    }

    /// Compares the database with the migrations. Changes nothing.
    package func status() async throws -> MigrationStatus {
        try Migration.validate(migrations)
        return try await client.withConnection { connection in
            MigrationStatus(known: migrations, applied: try Self.applied(on: connection))
        }
    }

    /// The named migrations that are marked as breaking: an older program must not run on their result.
    package func breaking(among names: [String]) -> [String] {
        migrations.filter { $0.isBreaking && names.contains($0.name) }.map(\.name)
    }

    private func migrate(on connection: PostgresConnection) throws -> [String] {
        _ = try connection.run("SELECT pg_advisory_lock(\(Self.lock))")
        try connection.runScript(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                version     integer PRIMARY KEY,
                name        text NOT NULL,
                checksum    text NOT NULL,
                breaking    boolean NOT NULL,
                applied_at  timestamptz NOT NULL DEFAULT now()
            )
            """)
        let applied = try Self.applied(on: connection)
        switch MigrationStatus(known: migrations, applied: applied) {
        case .current, .aheadCompatible: return []
        case .changed(let names): throw MigrationError.changed(names)
        case .aheadBreaking(let names): throw MigrationError.aheadBreaking(names)
        case .behind(let names):
            let pending = migrations.filter { names.contains($0.name) }
            let newest = applied.map(\.version).max() ?? -1
            if let late = pending.first(where: { ($0.version ?? -1) < newest }) {
                throw MigrationError.outOfOrder(late.name)
            }
            for migration in pending { try apply(migration, on: connection) }
            return names
        }
    }

    private func apply(_ migration: Migration, on connection: PostgresConnection) throws {
        do {
            let patience = client.configuration.lockTimeout.wholeMilliseconds
            try connection.runScript("BEGIN; SET LOCAL lock_timeout = \(patience)")
            try connection.runScript(migration.sql)
            guard connection.isInTransaction else { throw MigrationError.leftTransaction(migration.name) }
            _ = try connection.run(
                """
                INSERT INTO schema_migrations (version, name, checksum, breaking)
                VALUES (\(migration.version), \(migration.name), \(migration.checksum), \(migration.isBreaking))
                """)
            try connection.runScript("COMMIT", mayBeCancelled: false)
        } catch let error as PostgresError {
            throw MigrationError.failed(migration.name, error)
        }
    }

    private static func applied(on connection: PostgresConnection) throws -> [MigrationStatus.Applied] {
        let table = try connection.run("SELECT to_regclass('schema_migrations') IS NOT NULL AS present")
        guard try table.rows.first?.get("present", as: Bool.self) == true else { return [] }
        let rows = try connection.run(
            "SELECT version, name, checksum, breaking FROM schema_migrations ORDER BY version")
        return try rows.rows.map { row in
            MigrationStatus.Applied(
                version: try row.get("version"), name: try row.get("name"),
                checksum: try row.get("checksum"), isBreaking: try row.get("breaking"))
        }
    }
}
