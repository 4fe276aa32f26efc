import Logging
import ServiceLifecycle

/// Runs statements and transactions on a pool of connections.
package final class PostgresClient: Sendable, Service {
    package let configuration: PostgresConfiguration

    package init(configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
    }

    package func query(_ sql: SQL) async throws(PostgresError) -> [PostgresRow] {
        throw .unavailable("unfinished")
    }

    package func first(_ sql: SQL) async throws(PostgresError) -> PostgresRow? {
        throw .unavailable("unfinished")
    }

    /// - Returns: the number of rows inserted, changed or deleted.
    @discardableResult
    package func execute(_ sql: SQL) async throws(PostgresError) -> Int {
        throw .unavailable("unfinished")
    }

    /// Runs `body` in a READ COMMITTED transaction on a connection's own thread. It may run again after a
    /// serialization failure or a deadlock, so it must have no effects but its statements.
    package func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        throw PostgresError.unavailable("unfinished")
    }

    /// What is sent to `channel` by NOTIFY, over a connection of its own.
    package func listen(
        channel: String, onListening: @escaping @Sendable () -> Void = {}
    ) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { $0.finish() }
    }

    package func run() async throws {
        try? await gracefulShutdown()
        await close()
    }

    package func close() async {}
}

/// A transaction under way. It belongs to the connection's thread and ends with the body it was given to.
package final class PostgresTransaction {
    package func query(_ sql: SQL) throws(PostgresError) -> [PostgresRow] {
        throw .unavailable("unfinished")
    }

    package func first(_ sql: SQL) throws(PostgresError) -> PostgresRow? {
        throw .unavailable("unfinished")
    }

    @discardableResult
    package func execute(_ sql: SQL) throws(PostgresError) -> Int {
        throw .unavailable("unfinished")
    }
}
