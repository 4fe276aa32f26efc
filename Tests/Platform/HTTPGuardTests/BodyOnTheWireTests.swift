import DaylyTesting
import Foundation
import HTTPKit
import HTTPTesting
import Testing

@testable import HTTPGuard

@Suite("Bodies over real sockets", .serialized)
struct BodyOnTheWireTests {
    private func quick() -> HTTPServerOptions {
        var options = HTTPServerOptions()
        options.headerTimeout = .milliseconds(300)
        options.idleTimeout = .milliseconds(600)
        options.bodyGrace = .milliseconds(200)
        options.drainTimeout = .milliseconds(800)
        options.maxDrainBytes = TestServer.uploadLimit + 64 << 10
        return options
    }

    private static func post(_ path: String, _ fields: String) -> String {
        "POST /v1/\(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n"
    }

    private static func code(_ reply: RawConnection.Reply) throws -> String {
        try JSONDecoder().decode(ProblemBody.self, from: Data(reply.body.utf8)).code.rawValue
    }

    @Test(
        "an upload as large as the limit is accepted, with and without Content-Length, and the connection stays open"
    )
    func taken() async throws {
        let limit = TestServer.uploadLimit
        try await TestServer.app(options: quick()).withConnection { connection in
            try await connection.send(Self.post("upload", "Content-Length: \(limit)"))
            #expect(await connection.send(zeros: limit))
            #expect(try await connection.reply()?.body == #"{"bytes":1048576}"#)
            try await connection.send(Self.post("upload", "Transfer-Encoding: chunked"))
            #expect(await connection.send(zeros: limit, chunked: true))
            try await connection.send("0\r\n\r\n")
            #expect(try await connection.reply()?.body == #"{"bytes":1048576}"#)
        }
    }

    /// Guard: the size of a body is bounded, as declared and as received (HTTPKit `readBody`,
    /// `declaredLength`)
    @Test(
        "a length beyond the limit is refused before the body, chunks beyond it after, and both clients get the reason"
    )
    func tooLarge() async throws {
        let limit = TestServer.uploadLimit
        try await TestServer.app(options: quick()).withPort { port in
            try await RawConnection.open(port: port) { connection in
                try await connection.send(Self.post("upload", "Content-Length: \(limit + 1)"))
                let reply = try #require(try await connection.reply())
                #expect(reply.status == 413)
                #expect(try Self.code(reply) == "upload_too_large")
                #expect(reply.headers["connection"] == "close")
                #expect(await connection.send(zeros: limit + 1))
                #expect(try await connection.restUntilClosed() == "")
            }
            try await RawConnection.open(port: port) { connection in
                try await connection.send(Self.post("upload", "Transfer-Encoding: chunked"))
                // The client sends a tenth more than the limit before it reads the answer.
                #expect(await connection.send(zeros: limit / 10 * 11, chunked: true))
                try await connection.send("0\r\n\r\n")
                let reply = try #require(try await connection.reply())
                #expect(reply.status == 413)
                #expect(try Self.code(reply) == "upload_too_large")
                #expect(try await connection.restUntilClosed() == "")
            }
        }
    }

    /// Guard: a refused body is drained, up to a limit and a deadline (HTTPGuard
    /// `ConnectionState.allAnswered`, `ConnectionState.bodyArrived`)
    @Test("an endless body is cut off after the limit and 64 KB")
    func endless() async throws {
        var options = quick()
        // The limit on bytes must end the drain, not its timeout.
        options.drainTimeout = .seconds(60)
        try await TestServer.app(options: options).withConnection { connection in
            try await connection.send(Self.post("refused", "Transfer-Encoding: chunked"))
            // This is far more than the buffers of both kernels hold.
            #expect(await connection.send(zeros: 64 << 20, chunked: true) == false)
        }
    }

    /// Guard: a refused body is drained, up to a limit and a deadline (HTTPGuard
    /// `ConnectionState.allAnswered`, `ConnectionState.bodyArrived`)
    @Test("a client that is refused early can send the whole body and read the answer")
    func refused() async throws {
        try await TestServer.app(options: quick()).withConnection { connection in
            try await connection.send(Self.post("refused", "Content-Length: \(TestServer.uploadLimit)"))
            #expect(await connection.send(zeros: TestServer.uploadLimit))
            let reply = try #require(try await connection.reply())
            #expect(reply.status == 409)
            #expect(reply.headers["connection"] == "close")
            #expect(try await connection.restUntilClosed() == "")
        }
    }

    @Test("a refused small body does not end the connection")
    func smallRefused() async throws {
        try await TestServer.app(options: quick()).withConnection { connection in
            for _ in 0..<2 {
                try await connection.send(Self.post("refused", "Content-Length: 5") + "hel")
                try await connection.send("lo")
                let reply = try #require(try await connection.reply())
                #expect(reply.status == 409)
                #expect(reply.headers["connection"] == nil)
            }
        }
    }

    /// Guard: a refused body is drained, up to a limit and a deadline (HTTPGuard
    /// `ConnectionState.allAnswered`, `ConnectionState.bodyArrived`)
    @Test("a refused body that does not arrive ends the connection in time")
    func refusedAndSlow() async throws {
        try await TestServer.app(options: quick()).withConnection { connection in
            try await connection.send(Self.post("refused", "Content-Length: \(TestServer.uploadLimit)"))
            #expect(try await connection.reply()?.status == 409)
            #expect(try await connection.restUntilClosed(within: .seconds(4)) == "")
        }
    }

