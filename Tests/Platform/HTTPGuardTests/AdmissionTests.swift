import DaylyTesting
import Foundation
import HTTPKit
import HTTPTesting
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import HTTPGuard

@Suite("Admission over real sockets", .serialized)
struct AdmissionTests {
    /// A service with routes that wait until the test opens them.
    private final class Server: Sendable {
        let admission: Admission
        let log = RecordingLog()
        private let options: HTTPServerOptions
        private let connections: ConnectionLimit
        private let isOpen = Atomic(false)
        let waiting = Atomic(0)
        let read = Atomic(0)

        init(
            short: Int = 1, bulk: Int = 1, room: Int = .max, pendingBytes: Int = 1 << 20,
            connections: Int = 100,
            options: HTTPServerOptions = HTTPServerOptions()
        ) {
            var limits = Admission.Limits()
            limits.short = short
            limits.bulk = bulk
            limits.pendingBytes = pendingBytes
            admission = Admission(
                limits: limits, logger: log.logger,
                routes: RouteTable([
                    RouteTable(.get, "/healthz", .exempt), RouteTable(.get, "/bulk/hello", .bulk),
                    RouteTable(.get, "/bulk/wait", .bulk), RouteTable(.post, "/bulk/echo", .bulk),
                ]),
                hasRoom: { length in (length ?? .max) < room })
            self.options = options
            self.connections = ConnectionLimit(maxConnections: connections + 1)
        }

        func open() { isOpen.store(true, ordering: .relaxed) }

        func waitFor(_ count: Int) async throws {
            try await eventually(every: .milliseconds(2)) { waiting.load(ordering: .relaxed) >= count }
        }

        /// The open connections without the one of the testing framework.
        var openConnections: Int { connections.openConnections - 1 }

        private func wait() async throws {
            waiting.add(1, ordering: .relaxed)
            try await eventually(every: .milliseconds(2)) { isOpen.load(ordering: .relaxed) }
            waiting.subtract(1, ordering: .relaxed)
        }

        var app: some ApplicationProtocol {
            let router = AppRouter()
            for path in ["hello", "healthz", "bulk/hello"] {
                router.get(RouterPath(path)) { _, _ in Reply(["hello": "world"]) }
            }
            for path in ["wait", "bulk/wait"] {
                router.get(RouterPath(path)) { _, _ in
                    try await self.wait()
                    return Reply(["waited": "yes"])
                }
            }
            router.get("stream") { _, _ in
                Response(
                    status: .ok,
                    body: .init { writer in
                        try await writer.write(ByteBuffer(string: "first"))
                        try await self.wait()
                        try await writer.write(ByteBuffer(string: "last"))
                        try await writer.finish(nil)
                    })
            }
            for path in ["echo", "bulk/echo"] {
                router.post(RouterPath(path)) { request, context in
                    let body = try await request.collectBody(
                        maxBytes: 1 << 20, budget: BodyBudget(maxBytes: 1 << 20), context: context
                    ).buffer
                    self.read.add(1, ordering: .relaxed)
                    return Reply(["bytes": body.readableBytes])
                }
            }
            return Application(
                router: router,
                server: options.serverBuilder(admission: admission, connections: connections),
                logger: log.logger)
        }
    }

    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

    private static func post(_ path: String, _ fields: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n"
    }

    private static func expectOverloaded(_ reply: RawConnection.Reply?) throws {
        let reply = try #require(reply)
        #expect(reply.status == 503)
        #expect((1...4).contains(Int(reply.headers["retry-after"] ?? "") ?? 0))
        #expect(reply.headers["content-type"] == "application/problem+json")
        let problem = try JSONDecoder().decode(ProblemBody.self, from: Data(reply.body.utf8))
        #expect(problem.code == .overloaded)
        #expect(problem.status == 503)
        #expect(problem.request_id == reply.headers["x-request-id"])
    }

