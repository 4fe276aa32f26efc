import Logging
import Metrics
import Resilience
import ServiceLifecycle

/// Runs statements and transactions on a pool of connections, each with a thread of its own.
///
/// When a task is cancelled, the client cancels the task's running statement on the server and throws
/// `PostgresError.unavailable`.
package final class PostgresClient: Sendable, Service {
    /// The largest number of attempts at one transaction.
    private static let maxAttempts = 6
    /// Full jitter, so that transactions that collided do not collide again.
    private static let backoff = Backoff(first: .milliseconds(10), longest: .milliseconds(160), jitter: 1)

    package let configuration: PostgresConfiguration
    let logger: Logger
    private let pool: ConnectionPool
    private let listeners: ListenerRegistry
    private let retries = Counter(label: "dayly_postgres_retries_total")

    /// The client connects with its first statement.
    package init(configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        let listeners = ListenerRegistry()
        self.listeners = listeners
        pool = ConnectionPool(configuration: configuration, logger: logger) { listeners.hangUpAll() }
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

    /// Reads, in one message with other callers that wait at the same time. The statements should be short: a slow one delays
    /// the others of its message, and a cancelled task waits for the answer unless all callers of the message are cancelled.
    /// `now()` is the same in all statements; each sees what was committed when it began.
    package func read(_ reading: Reading) async throws(PostgresError) -> [PostgresRow] {
        try await read([reading])[0]
    }

    /// Reads twice, in the same manner.
    package func read(
        _ first: Reading, then second: Reading
    ) async throws(PostgresError) -> (first: [PostgresRow], second: [PostgresRow]) {
        let rows = try await read([first, second])
        return (rows[0], rows[1])
    }

    /// - Returns: the number of rows inserted, changed or deleted.
    @discardableResult
    package func execute(_ sql: SQL) async throws(PostgresError) -> Int { try await run(sql).affectedRows }

    /// Runs `body` in a READ COMMITTED transaction on a connection's own thread, and commits.
    ///
    /// The body is synchronous, so it cannot await anything while it holds locks. It may run again after a serialization
    /// failure or a deadlock, or when its time was doubted wrongly, so it must have no effects beside its statements.
    ///
    /// - Throws: the body's error (after a rollback), or `PostgresError`.
    package func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await perform(body)
        } catch let doubt as DoubtedTime {
            // The clock with which the server's is compared may have been set since it was asked.
            try await configuration.timeAgreement.settle(doubt)
        }
        do { return try await perform(body) } catch let doubt as DoubtedTime { throw doubt.reason }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        try await repeating {
            try await pool.withConnection { try PostgresTransaction.perform(on: $0, body) }
        }
    }

    /// The same for work that takes a table away from everybody: it waits a fifth of a second for its locks, because all who come
    /// later wait behind it.
    ///
    /// - Returns: nil, with nothing changed, if somebody else held the table for longer.
    package func unlessBusy<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value? {
        do {
            return try await transaction { tx in
                try tx.execute("SET LOCAL lock_timeout = '200ms'")
                return try body(tx)
            }
        } catch PostgresError.unavailable(.lockTimeout) {
            return nil
        }
    }

    /// The payloads of the notifications on `channel` (NOTIFY), over a connection of its own, until the reader stops or
    /// the client closes. After a lost connection the client listens again; notifications in between are lost.
    ///
    /// - Parameter onListening: called on the listener's thread each time listening begins, also after a lost
    ///   connection: the moment to look for changes whose notifications were lost.
    package func listen(
        channel: String, onListening: @escaping @Sendable () -> Void = {}
    ) -> AsyncThrowingStream<String, any Error> {
        listeners.listen(channel: channel, configuration, logger, onListening: onListening)
    }

    /// The signals of the transactions that this client commits, and of all other clients whose configuration has the
    /// same `signals`.
    package var signals: CommitSignals { configuration.signals }

    /// Waits for graceful shutdown or cancellation, then closes the pool.
    package func run() async throws {
        try? await gracefulShutdown()
        await close()
    }

    /// Lets running statements finish, refuses waiting ones, and returns when every connection is closed.
    package func close() async {
        listeners.stopAll()
        await pool.finish()
        // The action may hold this client.
        await configuration.zoneRepair.set(nil)
    }

    /// Runs `body` with a connection of its own, for statements that depend on a session.
    func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await pool.withConnection(body)
    }

    private func run(_ sql: SQL) async throws(PostgresError) -> PostgresResult {
        try await running { try await pool.withConnection { try $0.runAlone(sql) } }
    }

    private func read(_ readings: [Reading]) async throws(PostgresError) -> [[PostgresRow]] {
        try await running { try await pool.read(readings) }
    }

    private func running<Value: Sendable>(
        _ attempt: () async throws -> Value
    ) async throws(PostgresError) -> Value {
        do {
            return try await repeating(attempt)
        } catch let error as PostgresError {
            throw error
        } catch {
            throw .unavailable(.cancelled)
        }
    }

    /// The only place that repeats work: a transaction that PostgreSQL rolled back because of other transactions, one that
    /// had not begun when the connection was lost, or one that the server refused because it takes no more writes or does not
    /// know a time zone.
    private func repeating<Value: Sendable>(
        _ attempt: () async throws -> Value
    ) async throws -> Value {
        for number in 1..<Self.maxAttempts {
            do {
                return try await attempt()
            } catch let error as PostgresError where error.isWorthRepeating {
                if case .server(let report) = error {
                    if report.isStalePlan { pool.raisePlanEpoch() }
                    if report.isUnknownZone, await !configuration.zoneRepair.run() { throw error }
                }
            } catch is NothingDone {}
            retries.increment()
            try? await Task.sleep(for: Self.backoff.pause(afterFailures: number))
        }
        do {
            return try await attempt()
        } catch let error as NothingDone {
            throw PostgresError.unavailable(error.reason)
        }
    }
}
