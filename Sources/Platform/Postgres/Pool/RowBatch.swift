/// The rows that a statement of `executeInBatches` works on: `LIMIT \(batch)`.
package struct RowBatch: Sendable {
    /// The largest number of rows.
    let limit: Int
    /// The rows at the head that failed alone.
    let skipped: Int
}

extension SQL.Interpolation {
    package mutating func appendInterpolation(_ batch: RowBatch) {
        appendInterpolation(batch.limit)
        appendLiteral(" OFFSET ")
        appendInterpolation(batch.skipped)
    }
}

/// An error of a time at which nothing can be done. It says nothing about the rows at work.
package protocol Untimely: Error {}

extension Error {
    /// Whether the cause may be one of the rows at work, so that the others can be done without it. Otherwise the cause is the
    /// database, the connection, the time or a cancellation, and each of the rows would fail.
    package var isOfRows: Bool {
        switch self {
        case is CancellationError, is any Untimely: return false
        case let error as PostgresError: return error.isOfRow
        default: return true
        }
    }
}

extension PostgresError {
    fileprivate var isOfRow: Bool {
        switch self {
        case .server(let report):
            report.isUnknownZone || report.fault == .statement || report.fault == .text
        case .unavailable(.statementTimeout), .unavailable(.lockTimeout), .nulInText, .decoding: true
        case .unavailable, .acquireTimeout, .commitOutcomeUnknown: false
        }
    }
}
