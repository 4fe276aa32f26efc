import CommandKit
import Logging
import Postgres

/// `dayly migrate`.
package enum MigrateAction {
    /// Applies the migrations that are missing.
    ///
    /// - Parameter compatibly: only where older processes can work with the result and the database has a schema, for a start
    ///   that no operator looks at.
    /// - Returns: The names of those migrations.
    /// - Throws: `CommandFailure`, also for a breaking migration while a process works on the database.
    package static func migrate(
        compatibly: Bool = false, configuration: ServerConfiguration, logger: Logger
    ) async throws -> [String] {
        try await configuration.withAnyDatabase(maxConnections: 2, logger: logger) { database in
            let gate = try SchemaGate(
                client: database, migrationsPath: configuration.database.migrationsPath)
            try await LocaleChecks(client: database).requireUTF8()
            try await DatabaseFitness(client: database, configuration: configuration, logger: logger)
                .requireSessions()
            let breaking = try await gate.missingBreaking()
            if compatibly {
                let status = try await gate.status()
                if status.isEmpty, let failure = status.failure { throw failure }
                if !breaking.isEmpty { throw CommandFailure.breaking(breaking) }
            }
            if !breaking.isEmpty, try await RunningProcessStore(client: database).sessions() > 0 {
                throw CommandFailure.inTheWay(of: breaking)
            }
            return try await gate.migrate()
        }
    }

    /// The state of the schema in words, and whether the service could run on it.
    package static func status(
        configuration: ServerConfiguration, logger: Logger
    ) async throws -> (text: String, isServable: Bool) {
        let (status, breaking) = try await configuration.withAnyDatabase(logger: logger) { database in
            let gate = try SchemaGate(
                client: database, migrationsPath: configuration.database.migrationsPath)
            return (try await gate.status(), try await gate.missingBreaking())
        }
        if !breaking.isEmpty, !status.isEmpty {
            return (CommandFailure.breaking(breaking).description, false)
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

extension CommandFailure {
    static func breaking(_ names: [String]) -> CommandFailure {
        CommandFailure(
            reason: "The database is older than this version, and no older version can run on the result of "
                + "\(names.joined(separator: ", ")).",
            remedy:
                "Make a backup, end every dayly process on all machines (systemctl stop dayly dayly-sweep), and run: "
                + "dayly migrate")
    }

    static func inTheWay(of names: [String]) -> CommandFailure {
        CommandFailure(
            reason: "A dayly process works on this database, and must not run on the result of "
                + "\(names.joined(separator: ", ")).",
            remedy:
                "End every dayly process on all machines (systemctl stop dayly dayly-sweep), then run it again."
        )
    }
}
