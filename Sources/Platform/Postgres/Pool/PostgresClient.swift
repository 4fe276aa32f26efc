import Logging
import Metrics
import ServiceLifecycle

/// Runs statements and transactions on a pool of connections, each with a thread of its own.
///
/// A cancelled task cancels its running statement on the server and throws `PostgresError.unavailable`.
package final class PostgresClient: Sendable, Service {
    /// How often a transaction is tried at most.
    private static let maxAttempts = 6

    package let configuration: PostgresConfiguration
    let logger: Logger
    private let pool: ConnectionPool
    private let listeners = ListenerRegistry()
    private let retries = Counter(label: "dayly_postgres_retries_total")

    /// Connects when the first statement comes.
    package init(configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        pool = ConnectionPool(configuration: configuration, logger: logger)
        pool.startWatching()
    }

    deinit {
        listeners.stopAll()
        pool.shutDown()
    }

    package func query(_ sql: SQL) async throws(PostgresError) -> [PostgresRow] { try await run(sql).rows }

    /// The first row, if there is any.
    package func first(_ sql: SQL) async throws(PostgresError) -> PostgresRow? {
        try await run(sql).rows.first
    }

    /// - Returns: the number of rows inserted, changed or deleted.
    @discardableResult
    package func execute(_ sql: SQL) async throws(PostgresError) -> Int { try await run(sql).affectedRows }

    /// Runs `body` in a READ COMMITTED transaction on a connection's own thread, and commits.
    ///
    /// The body is synchronous, so nothing can be awaited while locks are held. It may run again after a
    /// serialization failure or a deadlock, so it must have no effects but its statements.
    ///
    /// - Throws: what the body throws (after a rollback), or `PostgresError`.
    package func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        try await repeating { connection in try PostgresTransaction.perform(on: connection, body) }
    }

    /// What is sent to `channel` by NOTIFY, over a connection of its own, for as long as the sequence is read or
    /// the client is open. After a lost connection it listens again; what was sent meanwhile is lost.
    ///
    /// - Parameter onListening: called whenever listening has begun, also again: the moment to look at what may
    ///   have been missed. Called on the listener's thread.
    package func listen(
        channel: String, onListening: @escaping @Sendable () -> Void = {}
    ) -> AsyncThrowingStream<String, any Error> {
        listeners.listen(channel: channel, configuration, logger, onListening: onListening)
    }

    /// The signals of the transactions that this client commits, and all other clients that share its configuration's.
    package var signals: CommitSignals { configuration.signals }

    /// Keeps the pool open until graceful shutdown or cancellation, then closes it.
    package func run() async throws {
        try? await gracefulShutdown()
        await close()
    }

    /// Lets what has begun finish, refuses what has not, and returns when every connection is closed.
    package func close() async {
        listeners.stopAll()
        await pool.finish()
    }

    /// Runs `body` with a connection for itself, for what belongs to a session.
    func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await pool.withConnection(body)
    }

    private func run(_ sql: SQL) async throws(PostgresError) -> PostgresResult {
        do {
            return try await repeating { connection in try connection.runAlone(sql) }
        } catch let error as PostgresError {
            throw error
        } catch {
            throw .unavailable(.cancelled)
        }
    }

    /// The one place where something is tried again: what PostgreSQL rolled back because of others, or what had
    /// not begun when the connection was lost.
    private func repeating<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        for attempt in 1..<Self.maxAttempts {
            do {
                return try await pool.withConnection(body)
            } catch let error as PostgresError where error.isWorthRepeating {
                if case .server(let error) = error, error.isStalePlan { pool.raisePlanEpoch() }
            } catch is NothingBegun {}
            retries.increment()
            // Full jitter, so that those who met do not meet again.
            try? await Task.sleep(for: .microseconds(Int64.random(in: 0..<(5_000 << attempt))))
        }
        do {
            return try await pool.withConnection(body)
        } catch is NothingBegun {
            throw PostgresError.unavailable(.connectionLost)
        }
    }
}
