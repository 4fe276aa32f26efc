import Logging
import Postgres

/// What `dayly migrate` does.
package enum SchemaCommand {
    package struct Report: Sendable {
        package let text: String
        package let isServable: Bool
    }

    package static func migrate(
        configuration: ServerConfiguration, logger: Logger
    ) async throws -> [String] {
        try await withGate(configuration, logger) { gate, client in
            try await DatabaseFitness(client: client, configuration: configuration, logger: logger)
                .requireSessions()
            return try await gate.migrate()
        }
    }

    package static func status(configuration: ServerConfiguration, logger: Logger) async throws -> Report {
        let status = try await withGate(configuration, logger) { gate, _ in try await gate.status() }
        let text =
            switch status {
            case .current: "The database is up to date."
            case .aheadCompatible: "The database is newer than this version, which can work with it."
            case .behind, .aheadBreaking, .changed: status.failure?.description ?? ""
            }
        return Report(text: text, isServable: status.isServable)
    }

    private static func withGate<Value: Sendable>(
        _ configuration: ServerConfiguration, _ logger: Logger,
        _ body: (SchemaGate, PostgresClient) async throws -> Value
    ) async throws -> Value {
        let client = Connections.database(configuration, maxConnections: 2, logger: logger)
        do {
            let value = try await body(
                try SchemaGate(client: client, migrationsPath: configuration.database.migrationsPath), client)
            await client.close()
            return value
        } catch {
            await client.close()
            throw failure(error)
        }
    }

    private static func failure(_ error: any Error) -> any Error {
        switch error {
        case PostgresError.unavailable(let reason): ServeFailure.database(reason.description)
        case let error as MigrationError: ServeFailure(error)
        default: error
        }
    }
}
