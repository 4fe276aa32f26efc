import DaylyAPI
import HTTPKit
import ObjectStorage
import Postgres
import RateLimiting

/// Maps errors of the platform to problems. An error that is neither here nor `ProblemConvertible` is unexpected: it is
/// logged in full and answered by 500.
enum ErrorMapping {
    static func problem(for error: any Error) -> Problem? {
        switch error {
        case let error as PostgresError: problem(for: error)
        case let error as ObjectStoreError: problem(for: error)
        // A request whose limits cannot be counted is refused.
        case is RateLimitsUnavailable: .unavailable()
        case is CancellationError: .unavailable()
        default: nil
        }
    }

    private static func problem(for error: PostgresError) -> Problem? {
        switch error {
        case .acquireTimeout: .overloaded()
        case .unavailable, .commitOutcomeUnknown: .unavailable()
        case .nulInText: .invalidRequest("Text must not contain the character U+0000.")
        case .server(let report): problem(forSQLState: report.sqlState)
        case .decoding: nil
        }
    }

    /// By class (PostgreSQL's appendix A): lost connections and shutdowns mean that a dependency is down. A lack of
    /// resources, conflicts that outlasted the retries, and timeouts mean overload.
    private static func problem(forSQLState state: String) -> Problem? {
        switch (state.prefix(2), state) {
        case (_, "57P01"), (_, "57P02"), (_, "57P03"), (_, "57P05"), ("08", _), (_, "25006"): .unavailable()
        case (_, "40001"), (_, "40P01"), (_, "55P03"), (_, "57014"), ("53", _): .overloaded()
        case (_, "22021"): .invalidRequest("Text contains a character that cannot be stored.")
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
