import Testing

@testable import Postgres

@Suite("Why connecting fails")
struct ConnectFailureTests {
    /// libpq's message about several hosts, one line or two for each.
    private static func message(_ causes: [String]) -> String {
        causes.enumerated().map { place, cause in
            "connection to server at \"database \(place)\" (10.0.0.\(place)), port 5432 failed: \(cause)"
        }.joined(separator: "\n") + "\n"
    }

    private static let refused =
        "Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?"
    private static let readOnly = "session is read-only"

    /// Guard: of several hosts' faults the one that says most is reported (`ConnectFailure.signs`)
    @Test(
        "of several hosts the cause that says most is the reason",
        arguments: [
            ([refused], ConnectFailure.nothingListens), ([readOnly], .takesNoWrites),
            ([refused, readOnly], .takesNoWrites), ([readOnly, refused], .takesNoWrites),
            ([refused, "timeout expired"], .nothingListens),
            ([refused, "FATAL:  password authentication failed for user \"u\""], .wrongPassword),
            (["FATAL:  the database system is not yet accepting connections", readOnly], .startingUp),
            (["FATAL:  the database system is not accepting connections"], .startingUp),
            (["FATAL:  database \"x\" does not exist", refused], .unknownDatabase),
            (
                [
                    "FATAL:  permission denied for database \"x\"\nDETAIL:  User does not have CONNECT privilege."
                ], .noConnectRight
            ),
            (["FATAL:  database \"x\" is not currently accepting connections"], .startingUp),
            (["something new"], .other), ([refused, "something new"], .nothingListens),
        ])
    func reasons(causes: [String], expected: ConnectFailure) {
        #expect(ConnectFailure(libpq: Self.message(causes)) == expected)
    }
}
