import Logging
import Postgres

/// `dayly migrate`.
package enum MigrateAction {
    /// Applies the migrations that are missing.
    ///
    /// - Returns: The names of those migrations.
    package static func migrate(
        configuration: ServerConfiguration, logger: Logger
    ) async throws -> [String] {
        try await configuration.withAnyDatabase(maxConnections: 2, logger: logger) { database in
            let gate = try SchemaGate(
                client: database, migrationsPath: configuration.database.migrationsPath)
            try await LocaleChecks(client: database).requireUTF8()
            try await DatabaseFitness(client: database, configuration: configuration, logger: logger)
                .requireSessions()
            return try await gate.migrate()
        }
    }

    /// The state of the schema in words, and whether the service could run on it.
    package static func status(
        configuration: ServerConfiguration, logger: Logger
    ) async throws -> (text: String, isServable: Bool) {
        let status = try await configuration.withAnyDatabase(logger: logger) { database in
            try await SchemaGate(client: database, migrationsPath: configuration.database.migrationsPath)
                .status()
        }
        let text =
            switch status {
            case .current: "The database is up to date."
            case .aheadCompatible: "The database is newer than this version, which can work with it."
            case .behind, .aheadBreaking, .changed: status.failure?.description ?? ""
            }
        return (text, status.isServable)
    }
}