    /// Guard: `100 Continue` is sent for wanted bodies only (HTTPGuard `ConnectionState.continueRequested`)
    @Test("100 Continue is sent when the handler reads the body, and not when it refuses")
    func expect() async throws {
        try await TestServer.app(options: quick()).withPort { port in
            try await RawConnection.open(port: port) { connection in
                for _ in 0..<2 {
                    try await connection.send(
                        Self.post("upload", "Content-Length: 5\r\nExpect: 100-continue"))
                    let interim = try #require(try await connection.reply())
                    #expect(interim == .init(status: 100, headers: [:], body: ""))
                    try await connection.send("hello")
                    #expect(try await connection.reply()?.status == 201)
                }
            }
            for path in ["refused", "nowhere", "json"] {
                try await RawConnection.open(port: port) { connection in
                    try await connection.send(
                        Self.post(path, "Content-Length: 500000\r\nExpect: 100-continue"))
                    let reply = try #require(try await connection.reply())
                    #expect(reply.status >= 400)
                    #expect(reply.headers["connection"] == "close")
                    #expect(try await connection.restUntilClosed(within: .seconds(4)) == "")
                }
            }
        }
    }

    /// Guard: a body must arrive in time and at a pace (HTTPGuard `BodyProgress.isTooSlow`)
    @Test("a slow body is 408, and its memory is given back")
    func slowBody() async throws {
        let budget = BodyBudget(maxBytes: 4 << 20)
        try await TestServer.app(options: quick(), budget: budget).withConnection { connection in
            try await connection.send(Self.post("upload", "Content-Length: 100000"))
            try await eventually { budget.reservedBytes > 0 }
            #expect(budget.reservedBytes == 100_000)
            for _ in 0..<8 {
                try await connection.send("x")
                try await Task.sleep(for: .milliseconds(50))
            }
            let reply = try #require(try await connection.reply(within: .seconds(4)))
            #expect(reply.status == 408)
            #expect(reply.headers["connection"] == "close")
            #expect(try await connection.restUntilClosed(within: .seconds(4)) == "")
            #expect(budget.reservedBytes == 0)
        }
    }

    /// Guard: a body must arrive in time and at a pace (HTTPGuard `BodyProgress.isTooSlow`)
    @Test("a body must be complete in time, however steadily it arrives")
    func bodyTimeout() async throws {
        var options = quick()
        options.minBodyBytesPerSecond = 1
        options.bodyTimeout = .milliseconds(500)
        try await TestServer.app(options: options).withConnection { connection in
            try await connection.send(Self.post("upload", "Content-Length: 100000"))
            let start = ContinuousClock.now
            while start.duration(to: .now) < .milliseconds(700) {
                try await connection.send("xxxxxxxx")
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await connection.reply(within: .seconds(2))?.status == 408)
        }
    }

    /// Guard: a header must arrive in time (HTTPGuard `ConnectionState.deadlinePassed`)
    @Test("a slow header is 408, and a silent connection is closed without an answer")
    func slowHeader() async throws {
        try await TestServer.app(options: quick()).withPort { port in
            try await RawConnection.open(port: port) { connection in
                let rest = try await connection.restUntilClosed(within: .seconds(4))
                #expect(rest == "")
            }
            try await RawConnection.open(port: port) { connection in
                for character in "GET /v1/he" {
                    try await connection.send(String(character))
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(try await connection.reply(within: .seconds(4))?.status == 408)
            }
            // The same holds behind a valid request, where the idle timeout is longer.
            try await RawConnection.open(port: port) { connection in
                try await connection.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await connection.reply()?.status == 200)
                try await connection.send("GET /v1/he")
                #expect(try await connection.reply(within: .seconds(4))?.status == 408)
            }
        }
    }

    /// Guard: an idle connection ends (HTTPGuard `ConnectionState.allAnswered`)
    @Test("an idle connection is closed")
    func idle() async throws {
        try await TestServer.app(options: quick()).withConnection { connection in
            try await connection.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await connection.reply()?.status == 200)
            #expect(try await connection.restUntilClosed(within: .seconds(4)) == "")
        }
    }

    @Test("clients that leave midway leave no memory reserved")
    func vanishing() async throws {
        let budget = BodyBudget(maxBytes: 64 << 20)
        try await TestServer.app(options: quick(), budget: budget).withPort { port in
            for _ in 0..<20 {
                try await RawConnection.open(port: port) { connection in
                    try await connection.send(Self.post("upload", "Content-Length: 1000000"))
                    #expect(await connection.send(zeros: 200_000))
                }
            }
            try await eventually("the return of all memory") { budget.reservedBytes == 0 }
        }
    }

    @Test("a body that ends early is 400")
    func cutOff() async throws {
        try await TestServer.app(options: quick()).withConnection { connection in
            try await connection.send(Self.post("upload", "Content-Length: 1000") + "x")
            connection.endSending()
            #expect(try await connection.reply()?.status == 400)
        }
    }

    /// Guard: memory of bodies in flight (HTTPKit `BodyBudget.reserve`, its `deinit`)
    @Test("memory is reserved before the first byte is read")
    func budget() async throws {
        let budget = BodyBudget(maxBytes: 1 << 20)
        try await TestServer.app(options: quick(), budget: budget).withPort { port in
            try await RawConnection.open(port: port) { first in
                try await first.send(Self.post("upload", "Content-Length: 1000000"))
                #expect(await first.send(zeros: 500_000))
                try await eventually { budget.reservedBytes == 1_000_000 }
                try await RawConnection.open(port: port) { second in
                    try await second.send(Self.post("upload", "Content-Length: 100000"))
                    let reply = try #require(try await second.reply())
                    #expect(reply.status == 503)
                    #expect(reply.headers["retry-after"] != nil)
                }
                #expect(await first.send(zeros: 500_000))
                #expect(try await first.reply()?.status == 201)
            }
        }
    }
}
