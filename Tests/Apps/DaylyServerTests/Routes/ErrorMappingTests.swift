import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import ObjectStorage
import Postgres
import Testing

@testable import DaylyServer

/// Guard: each error of a lower layer has its own problem (`ErrorMapping`)
@Suite("Errors of the platform")
struct ErrorMappingTests {
    @Test(
        "each error is one problem",
        arguments: [
            (PostgresError.acquireTimeout, 503, ProblemCode.overloaded),
            (.unavailable(.connectionLost), 503, .unavailable),
            (.commitOutcomeUnknown, 503, .unavailable),
            (.nulInText, 400, .invalidRequest),
            (server("57P01"), 503, .unavailable), (server("57P03"), 503, .unavailable),
            (server("08006"), 503, .unavailable), (server("40001"), 503, .overloaded),
            (server("40P01"), 503, .overloaded), (server("55P03"), 503, .overloaded),
            (server("57014"), 503, .unavailable), (server("53100"), 503, .unavailable),
            (server("22021"), 400, .invalidRequest),
        ])
    func postgres(_ error: PostgresError, _ status: Int, _ code: ProblemCode) throws {
        let problem = try #require(ErrorMapping.problem(for: error))
        #expect(problem.status.code == status)
        #expect(problem.code == code)
        #expect((problem.headers[.retryAfter] != nil) == (status == 503))
        #expect(!problem.detail.contains("secret"))
    }

    @Test("an unexpected error stays an error", arguments: ["23505", "42P01", "22012"])
    func unexpected(_ state: String) {
        #expect(ErrorMapping.problem(for: Self.server(state)) == nil)
        #expect(ErrorMapping.problem(for: PostgresError.decoding("x")) == nil)
    }

    struct StateCase: Decodable {
        let input: String
        let want: Int
    }

    @Test(
        "every SQLSTATE of PostgreSQL has its status: 503 with Retry-After where the fault is the database's")
    func everyState() throws {
        let cases = try outsideCases("sqlstates.json", of: StateCase.self)
        for each in cases {
            let problem = ErrorMapping.problem(for: Self.server(each.input))
            #expect(problem?.status.code ?? 500 == each.want, "\(each.input)")
            #expect((problem?.headers[.retryAfter] != nil) == (each.want == 503), "\(each.input)")
        }
        let list = "/usr/share/postgresql/15/errcodes.txt"
        guard let text = try? String(contentsOfFile: list, encoding: .utf8) else { return }
        let states = text.split(separator: "\n").filter { $0.firstMatch(of: #/^[0-9A-Z]{5} +[SWE] /#) != nil }
        #expect(Set(states.map { $0.prefix(5) }).isSubset(of: cases.map { $0.input[...] }))
        #expect(states.count > 200)
    }

    @Test("a failing store is a storage problem whose detail does not quote the store")
    func store() throws {
        let problem = try #require(ErrorMapping.problem(for: ObjectStoreError.unavailable("http://10.0.0.1")))
        #expect(problem.code == .storageUnavailable)
        #expect(!problem.detail.contains("10.0.0.1"))
    }

    private static func server(_ state: String) -> PostgresError {
        .server(
            PostgresServerError(
                sqlState: state, message: "secret detail", detail: nil, constraint: nil, table: nil))
    }
}
