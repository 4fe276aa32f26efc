import DaylyTesting
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import OutboundHTTP
import Testing

/// Runs `body` with a client of a scripted server, and shuts the client down.
private func withClient(
    maxConnections: Int = 8,
    _ answer: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Step,
    _ body: @Sendable (OutboundClient, ScriptedServer) async throws -> Void
) async throws {
    var configuration = OutboundClient.Configuration()
    configuration.maxConnections = maxConnections
    let client = OutboundClient(configuration)
    let result: Result<Void, any Error>
    do {
        result = .success(try await ScriptedServer.run(answer: answer) { try await body(client, $0) })
    } catch {
        result = .failure(error)
    }
    try await client.shutdown()
    try result.get()
}

extension OutboundClient {
    /// Posts two bytes and returns the outcome as a short text.
    fileprivate func post(
        _ url: String, timeout: Duration = .seconds(10), deadline: ContinuousClock.Instant? = nil,
        maxResponseBytes: Int = 100
    ) async -> String {
        let request = OutboundRequest(
            .POST, url, body: ByteBuffer(string: "hi"), maxResponseBytes: maxResponseBytes, tellsIfSent: true)
        do throws(OutboundError) {
            let response = try await send(request, timeout: timeout, deadline: deadline)
            return "\(response.status) \(String(buffer: response.body))"
        } catch {
            return switch error {
            case .noConnectionFree: "no connection free"
            case .notSent(let failure): "not sent: \(failure.word)"
            case .unanswered(let failure): "unanswered: \(failure.word)"
            case .cutOff(let head, let failure): "\(head.status) cut off: \(failure.word)"
            case .cancelled: "cancelled"
            }
        }
    }
}

extension OutboundFailure {
    fileprivate var word: String {
        switch self {
        case .timeout: "timeout"
        case .tooLarge: "too large"
        case .broken: "broken"
        }
    }
}