    /// Guard: requests beyond a lane's places are refused; health never is (Resilience `Gate.enter`,
    /// `Bounds.routes`)
    @Test(
        "a request without a place is refused at once, its connection stays open, and a later request gets a place"
    )
    func full() async throws {
        let server = Server(short: 2)
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { first in
                try await first.send(Self.get("/wait"))
                try await RawConnection.open(port: port) { second in
                    try await second.send(Self.get("/wait"))
                    try await server.waitFor(2)
                    #expect(server.admission.inFlight(.short) == 2)
                    try await RawConnection.open(port: port) { third in
                        for _ in 0..<2 {
                            try await third.send(Self.get("/hello"))
                            let reply = try await third.reply()
                            try Self.expectOverloaded(reply)
                            #expect(reply?.headers["connection"] == nil)
                        }
                        try await third.send(
                            "HEAD /hello HTTP/1.1\r\nHost: x\r\nX-Request-ID: my-own-name\r\n\r\n")
                        #expect(try await third.head() == 503)
                        server.open()
                        #expect(try await first.reply()?.status == 200)
                        #expect(try await second.reply()?.status == 200)
                        try await third.send(Self.get("/hello"))
                        #expect(try await third.reply()?.status == 200)
                    }
                }
            }
        }
        #expect(server.admission.inFlight(.short) == 0)
        let lines = server.log.lines.filter { $0.contains("requests are refused") }
        #expect(lines.count == 1)
    }

    /// Guard: a refusal reads no body and affects no other request (HTTPGuard `ConnectionState.headArrived`)
    @Test("a request is refused before its body is read, and never reaches a handler")
    func bodyUnread() async throws {
        let server = Server(short: 1, bulk: 0)
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { holder in
                try await holder.send(Self.get("/wait"))
                try await server.waitFor(1)
                for (path, fields) in [
                    ("/echo", "Content-Length: 1000"), ("/bulk/echo", "Content-Length: 500000"),
                    ("/bulk/echo", "Transfer-Encoding: chunked"),
                    ("/bulk/echo", "Content-Length: 900000\r\nExpect: 100-continue"),
                ] {
                    try await RawConnection.open(port: port) { connection in
                        try await connection.send(Self.post(path, fields))
                        try Self.expectOverloaded(try await connection.reply())
                    }
                }
                // A small body must not end the connection.
                try await RawConnection.open(port: port) { connection in
                    for _ in 0..<2 {
                        try await connection.send(Self.post("/echo", "Content-Length: 5") + "hello")
                        try Self.expectOverloaded(try await connection.reply())
                    }
                }
                server.open()
                #expect(try await holder.reply()?.status == 200)
            }
        }
        #expect(server.read.load(ordering: .relaxed) == 0)
        #expect(!server.log.lines.contains { $0.contains("route=/echo") || $0.contains("route=/bulk/echo") })
    }

    /// Guard: requests beyond a lane's places are refused; health never is (Resilience `Gate.enter`,
    /// `Bounds.routes`)
    @Test("each lane has its own places, and health requests are never refused")
    func lanes() async throws {
        let server = Server()
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { bulk in
                try await bulk.send(Self.get("/bulk/wait"))
                try await server.waitFor(1)
                try await RawConnection.open(port: port) { other in
                    try await other.send(Self.get("/hello"))
                    #expect(try await other.reply()?.status == 200)
                    try await other.send(Self.get("/bulk/hello"))
                    try Self.expectOverloaded(try await other.reply())
                    try await RawConnection.open(port: port) { short in
                        try await short.send(Self.get("/wait"))
                        try await server.waitFor(2)
                        try await other.send(Self.get("/hello"))
                        try Self.expectOverloaded(try await other.reply())
                        try await other.send(Self.get("/healthz"))
                        #expect(try await other.reply()?.status == 200)
                        server.open()
                        #expect(try await short.reply()?.status == 200)
                    }
                }
                #expect(try await bulk.reply()?.status == 200)
            }
        }
    }

    /// Guard: a streaming answer does not hold a place (HTTPGuard `AdmissionQueue.answerBegins`)
    @Test("an answer that streams holds no place, also behind another request")
    func streams() async throws {
        let server = Server()
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { stream in
                // The second request looks for its place when the first one is answered.
                try await stream.send(Self.get("/hello") + Self.get("/stream"))
                #expect(try await stream.reply()?.status == 200)
                try await server.waitFor(1)
                try await RawConnection.open(port: port) { other in
                    try await other.send(Self.get("/hello"))
                    #expect(try await other.reply()?.status == 200)
                }
                #expect(server.admission.inFlight(.short) == 0)
                server.open()
            }
        }
    }

    /// Guard: a small body is complete before its request takes a place (HTTPGuard `SmallBody`)
    @Test("a request whose small body arrives slowly holds no place")
    func dripping() async throws {
        let server = Server()
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { slow in
                try await slow.send(Self.post("/echo", "Content-Length: 5") + "he")
                try await Task.sleep(for: .milliseconds(100))
                #expect(server.admission.inFlight(.short) == 0)
                try await RawConnection.open(port: port) { other in
                    try await other.send(Self.get("/hello"))
                    #expect(try await other.reply()?.status == 200)
                }
                try await slow.send("llo")
                #expect(try await slow.reply()?.body == #"{"bytes":5}"#)
                #expect(server.admission.pending.reservedBytes == 0)
            }
        }
    }

    /// Guard: memory of incomplete small bodies is bounded and returned (HTTPGuard `SmallBody.append`)
    /// Guard: answers of the connection itself are logged (HTTPGuard `ConnectionGuard.writeProblem`)
    @Test("a small body that stops is 408, one that breaks off is 400, and neither keeps memory")
    func abandoned() async throws {
        var options = HTTPServerOptions()
        options.bodyGrace = .milliseconds(200)
        let server = Server(options: options)
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { connection in
                try await connection.send(Self.post("/echo", "Content-Length: 50000") + "x")
                let reply = try #require(try await connection.reply())
                #expect(reply.status == 408)
                #expect(reply.headers["connection"] == "close")
            }
            try await RawConnection.open(port: port) { connection in
                try await connection.send(Self.post("/echo", "Content-Length: 50000") + "x")
                connection.endSending()
                #expect(try await connection.reply()?.status == 400)
            }
            for _ in 0..<20 {
                try await RawConnection.open(port: port) { connection in
                    try await connection.send(Self.post("/echo", "Content-Length: 50000"))
                    #expect(await connection.send(zeros: 40_000))
                }
            }
            try await eventually("the return of all memory and places") {
                server.admission.pending.reservedBytes == 0 && server.openConnections == 0
            }
        }
        #expect(server.log.lines.contains { $0.contains("route=unmatched") && $0.contains("status=408") })
        #expect(server.log.lines.contains { $0.contains("route=unmatched") && $0.contains("status=400") })
    }

    /// Guard: resources of a large request are reserved before its body (HTTPGuard `Admission.isFull`)
    @Test(
        "an upload that the service has no room for is refused before its body; smaller ones and other calls are not"
    )
    func room() async throws {
        let server = Server(room: 1_000)
        try await server.app.withPort { port in
            for (fields, status) in [
                ("Content-Length: 1000", 503), ("Transfer-Encoding: chunked", 503),
                ("Content-Length: 1000\r\nExpect: 100-continue", 503), ("Content-Length: 3", 200),
            ] {
                try await RawConnection.open(port: port) { connection in
                    try await connection.send(
                        Self.post("/bulk/echo", fields) + (status == 200 ? "abc" : ""))
                    #expect(try await connection.reply()?.status == status, "\(fields)")
                }
            }
            #expect(server.read.load(ordering: .relaxed) == 1)
            try await RawConnection.open(port: port) { other in
                try await other.send(
                    Self.post("/echo", "Content-Length: 3\r\nExpect: 100-continue") + "abc")
                #expect(try await other.reply()?.status == 200)
            }
        }
    }

    /// Guard: memory of incomplete small bodies is bounded and returned (HTTPGuard `SmallBody.append`)
    @Test("incomplete small bodies hold no more than their share of memory")
    func pendingMemory() async throws {
        let server = Server(short: 10, pendingBytes: 50_000)
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { first in
                try await first.send(Self.post("/echo", "Content-Length: 40000"))
                #expect(await first.send(zeros: 30_000))
                try await eventually { server.admission.pending.reservedBytes == 30_000 }
                try await RawConnection.open(port: port) { second in
                    try await second.send(Self.post("/echo", "Content-Length: 40000"))
                    #expect(await second.send(zeros: 30_000))
                    try Self.expectOverloaded(try await second.reply())
                }
                #expect(await first.send(zeros: 10_000))
                #expect(try await first.reply()?.status == 200)
            }
        }
    }

    /// Guard: a place is held until the work ends, even if the client leaves (HTTPGuard `Admission.handle`)
    @Test("a request whose client leaves keeps its place until the work ends")
    func vanished() async throws {
        let server = Server()
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { gone in
                try await gone.send(Self.get("/wait"))
                try await server.waitFor(1)
            }
            try await RawConnection.open(port: port) { other in
                // The server needs time to notice that the client has left.
                try await Task.sleep(for: .milliseconds(300))
                try await other.send(Self.get("/hello"))
                try Self.expectOverloaded(try await other.reply())
                server.open()
                try await eventually { server.admission.inFlight(.short) == 0 }
                try await other.send(Self.get("/hello"))
                #expect(try await other.reply()?.status == 200)
            }
        }
    }

    /// Guard: a refusal waits for the answers before it (HTTPGuard `ConnectionState.headArrived`)
    @Test("pipelined requests are refused in their order")
    func pipelined() async throws {
        let server = Server(bulk: 0)
        try await server.app.withConnection { connection in
            try await connection.send(
                Self.get("/hello") + Self.get("/bulk/hello") + Self.post("/echo", "Content-Length: 5")
                    + "hello"
                    + Self.get("/hello"))
            #expect(try await connection.reply()?.status == 200)
            #expect(try await connection.reply()?.status == 503)
            #expect(try await connection.reply()?.body == #"{"bytes":5}"#)
            #expect(try await connection.reply()?.status == 200)
        }
    }

    /// Guard: connections are bounded (HTTPGuard `ConnectionLimit.admit`)
    @Test("a connection beyond the limit gets 503 and closes; a later one is accepted when one has closed")
    func connections() async throws {
        let server = Server(short: 10, connections: 2)
        try await server.app.withPort { port in
            try await RawConnection.open(port: port) { first in
                try await first.send(Self.get("/hello"))
                #expect(try await first.reply()?.status == 200)
                try await RawConnection.open(port: port) { second in
                    try await second.send(Self.get("/hello"))
                    #expect(try await second.reply()?.status == 200)
                    #expect(server.openConnections == 2)
                    try await RawConnection.open(port: port) { third in
                        try await third.send(Self.get("/hello"))
                        let reply = try await third.reply()
                        try Self.expectOverloaded(reply)
                        #expect(reply?.headers["connection"] == "close")
                        #expect(try await third.restUntilClosed() == "")
                    }
                    try await first.send(Self.get("/hello"))
                    #expect(try await first.reply()?.status == 200)
                }
                try await eventually { server.openConnections == 1 }
                try await RawConnection.open(port: port) { third in
                    try await third.send(Self.get("/hello"))
                    #expect(try await third.reply()?.status == 200)
                }
            }
        }
    }
}
