/// A running transaction. Its calls block the connection's own thread. It ends when the body that got it returns or
/// throws.
package final class PostgresTransaction {
    private let connection: PostgresConnection
    private var isOver = false
    /// The last error of a statement; the body may have caught it.
    private var failure: PostgresError?

    private init(on connection: PostgresConnection) { self.connection = connection }

    package func query(_ sql: SQL) throws(PostgresError) -> [PostgresRow] { try run(sql).rows }

    /// The first row, if there is any.
    package func first(_ sql: SQL) throws(PostgresError) -> PostgresRow? { try run(sql).rows.first }

    /// The first row of a statement that always returns one.
    package func one(_ sql: SQL) throws(PostgresError) -> PostgresRow {
        guard let row = try first(sql) else {
            throw .decoding("a statement that must return a row returned none")
        }
        return row
    }

    /// - Returns: the number of rows inserted, changed or deleted.
    @discardableResult
    package func execute(_ sql: SQL) throws(PostgresError) -> Int { try run(sql).affectedRows }

    /// Sends a signal to the subscribers of its channel after the commit: directly in this process, through a
    /// `CommitNotifier` in others.
    package func signal(_ signal: CommitSignal) { connection.signals.add(signal) }

    var timeAgreement: TimeAgreement { connection.configuration.timeAgreement }

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
            if connection.isLost { throw NothingDone(reason: .connectionLost) }
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
            if connection.isReadOnly { throw NothingDone.takesNoWrites }
            // The body may have translated the error. The original decides whether the transaction runs again.
            if isDoomed, let failure = transaction.failure, failure.isWorthRepeating { throw failure }
            throw error
        }
        transaction.isOver = true
        try commit(connection)
        connection.sendSignals()
        return value
    }

    /// Refuses to commit after a failed statement: PostgreSQL would answer such a COMMIT with ROLLBACK, which it does
    /// not report as an error.
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
            // The server may have committed, so subscribers must look.
            connection.sendSignals()
            throw .commitOutcomeUnknown
        }
        guard result.commandTag == "COMMIT" else { throw .unavailable(.rolledBack) }
        if connection.signals.isCommitAlone {
            connection.sendSignals()
            throw .commitOutcomeUnknown
        }
    }
}

/// Thrown when the server has done nothing of a transaction, so that it may be repeated on another connection: the
/// connection was lost before it began, or the server takes no writes.
struct NothingDone: Error {
    static let takesNoWrites = NothingDone(reason: .connecting(.takesNoWrites))

    let reason: Unavailability
}

extension PostgresConnection {
    /// Runs a statement that is a transaction of its own.
    ///
    /// - Throws: `PostgresError`, `NothingDone`.
    func runAlone(_ sql: SQL) throws -> PostgresResult {
        signals.removeAll()
        do {
            let result = try run(sql)
            let isCommitAlone = signals.isCommitAlone
            sendSignals()
            if isCommitAlone { throw PostgresError.commitOutcomeUnknown }
            return result
        } catch PostgresError.unavailable where isReadOnly {
            throw NothingDone.takesNoWrites
        } catch PostgresError.unavailable where isLost && !sql.isReading {
            throw PostgresError.commitOutcomeUnknown
        }
    }
}

extension SQL {
    fileprivate var isReading: Bool {
        parts[0].drop { $0.isWhitespace }.prefix(6).uppercased() == "SELECT"
    }
}