@Suite("HTTP to other servers")
struct OutboundClientTests {
    /// Guard: failures of other servers are told in an operator's words (`ConnectionFault`)
    @Test("a server that cannot be reached is reported in an operator's words, not by Swift's types")
    func words() async throws {
        let closed = try freePort()
        try await withClient({ _, _ in .answer("200 OK") }) { client, _ in
            for (url, words) in [
                ("http://127.0.0.1:\(closed)", "nothing listens at its port"),
                ("http://nowhere.invalid", "the name of its host is not known here"),
            ] {
                let error = await #expect(throws: OutboundError.self) {
                    try await client.send(OutboundRequest(.GET, url), timeout: .seconds(20))
                }
                #expect(error?.reason == words)
            }
        }
    }

    /// Guard: failures of other servers are told in an operator's words (`ConnectionFault`)
    @Test("a certificate that is not believed is reported as such")
    func certificate() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await TestCertificates.make(in: folder.url)
        for (name, trusted, words) in [
            (
                "server.pem", nil,
                "its certificate is expired, or the authority that signed it is not known here"
            ),
            ("misnamed.pem", certificates.authority, "its certificate was issued for another name"),
        ] as [(String, String?, String)] {
            let port = try freePort()
            let server = Process()
            server.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            server.arguments = [
                "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", certificates.path(name),
                "-key", certificates.path("server.key"),
            ]
            server.standardInput = FileHandle.nullDevice
            server.standardOutput = FileHandle.nullDevice
            server.standardError = FileHandle.nullDevice
            try server.run()
            defer { server.terminate() }
            var configuration = OutboundClient.Configuration()
            if let trusted {
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.trustRoots = .file(trusted)
                configuration.tls = tls
            }
            let client = OutboundClient(configuration)
            let reason = try? await eventually("the server's certificate") { () -> String? in
                do throws(OutboundError) {
                    let request = OutboundRequest(.GET, "https://127.0.0.1:\(port)")
                    return "\(try await client.send(request, timeout: .seconds(20)).status)"
                } catch {
                    return error.reason == "nothing listens at its port" ? nil : error.reason
                }
            }
            try await client.shutdown()
            #expect(reason == words)
        }
    }

    @Test("a request arrives whole, and its answer comes back whole; redirects are answers")
    func exchange() async throws {
        try await withClient { _, index in
            index == 0
                ? .answer("200 OK", body: "hello") : .answer("307 Elsewhere", ["Location: /elsewhere"])
        } _: { client, server in
            let url = try server.url.absoluteString
            #expect(await client.post(url + "/a?b=c") == "200 hello")
            #expect(await client.post(url) == "307 ")
            let request = try #require(server.requests.first)
            #expect(request.method == "POST" && request.target == "/a?b=c")
            #expect(String(buffer: request.body) == "hi" && request.headers["content-length"] == "2")
            #expect(server.requests.count == 2)
        }
    }

    /// Guard: one deadline covers the answer's head and body (`OutboundClient.exchange`)
    @Test("one deadline covers the head and the body, and the connection is given up after it")
    func deadline() async throws {
        try await withClient(maxConnections: 1) { _, index in
            switch index {
            case 0: .hang
            case 1: .reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            default: .answer("200 OK", body: "hello")
            }
        } _: { client, server in
            let url = try server.url.absoluteString
            #expect(await client.post(url, timeout: .seconds(1)) == "unanswered: timeout")
            #expect(await client.post(url, timeout: .seconds(1)) == "200 cut off: timeout")
            #expect(await client.post(url) == "200 hello")
        }
    }

    /// Guard: a request that was not sent is distinguished from one that may have arrived (`OutboundClient`
    /// `Progress`)
    @Test("the error tells a request that never left from one that may have arrived")
    func sentOrNot() async throws {
        try await withClient { _, index in
            index == 0 ? .reset : .replyAndClose("HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\nhalf")
        } _: { client, server in
            let url = try server.url.absoluteString
            #expect(await client.post(url) == "unanswered: broken")
            #expect(await client.post(url) == "202 cut off: broken")
            #expect(await client.post("http://127.0.0.1:1") == "not sent: broken")
            // The server does not speak TLS, so the request never leaves.
            #expect(await client.post("https://127.0.0.1:\(server.port)") == "not sent: broken")
        }
    }

    @Test("an answer that is too long is not read to its end")
    func tooLong() async throws {
        try await withClient { _, _ in
            .answer("200 OK", body: "hello")
        } _: { client, server in
            let url = try server.url.absoluteString
            #expect(await client.post(url, maxResponseBytes: 4) == "200 cut off: too large")
            #expect(await client.post(url, maxResponseBytes: 5) == "200 hello")
        }
    }

    /// Guard: an exchange's time begins when it has a connection; the wait blames no provider
    /// (`ConnectionPlaces`, `OutboundClient.send`)
    @Test("an exchange waits for a free connection before its own time runs, and the wait blames nobody")
    func waiting() async throws {
        try await withClient(maxConnections: 2) { request, _ in
            request.target == "/hang" ? .hang : .later(.milliseconds(500), "HTTP/1.1 204 No\r\n\r\n")
        } _: { client, server in
            let url = try server.url.absoluteString
            // Ten exchanges of 500 ms over two connections take 2.5 s in all, and none of them longer than 5 s.
            let answers = await withTaskGroup(of: String.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        await client.post(url, timeout: .seconds(5), deadline: .now + .seconds(60))
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: "204 ", count: 10))

            async let first = client.post(url + "/hang", timeout: .seconds(2))
            async let second = client.post(url + "/hang", timeout: .seconds(2))
            try await eventually(every: .milliseconds(5)) { server.requests.count == 12 }
            #expect(await client.post(url, timeout: .milliseconds(100)) == "no connection free")
            let bounded = await client.post(
                url, timeout: .seconds(1), deadline: .now + .milliseconds(600))
            #expect(bounded == "no connection free")
            #expect(await [first, second] == ["unanswered: timeout", "unanswered: timeout"])
            #expect(await client.post(url) == "204 ")
        }
    }

    @Test(
        "a caller that is cancelled gets away at once, from the line as from an exchange, and takes no place along"
    )
    func cancelled() async throws {
        try await withClient(maxConnections: 1) { request, _ in
            request.target == "/hang" ? .hang : .answer("204 No")
        } _: { client, server in
            let url = try server.url.absoluteString
            let exchanging = Task { await client.post(url + "/hang", timeout: .seconds(60)) }
            try await eventually { !server.requests.isEmpty }
            let waiting = Task { await client.post(url, timeout: .seconds(60)) }
            try await Task.sleep(for: .milliseconds(50))
            waiting.cancel()
            #expect(await waiting.value == "cancelled")
            exchanging.cancel()
            #expect(await exchanging.value == "cancelled")
            #expect(await client.post(url) == "204 ")
        }
    }
}
