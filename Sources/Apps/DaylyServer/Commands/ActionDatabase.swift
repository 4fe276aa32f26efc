import CommandKit
import Logging
import Postgres

// Each command of `dayly` is two files of one name. `dayly/SweepCommand.swift` declares the options of `dayly sweep`,
// prints, and chooses the exit status. `SweepAction.swift` in this folder does the work and does not know the terminal.
// `config` and `openapi` only print, so they have no action. The commands of products stand in their folders.

extension ServerConfiguration {
    /// Opens the database of a command for `body`, and closes it afterwards.
    ///
    /// - Parameters:
    ///   - maxConnections: The size of the pool. One is enough for commands that do one thing at a time.
    ///   - name: of the sessions, for PostgreSQL.
    /// - Throws: `CommandFailure` on a database that this version must not work on, and the errors of `body`.
    func withDatabase<Value: Sendable>(
        maxConnections: Int = 1, name: String = "dayly", logger: Logger,
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        try await withAnyDatabase(maxConnections: maxConnections, name: name, logger: logger) { database in
            try await SchemaGate(client: database, migrationsPath: self.database.migrationsPath)
                .requireServable()
            return try await body(database)
        }
    }

    /// The same without a look at the schema, for commands that examine or change it.
    func withAnyDatabase<Value: Sendable>(
        maxConnections: Int = 1, name: String = "dayly", logger: Logger,
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        let database = Connections.database(self, maxConnections: maxConnections, name: name, logger: logger)
        return try await finally({ await database.close() }) { try await body(database) }
    }
}

/// Runs `body`, then `close`, which runs even if `body` throws. A `defer` cannot wait.
func finally<Value: Sendable>(
    _ close: () async -> Void, _ body: () async throws -> Value
) async throws -> Value {
    let value: Value
    do {
        value = try await body()
    } catch {
        await close()
        throw error
    }
    await close()
    return value
}
