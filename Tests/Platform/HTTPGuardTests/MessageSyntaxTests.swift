import Foundation
import HTTPTesting
import Testing

@testable import HTTPGuard

/// Guard: a request has one Host and asks for no tunnel (HTTPGuard `RequestHeadRules`)
@Suite("Ambiguous messages", .serialized)
struct MessageSyntaxTests {
    private static let json = "Host: x\r\nContent-Type: application/json\r\n"

    @Test(
        "are answered 400 and end the connection, and the next request is not served",
        arguments: [
            (
                "both lengths",
                "POST /v1/json HTTP/1.1\r\n\(json)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
            (
                "both, the other way",
                "POST /v1/json HTTP/1.1\r\n\(json)Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n"
            ),
            (
                "two lengths",
                "POST /v1/json HTTP/1.1\r\n\(json)Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"
            ),
            ("two lengths in one", "POST /v1/json HTTP/1.1\r\n\(json)Content-Length: 2, 2\r\n\r\n{}"),
            ("a signed length", "POST /v1/json HTTP/1.1\r\n\(json)Content-Length: +2\r\n\r\n{}"),
            ("a hexadecimal length", "POST /v1/json HTTP/1.1\r\n\(json)Content-Length: 0x2\r\n\r\n{}"),
            (
                "a length beyond 64 bits",
                "POST /v1/json HTTP/1.1\r\n\(json)Content-Length: 99999999999999999999\r\n\r\n{}"
            ),
            ("an empty length", "POST /v1/json HTTP/1.1\r\n\(json)Content-Length: \r\n\r\n{}"),
            ("an unknown coding", "POST /v1/json HTTP/1.1\r\n\(json)Transfer-Encoding: gzip\r\n\r\n{}"),
            (
                "chunked twice",
                "POST /v1/json HTTP/1.1\r\n\(json)Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"
            ),
            (
                "chunked not last",
                "POST /v1/json HTTP/1.1\r\n\(json)Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"
            ),
            (
                "two codings",
                "POST /v1/json HTTP/1.1\r\n\(json)Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"
            ),
            (
                "a coding with a tab",
                "POST /v1/json HTTP/1.1\r\n\(json)Transfer-Encoding:\u{b}chunked\r\n\r\n0\r\n\r\n"
            ),
            ("a blank before the colon", "POST /v1/json HTTP/1.1\r\n\(json)Content-Length : 2\r\n\r\n{}"),
            (
                "chunked in HTTP/1.0",
                "POST /v1/json HTTP/1.0\r\n\(json)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
            ("a bare LF between fields", "GET /v1/hello HTTP/1.1\nHost: x\n\n"),
            ("a bare LF at the end", "GET /v1/hello HTTP/1.1\r\nHost: x\r\n\n"),
            ("a bare LF in one field", "GET /v1/hello HTTP/1.1\r\nHost: x\nA: b\r\n\r\n"),
            ("a bare CR", "GET /v1/hello HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n"),
            ("a folded field", "GET /v1/hello HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n"),
            ("a first field that is folded", "GET /v1/hello HTTP/1.1\r\n Host: x\r\n\r\n"),
            ("a NUL in a field", "GET /v1/hello HTTP/1.1\r\nHost: x\r\nA: b\u{0}c\r\n\r\n"),
            ("a field without a name", "GET /v1/hello HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n"),
            ("a field name with a blank", "GET /v1/hello HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n"),
            ("no host", "GET /v1/hello HTTP/1.1\r\n\r\n"),
            ("two hosts", "GET /v1/hello HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"),
            ("no target", "GET HTTP/1.1\r\nHost: x\r\n\r\n"),
            ("a target with a blank", "GET /v1/hello x HTTP/1.1\r\nHost: x\r\n\r\n"),
            ("a tunnel", "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n"),
            ("HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            ("HTTP/3.7", "GET /v1/hello HTTP/3.7\r\nHost: x\r\n\r\n"),
            ("a TLS greeting", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}\r\n\r\n"),
            ("an unknown method", "BREW /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n"),
        ])
    func refused(name: String, message: String) async throws {
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            // The result that a request smuggler hopes for.
            try await connection.send(message + "GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try #require(try await connection.reply())
            #expect(reply.status == 400)
            #expect(reply.headers["connection"] == "close")
            #expect(reply.headers["content-type"] == "application/problem+json")
            let problem = try JSONDecoder().decode(ProblemBody.self, from: Data(reply.body.utf8))
            #expect(problem.code == .invalidRequest)
            #expect(problem.request_id == reply.headers["x-request-id"])
            #expect(try await connection.restUntilClosed() == "")
        }
    }

    @Test(
        "malformed chunks are 400 and end the connection",
        arguments: [
            "fffffffffffffffff\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n", "0x2\r\n{}\r\n0\r\n\r\n",
            "2\n{}\n0\n\n",
            "2\r\n{}x\r\n0\r\n\r\n", "2;a\n\r\n{}\r\n0\r\n\r\n", " 2\r\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n",
        ])
    func chunks(body: String) async throws {
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            try await connection.send(
                "POST /v1/json HTTP/1.1\r\n\(Self.json)Transfer-Encoding: chunked\r\n\r\n\(body)"
                    + "GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try #require(try await connection.reply())
            #expect(reply.status == 400)
            #expect(reply.headers["connection"] == "close")
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(try await connection.restUntilClosed() == "")
        }
    }

    /// Guard: chunk extensions are bounded (`BodyProgress.hasTooMuchFraming`)
    @Test(
        "chunk extensions are bounded, whether a handler reads the body or not",
        arguments: ["upload", "refused"])
    func chunkExtensions(path: String) async throws {
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            let head = "POST /v1/\(path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await connection.send(
                head + "2;name=value\r\n{}\r\n0;" + String(repeating: "a", count: 8 << 10))
            try await connection.send(String(repeating: "b", count: 4 << 10) + "\r\n\r\n")
            let taken = try #require(try await connection.reply())
            #expect(taken.status == (path == "upload" ? 201 : 409))
        }
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            try await connection.send(
                "POST /v1/\(path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;")
            for _ in 0..<64 {
                try? await connection.send(String(repeating: "a", count: 8 << 10))
            }
            let reply = try #require(try await connection.reply())
            #expect(reply.status == (path == "upload" ? 400 : 409))
            #expect(try await connection.restUntilClosed(within: .seconds(2)) == "")
        }
    }

