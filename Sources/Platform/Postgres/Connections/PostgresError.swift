/// The reason why a statement or a transaction failed. Its printed form never holds the database's URL, a password or a
/// parameter's value.
package enum PostgresError: Error, Equatable {
    /// PostgreSQL refused the statement.
    case server(PostgresServerError)
    /// No connection became free within `acquireTimeout`, or too many requests were waiting already.
    case acquireTimeout
    /// No connection, a connection lost before COMMIT, a timeout or a cancelled task: nothing was changed.
    case unavailable(Unavailability)
    /// The connection was lost during COMMIT, or during a statement that is its own transaction: it may have taken
    /// effect.
    case commitOutcomeUnknown
    /// A text parameter holds a NUL character, which PostgreSQL cannot store.
    case nulInText
    /// A column is missing, is NULL or has another type than the caller asked for, or a value cannot be sent.
    case decoding(String)
}

/// Why the database did not do what it was asked, when nothing was changed. Its text is a clause without a full stop.
package enum Unavailability: Sendable, Equatable {
    /// No connection could be made, or the server of this one stopped taking writes.
    case connecting(ConnectFailure)
    /// The pool waited too long for a new connection.
    case connectingTooSlow
    case connectionLost
    /// The server accepted a connection and then did not answer.
    case noAnswer
    /// The task of the caller was cancelled.
    case cancelled
    /// The server ended the statement, because it was cancelled or reached `statement_timeout`.
    case statementTimeout
    case lockTimeout
    /// PostgreSQL's class 53: memory, disk or connections, with the SQLSTATE.
    case lacksResources(String)
    /// A statement after the end of its transaction.
    case transactionOver
    /// PostgreSQL answered COMMIT by ROLLBACK.
    case rolledBack
    /// `PostgresClient.close()` was called.
    case clientClosed
    /// This process has no memory or file descriptor left for a connection.
    case lacksOwnResources
}

extension Unavailability: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        switch self {
        case .connecting(let failure): failure.description
        case .connectingTooSlow: "connecting to the database takes too long"
        case .connectionLost: "the connection to the database was lost"
        case .noAnswer: "the database did not answer in time"
        case .cancelled: "cancelled"
        case .statementTimeout: "the statement was cancelled or took too long"
        case .lockTimeout: "a lock was not granted in time"
        case .lacksResources(let state):
            switch state {
            case "53100": "the disk of the database is full"
            case "53200": "the database is out of memory"
            case "53300": "the database has no connection left"
            default: "the database lacks resources (\(state))"
            }
        case .transactionOver: "the transaction is over"
        case .rolledBack: "the transaction was rolled back"
        case .clientClosed: "the client is closed"
        case .lacksOwnResources: "this process has no memory or file descriptor left for a connection"
        }
    }

    package var debugDescription: String { description }
}

/// PostgreSQL's own error report.
package struct PostgresServerError: Error, Equatable {
    /// Five characters; see "PostgreSQL Error Codes" in its documentation.
    package let sqlState: String
    package let message: String
    /// May hold values of the row, so it must not be logged.
    package let detail: String?
    package let constraint: String?
    package let table: String?
    /// Whether a prepared statement's plan is gone or no longer fits the schema. Nothing was executed then.
    let isStalePlan: Bool
    /// Whether a name is not that of a time zone.
    let isUnknownZone: Bool

    package init(
        sqlState: String, message: String, detail: String? = nil, constraint: String? = nil,
        table: String? = nil
    ) {
        self.init(
            sqlState: sqlState, message: message, detail: detail, constraint: constraint, table: table,
            isStalePlan: false, isUnknownZone: false)
    }

    init(
        sqlState: String, message: String, detail: String?, constraint: String?, table: String?,
        isStalePlan: Bool, isUnknownZone: Bool
    ) {
        self.sqlState = sqlState
        self.message = message
        self.detail = detail
        self.constraint = constraint
        self.table = table
        self.isStalePlan = isStalePlan
        self.isUnknownZone = isUnknownZone
    }
}

extension PostgresServerError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Leaves out the detail, and the message of class 22, in which PostgreSQL quotes values.
    package var description: String {
        var text = "PostgreSQL error \(sqlState)"
        if !sqlState.hasPrefix("22") { text += ": \(message)" }
        if let constraint { text += " (constraint \(constraint))" }
        if let table { text += " (table \(table))" }
        return text
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["sqlState": sqlState]) }
}

extension PostgresError {
    /// Whether the transaction was rolled back because of others or of rows that can be mended, so that it may succeed when it
    /// runs again.
    var isWorthRepeating: Bool {
        guard case .server(let error) = self else { return false }
        return error.sqlState == "40001" || error.sqlState == "40P01" || error.isStalePlan
            || error.isUnknownZone
    }

    package var sqlState: String? {
        if case .server(let error) = self { error.sqlState } else { nil }
    }

    /// The name of the violated constraint.
    package var constraint: String? {
        if case .server(let error) = self { error.constraint } else { nil }
    }
}
