import DaylyTesting
import Foundation
import HTTPKit
import HTTPTesting
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import HTTPGuard

@Suite("Requests behind unanswered requests", .serialized)
struct PipeliningTests {
    /// Counts the requests that reach the handlers, and answers `/wait` when the test opens it.
    private final class Server: Sendable {
        let admission: Admission
        let handled = Atomic(0)
        private let isOpen = Atomic(false)

        init(short: Int = 64) {
            var limits = Admission.Limits()
            limits.short = short
            admission = Admission(limits: limits, logger: .silent)
        }

        func open() { isOpen.store(true, ordering: .relaxed) }

        var app: some ApplicationProtocol {
            let router = AppRouter()
            router.get("wait") { _, _ in
                self.handled.add(1, ordering: .relaxed)
                try await eventually(every: .milliseconds(2)) { self.isOpen.load(ordering: .relaxed) }
                return HTTPResponse.Status.noContent
            }
            router.post("echo") { request, context in
                self.handled.add(1, ordering: .relaxed)
                let body = try await request.collectBody(
                    maxBytes: 1 << 20, budget: BodyBudget(maxBytes: 1 << 20), context: context
                ).buffer
                return Reply(["bytes": body.readableBytes])
            }
            return Application(
                router: router, server: HTTPServerOptions().serverBuilder(admission: admission),
                logger: .silent)
        }
    }

    private static let wait = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"

    /// Sends all messages at once, lets the first request be answered, and reads until the server closes the connection.
    private func answers(to messages: String, server: Server = Server()) async throws -> [RawConnection.Reply]
    {
        try await server.app.withConnection { connection in
            try await connection.send(messages)
            try await eventually { server.handled.load(ordering: .relaxed) > 0 }
            // The other messages need time to arrive.
            try await Task.sleep(for: .milliseconds(100))
            server.open()
            var replies: [RawConnection.Reply] = []
            while let reply = try await connection.reply(within: .seconds(5)) { replies.append(reply) }
            #expect(try await connection.restUntilClosed() == "")
            return replies
        }
    }

    /// Guard: a connection reads no further at 16 unanswered requests, or 16 KiB of waiting ones
    /// (`OpenRequests.hasRoom`)
    @Test(
        "sixteen requests are answered, the last answer says that the connection closes, and the others are never handled"
    )
    func sixteen() async throws {
        let server = Server()
        let replies = try await answers(to: String(repeating: Self.wait, count: 5_000), server: server)
        #expect(replies.map(\.status) == Array(repeating: 204, count: 16))
        #expect(replies.map { $0.headers["connection"] } == Array(repeating: nil, count: 15) + ["close"])
        #expect(server.handled.load(ordering: .relaxed) == 16)
    }

    /// Guard: a connection reads no further at 16 unanswered requests, or 16 KiB of waiting ones
    /// (`OpenRequests.hasRoom`)
    @Test(
        "requests with long headers or bodies are fewer, so that all together hold a few KiB",
        arguments: [true, false])
    func bytes(inHeader: Bool) async throws {
        let filler = String(repeating: "x", count: 6_000)
        let long =
            inHeader
            ? "GET /wait HTTP/1.1\r\nHost: x\r\nA: \(filler)\r\n\r\n"
            : "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 6000\r\n\r\n\(filler)"
        let replies = try await answers(to: Self.wait + String(repeating: long, count: 6))
        #expect(replies.count == 3)
        #expect(replies.last?.headers["connection"] == "close")
    }

    /// Guard: a connection reads no further at 16 unanswered requests, or 16 KiB of waiting ones
    /// (`OpenRequests.hasRoom`)
    @Test(
        "a large body, or one of unknown length, is not read behind an unanswered request",
        arguments: ["Content-Length: 500000", "Transfer-Encoding: chunked"])
    func largeBody(field: String) async throws {
        let server = Server()
        let replies = try await answers(
            to: Self.wait + "POST /echo HTTP/1.1\r\nHost: x\r\n\(field)\r\n\r\n5\r\nhello", server: server)
        #expect(replies.map(\.status) == [204])
        #expect(replies.last?.headers["connection"] == "close")
        #expect(server.handled.load(ordering: .relaxed) == 1)
    }

    /// Guard: an answer to HEAD has no length where GET has none (`AppRouter.on`,
    /// `RequestIDMiddleware.withoutBody`)
    /// Guard: an answer to HEAD claims no length where GET has none, and leaves no bytes behind
    /// (`RequestIDMiddleware.withoutBody`, `ConnectionGuard.write`)
    @Test("an answer to HEAD has no length if GET has none, and the next answer follows it")
    func headOfStream() async throws {
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            let fields = " HTTP/1.1\r\nHost: x\r\n\r\n"
            try await connection.send("HEAD /v1/stream" + fields + "GET /v1/hello" + fields)
            let head = try #require(try await connection.reply())
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == nil)
            let next = try #require(try await connection.reply())
            #expect(next.status == 200 && next.body == #"{"hello":"world"}"#)
        }
    }

    @Test("behind an answer that has begun any request is read, since its client may have the whole answer")
    func behindBegunAnswer() {
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/echo")
        var requests = OpenRequests()
        requests.append(head, bodyLength: 0)
        #expect(!requests.hasRoom(for: head, bodyLength: nil))
        requests.answerBegins()
        #expect(requests.hasRoom(for: head, bodyLength: nil))
        requests.append(head, bodyLength: nil)
        #expect(!requests.hasRoom(for: head, bodyLength: nil))
        requests.answerEnded()
        #expect(requests.count == 1)
        #expect(!requests.hasRoom(for: head, bodyLength: nil))
    }

    /// Guard: unread refusals to a client are bounded (`ConnectionState.answerOverloaded`)
    @Test("a client that takes no refusals gets no more of them", arguments: [true, false])
    func refusals(isRead: Bool) throws {
        let connectionGuard = ConnectionGuard(
            options: HTTPServerOptions(), admission: Server(short: 0).admission,
            connections: ConnectionLimit(maxConnections: 1), decisions: AdmissionQueue())
        let wire = WireObserver(connectionGuard)
        connectionGuard.attach(wire)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([
            wire, HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), connectionGuard,
        ])
        channel.isWritable = isRead
        channel.pipeline.fireChannelWritabilityChanged()
        try channel.writeInbound(ByteBuffer(string: String(repeating: Self.wait, count: 100)))
        var written = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { written += String(buffer: bytes) }
        #expect(written.components(separatedBy: "HTTP/1.1 503").count - 1 == (isRead ? 100 : 1))
        #expect(written.contains("connection: close") == !isRead)
        _ = try? channel.finish()
    }
}
