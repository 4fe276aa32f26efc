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
        case .server(let report): problem(for: report.fault)
        case .decoding: nil
        }
    }

    private static func problem(for fault: ServerFault) -> Problem? {
        switch fault {
        case .database: .unavailable()
        case .contention: .overloaded()
        case .text: .invalidRequest("Text contains a character that cannot be stored.")
        case .statement: nil
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
