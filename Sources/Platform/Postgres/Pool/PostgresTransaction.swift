/// A transaction under way. Its calls block the connection's own thread; it ends with the body it was given to.
package final class PostgresTransaction {
    private let connection: PostgresConnection
    private var isOver = false
    /// The last error of a statement, which the body may have hidden.
    private var failure: PostgresError?

    private init(on connection: PostgresConnection) { self.connection = connection }

    package func query(_ sql: SQL) throws(PostgresError) -> [PostgresRow] { try run(sql).rows }

    /// The first row, if there is any.
    package func first(_ sql: SQL) throws(PostgresError) -> PostgresRow? { try run(sql).rows.first }

    /// - Returns: the number of rows inserted, changed or deleted.
    @discardableResult
    package func execute(_ sql: SQL) throws(PostgresError) -> Int { try run(sql).affectedRows }

    /// Tells whoever subscribed to the channel, in this process and by a `CommitNotifier` in others, once the
    /// transaction is committed.
    package func signal(_ signal: CommitSignal) { connection.signals.add(signal) }

    private func run(_ sql: SQL) throws(PostgresError) -> PostgresResult {
        guard !isOver else { throw .unavailable(.transactionOver) }
        do {
            return try connection.run(sql)
        } catch {
            failure = error
            throw error
        }
    }

    /// BEGIN, `body`, then COMMIT; or ROLLBACK and the error.
    static func perform<Value>(
        on connection: PostgresConnection, _ body: (PostgresTransaction) throws -> Value
    ) throws -> Value {
        do {
            try connection.begin()
        } catch {
            if connection.isLost { throw NothingBegun() }
            throw error
        }
        connection.signals.removeAll()
        let transaction = PostgresTransaction(on: connection)
        let value: Value
        do {
            value = try body(transaction)
            try transaction.checkFit()
        } catch {
            transaction.isOver = true
            let isDoomed = connection.isInFailedTransaction
            if !connection.isLost { _ = try? connection.runScript("ROLLBACK", mayBeCancelled: false) }
            // A body may translate errors; one that only asks for another run goes before its translation.
            if isDoomed, let failure = transaction.failure, failure.isWorthRepeating { throw failure }
            throw error
        }
        transaction.isOver = true
        try commit(connection)
        connection.sendSignals()
        return value
    }

    /// PostgreSQL answers a COMMIT after a failed statement with ROLLBACK, which is no error to it.
    private func checkFit() throws(PostgresError) {
        if connection.isInTransaction, connection.gate.isWanted { return }
        throw failure ?? .unavailable(.cancelled)
    }

    private static func commit(_ connection: PostgresConnection) throws(PostgresError) {
        let result: PostgresResult
        do {
            result = try connection.runScript("COMMIT", mayBeCancelled: false)
        } catch {
            guard connection.isLost else { throw error }
            // It may be committed.
            connection.sendSignals()
            throw .commitOutcomeUnknown
        }
        guard result.commandTag == "COMMIT" else { throw .unavailable(.rolledBack) }
    }
}

/// The connection was lost before a transaction had begun on it.
struct NothingBegun: Error {}

extension PostgresConnection {
    /// A statement that is a transaction of its own.
    func runAlone(_ sql: SQL) throws(PostgresError) -> PostgresResult {
        signals.removeAll()
        do {
            let result = try run(sql)
            sendSignals()
            return result
        } catch .unavailable where isLost && !sql.isReading {
            throw .commitOutcomeUnknown
        }
    }
}

extension SQL {
    fileprivate var isReading: Bool {
        parts[0].drop { $0.isWhitespace }.prefix(6).uppercased() == "SELECT"
    }
}
