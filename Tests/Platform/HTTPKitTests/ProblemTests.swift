import DaylyAPI
import DaylyTesting
import HTTPTesting
import Hummingbird
import HummingbirdTesting
import Testing

@testable import HTTPKit

@Suite("Problems")
struct ProblemTests {
    let log = RecordingLog()

    private func get(
        _ uri: String, method: HTTPRequest.Method = .get, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await TestServer.app(log: log).test(.router) { client in
            try await client.execute(uri: uri, method: method, headers: headers)
        }
    }

    @Test("an unknown path is a 404 with every member of a problem")
    func unknownPath() async throws {
        let response = try await get("/v1/nowhere")
        let problem = try response.problem()
        #expect(response.status == .notFound)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(problem.type == "/problems/not_found")
        #expect(problem.title == "Not found")
        #expect(problem.status == 404)
        #expect(problem.code == .notFound)
        #expect(problem.request_id == response.headers[.requestID])
    }

    /// Guard: paths are exact: no empty segment, one spelling of a file's key (`ExactPathMiddleware`,
    /// `FileURLSigner.Claim`)
    @Test(
        "a path is exact: with an empty segment it is another path, and not found",
        arguments: [
            "//v1/hello", "/v1//hello", "/v1/hello/", "/v1/hello//", "//", "/v1/items//", "/v1%2Fhello",
        ])
    func exactPath(path: String) async throws {
        let response = try await get(path)
        #expect(response.status == .notFound)
        #expect(try response.problem().code == .notFound)
        #expect(try await get("/v1/hello?x=//y/").status == .ok)
    }

