import DaylyAPI
import HTTPKit
import ObjectStorage
import Postgres
import RateLimiting

/// The problems that errors of the layers below are, wherever they come from. What is not here and is no
/// `ProblemConvertible` is nobody's expectation: it is logged in full and answered as 500.
enum ErrorMapping {
    static func problem(for error: any Error) -> Problem? {
        switch error {
        case let error as PostgresError: problem(for: error)
        case let error as ObjectStoreError: problem(for: error)
        // What cannot be counted is not allowed.
        case is RateLimitsUnavailable: .unavailable()
        case is CancellationError: .unavailable()
        default: nil
        }
    }

    private static func problem(for error: PostgresError) -> Problem? {
        switch error {
        case .acquireTimeout: .overloaded()
        case .unavailable, .commitOutcomeUnknown: .unavailable()
        case .nulInText: .invalidRequest("Text may not hold the character U+0000.")
        case .server(let report): problem(forSQLState: report.sqlState)
        case .decoding: nil
        }
    }

    /// By class (PostgreSQL's appendix A): connections and shutdowns are a dependency that is down; too little of
    /// something, conflicts that outlasted the retries and timeouts are too much to do.
    private static func problem(forSQLState state: String) -> Problem? {
        switch (state.prefix(2), state) {
        case (_, "57P01"), (_, "57P02"), (_, "57P03"), (_, "57P05"), ("08", _), (_, "25006"): .unavailable()
        case (_, "40001"), (_, "40P01"), (_, "55P03"), (_, "57014"), ("53", _): .overloaded()
        case (_, "22021"): .invalidRequest("Text holds a character that cannot be stored.")
        default: nil
        }
    }

    private static func problem(for error: ObjectStoreError) -> Problem? {
        switch error {
        case .notFound: .notFound
        case .unavailable, .rejected, .corrupted:
            Problem(
                .serviceUnavailable, .storageUnavailable, "The photo store is down. Try again shortly.",
                retryAfter: .seconds(5))
        }
    }
}