    @Test("a body of chunks of one byte is accepted")
    func smallChunks() async throws {
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            try await connection.send(
                "POST /v1/upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<20 { try await connection.send(String(repeating: "1\r\na\r\n", count: 1_000)) }
            try await connection.send("0\r\n\r\n")
            #expect(try await connection.reply()?.body == #"{"bytes":20000}"#)
        }
    }

    @Test("100 fields are accepted, 101 are 431")
    func fields() async throws {
        @Sendable func message(_ count: Int) -> String {
            "GET /v1/hello HTTP/1.1\r\nHost: x\r\n" + String(repeating: "A: b\r\n", count: count - 1) + "\r\n"
        }
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            try await connection.send(message(100))
            #expect(try await connection.reply()?.status == 200)
            try await connection.send(message(101))
            let reply = try #require(try await connection.reply())
            #expect(reply.status == 431)
            #expect(try await connection.restUntilClosed() == "")
        }
    }

    @Test(
        "15 KB of header are accepted, 17 KB are 431, in one field, in many, or in the target",
        arguments: [0, 1, 2])
    func headerBytes(shape: Int) async throws {
        @Sendable func message(_ bytes: Int) -> String {
            let filler = String(repeating: "x", count: bytes / (shape == 1 ? 50 : 1))
            let fields = shape == 1 ? String(repeating: "A: \(filler)\r\n", count: 50) : "A: \(filler)\r\n"
            return shape == 2
                ? "GET /v1/hello?\(filler) HTTP/1.1\r\nHost: x\r\n\r\n"
                : "GET /v1/hello HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
        }
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            try await connection.send(message(15 << 10))
            #expect(try await connection.reply()?.status == 200)
            try await connection.send(message(17 << 10))
            #expect(try await connection.reply()?.status == 431)
            #expect(try await connection.restUntilClosed() == "")
        }
    }

    /// Guard: garbage is answered after the requests before it (HTTPGuard `ConnectionState.refuse`)
    @Test("garbage behind a good request is refused after the good answer")
    func pipelinedGarbage() async throws {
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            try await connection.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n")
            #expect(try await connection.reply()?.status == 200)
            #expect(try await connection.reply()?.status == 400)
            #expect(try await connection.restUntilClosed() == "")
        }
    }

    /// Guard: nothing is read behind the last answer (HTTPGuard `ConnectionState.parserFailed`,
    /// `ConnectionState.headArrived`)
    @Test("a connection serves many requests, also pipelined ones; close, upgrade and HTTP/1.0 end it")
    func keepAlive() async throws {
        let get = "GET /v1/hello HTTP/1.1\r\nHost: x\r\n"
        try await TestServer.app(options: HTTPServerOptions()).withPort { port in
            try await RawConnection.open(port: port) { connection in
                for _ in 0..<3 {
                    try await connection.send("\(get)\r\n")
                    #expect(try await connection.reply()?.status == 200)
                }
                try await connection.send("\(get)\r\n\(get)\r\n\(get)\r\n")
                for _ in 0..<3 { #expect(try await connection.reply()?.status == 200) }
            }
            let last = [
                "\(get)Connection: close\r\n\r\n", "\(get)Connection: Close, TE\r\n\r\n",
                "GET /v1/hello HTTP/1.0\r\n\r\n",
                "\(get)Connection: upgrade\r\nUpgrade: h2c\r\n\r\n",
            ]
            for message in last {
                try await RawConnection.open(port: port) { connection in
                    try await connection.send(message + "\(get)\r\n")
                    let reply = try #require(try await connection.reply())
                    #expect(reply.status == 200)
                    #expect(reply.headers["connection"] == "close")
                    let rest = try await connection.restUntilClosed()
                    #expect(rest == "", "\(message)")
                }
            }
        }
    }

    /// Guard: closing a connection loses no answer (HTTPGuard `ConnectionState.answersWritten`)
    @Test("a client that reads late, behind many bytes that the server does not read, gets its answer too")
    func lateReader() async throws {
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            try await connection.channel.setOption(.autoRead, value: false).get()
            try await connection.send("GARBAGE\r\n\r\n")
            _ = await connection.send(zeros: 1 << 20)
            try await Task.sleep(for: .milliseconds(300))
            // When the server closes its sending side, the client's channel reads by itself and may be closed already.
            try? await connection.channel.setOption(.autoRead, value: true).get()
            #expect(try await connection.reply()?.status == 400)
        }
    }

    @Test("a client that closes its sending side after the request gets its answer")
    func halfClosed() async throws {
        try await TestServer.app(options: HTTPServerOptions()).withConnection { connection in
            try await connection.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
            connection.endSending()
            #expect(try await connection.reply()?.status == 200)
            #expect(try await connection.restUntilClosed() == "")
        }
    }
}