    /// Guard: 405 for a known path (HTTPKit `AppRouter.refuseOtherMethods`)
    @Test(
        "a known path with another method is a 405 that says what is allowed",
        arguments: ["DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
    func wrongMethod(method: String) async throws {
        let response = try await get("/v1/hello", method: #require(HTTPRequest.Method(method)))
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, HEAD")
        #expect(try response.problem().code == .methodNotAllowed)
        let item = try await get("/v1/items/x", method: .post)
        #expect(item.headers[.allow] == "DELETE, GET, HEAD")
    }

    /// Guard: HEAD has no body (HTTPKit `RequestIDMiddleware`)
    @Test("HEAD answers like GET without the body, for errors too")
    func head() async throws {
        let response = try await get("/v1/hello", method: .head)
        #expect(response.status == .ok)
        #expect(response.headers[.contentLength] == "17")
        #expect(response.body.readableBytes == 0)
        let missing = try await get("/v1/nowhere", method: .head)
        #expect(missing.status == .notFound)
        #expect(missing.body.readableBytes == 0)
    }

    /// Guard: a 500 reveals nothing (HTTPKit `ProblemMiddleware`)
    @Test("an unexpected error is a 500 that does not describe it, and is logged in full with the request id")
    func unexpected() async throws {
        let response = try await get("/v1/fail/unexpected")
        #expect(response.status == .internalServerError)
        #expect(!String(buffer: response.body).contains("hunter2"))
        #expect(try response.problem().code == .internalError)
        let id = try #require(response.headers[.requestID])
        let line = try #require(log.lines.first { $0.hasPrefix("error") })
        #expect(line.contains("hunter2") && line.contains("request_id=\(id)"))
        #expect(line.contains("route=/v1/fail/{how}"))
    }

    @Test("a feature's error, a mapped one and Hummingbird's own become problems")
    func mapped() async throws {
        let full = try await get("/v1/fail/full")
        #expect(full.status == .conflict)
        #expect(try full.problem().code == .groupFull)
        #expect(try full.problem().seats == 0)

        let database = try await get("/v1/fail/database")
        #expect(database.status == .serviceUnavailable)
        #expect(database.headers[.retryAfter] == "3")

        let teapot = try await get("/v1/fail/teapot")
        #expect(teapot.status.code == 418)
        #expect(try teapot.problem().code == .invalidRequest)
        #expect(!String(buffer: teapot.body).contains("secret"))

        #expect(try await get("/v1/fail/gone").status == .serviceUnavailable)
        #expect(!log.lines.contains { $0.hasPrefix("error") })
    }

    /// Guard: a 401 has WWW-Authenticate: Bearer (HTTPKit `Problem.init`)
    @Test("401 says Bearer, 429 and 503 say when to retry")
    func headers() async throws {
        #expect(try await get("/v1/me").headers[.wwwAuthenticate] == "Bearer")
        #expect(try await get("/v1/fail/limited").headers[.retryAfter] == "2")
        #expect(Problem(.serviceUnavailable, .overloaded, "").headers[.retryAfter] == "1")
    }

    @Test(
        "a malformed id is a 404, whatever its form",
        arguments: ["x", "1", "%00", "{}", "0198c0de00007000800000000000abcd"])
    func malformedID(id: String) async throws {
        #expect(try await get("/v1/items/\(id)").status == .notFound)
    }

    @Test("an id is accepted in upper and lower case")
    func goodID() async throws {
        let response = try await get("/v1/items/0198C0DE-0000-7000-8000-00000000ABCD")
        #expect(String(buffer: response.body) == #"{"id":"0198c0de-0000-7000-8000-00000000abcd"}"#)
    }

    @Test("a code has a title")
    func titles() {
        #expect(ProblemCode.alreadySentToday.title == "Already sent today")
    }
}

@Suite("The headers of answers and the fields of log lines")
struct RequestTests {
    let log = RecordingLog()

    /// Guard: a foreign request id is harmless (HTTPKit `RequestID.accepted`)
    @Test(
        "a harmless request id is kept, any other is replaced",
        arguments: [("abc-12345", true), ("short", false), ("a b\"c'd{}ef", false)])
    func requestID(given: String, kept: Bool) async throws {
        try await TestServer.app(log: log).test(.router) { client in
            let response = try await client.execute(
                uri: "/v1/hello", method: .get, headers: [.requestID: given])
            let id = try #require(response.headers[.requestID])
            #expect((id == given) == kept)
            #expect(log.lines.contains { $0.hasPrefix("info request ") && $0.contains("request_id=\(id)") })
        }
    }

    @Test("a new request id is a random UUID, in lower case")
    func newRequestIDs() throws {
        let ids = (0..<1_000).map { _ in RequestID.new() }
        #expect(Set(ids).count == ids.count)
        // RFC 9562, section 5.4: the version is 4, and the variant's two bits are 10.
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(ids.allSatisfy { $0.wholeMatch(of: form) != nil })
        // All digits of the random bits occur.
        #expect(Set(ids.map { $0.suffix(1) }).count == 16 && Set(ids.map { $0.prefix(1) }).count == 16)
    }

    /// Guard: answers are not stored (HTTPKit `RequestIDMiddleware`)
    @Test("answers forbid storing and sniffing")
    func headers() async throws {
        try await TestServer.app(log: log).test(.router) { client in
            for uri in ["/v1/hello", "/v1/nowhere"] {
                let response = try await client.execute(uri: uri, method: .get)
                #expect(response.headers[.cacheControl] == "no-store")
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
            }
        }
    }

    /// Guard: a log line has the route's template (HTTPKit `RequestLogMiddleware`)
    @Test("a log line has the template, never the path or the query")
    func line() async throws {
        try await TestServer.app(log: log).test(.router) { client in
            _ = try await client.execute(uri: "/v1/items/ABC234?signature=s3cret", method: .get)
            _ = try await client.execute(uri: "/v1/nowhere/ABC234", method: .get)
        }
        #expect(!log.lines.joined().contains("ABC234"))
        #expect(!log.lines.joined().contains("s3cret"))
        #expect(log.lines.contains { $0.contains("route=/v1/items/{id}") && $0.contains("status=404") })
        #expect(log.lines.contains { $0.contains("route=unmatched") })
        #expect(log.lines.filter { $0.contains("request ") }.allSatisfy { $0.contains("milliseconds=") })
    }

    @Test("the same answer has the same tag, and is not sent twice")
    func conditional() async throws {
        try await TestServer.app(log: log).test(.router) { client in
            let first = try await client.execute(uri: "/v1/same", method: .get)
            let etag = try #require(first.headers[.eTag])
            #expect(first.headers[.cacheControl] == "private, no-cache")
            for given in [etag, "W/\(etag)", "\"other\", \(etag)", "*"] {
                let again = try await client.execute(
                    uri: "/v1/same", method: .get, headers: [.ifNoneMatch: given])
                #expect(again.status == .notModified)
                #expect(again.headers[.eTag] == etag)
                #expect(again.body.readableBytes == 0)
            }
            let other = try await client.execute(
                uri: "/v1/same", method: .get, headers: [.ifNoneMatch: "\"x\""])
            #expect(other.status == .ok)
        }
    }
}
