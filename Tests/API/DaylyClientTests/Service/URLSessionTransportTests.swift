import DaylyClient
import DaylyTesting
import Foundation
import NIOCore
import Testing

@Suite("The transport over URLSession")
struct URLSessionTransportTests {
    private func request(
        _ server: ScriptedServer, _ method: TransportRequest.Method = .get, body: Data? = nil,
        idleTimeout: Duration = .seconds(10)
    ) throws -> TransportRequest {
        TransportRequest(method, try server.url, body: body, idleTimeout: idleTimeout)
    }

    @Test("status, headers and body of an answer arrive, whatever the status")
    func answers() async throws {
        try await ScriptedServer.run(answer: { request, _ in
            .answer("418 Teapot", ["X-Echo: \(request.headers["x-echo"] ?? "")"], body: "short and stout")
        }) { server in
            var request = try request(server, .post, body: Data("hello".utf8))
            request.headers["X-Echo"] = "again"
            let response = try await URLSessionTransport().send(request)
            #expect(response.status == 418 && response.headers["x-echo"] == "again")
            #expect(String(decoding: response.body, as: UTF8.self) == "short and stout")
            #expect(server.requests.first?.method == "POST")
            #expect(server.requests.first.map { String(buffer: $0.body) } == "hello")
        }
    }

    @Test("the head of a stream arrives before its body, and each part as it is sent")
    func stream() async throws {
        try await ScriptedServer.run(answer: { _, _ in
            .reply("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nfirst ")
        }) { server in
            let stream = try await URLSessionTransport().stream(try request(server))
            #expect(stream.head.status == 200)
            var parts = stream.body.makeAsyncIterator()
            #expect(try await parts.next().map { String(decoding: $0, as: UTF8.self) } == "first ")
        }
    }

    @Test("a stream that breaks off throws, and so does one that nobody fills")
    func brokenStream() async throws {
        try await ScriptedServer.run(answer: { _, index in
            let part = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nfirst "
            return index == 0 ? .replyAndClose(part) : .reply(part)
        }) { server in
            let transport = URLSessionTransport()
            for _ in 0..<2 {
                let stream = try await transport.stream(try request(server, idleTimeout: .seconds(1)))
                await #expect(throws: TransportError.self) { for try await _ in stream.body {} }
            }
        }
    }

    @Test("a connection that is reset or silent has no answer")
    func noAnswer() async throws {
        try await ScriptedServer.run(answer: { _, index in index == 0 ? .reset : .hang }) { server in
            let transport = URLSessionTransport()
            let reset = await #expect(throws: TransportError.self) {
                try await transport.send(try request(server, .post, body: Data([1])))
            }
            #expect(reset?.isCancelled == false)
            // A request's own limit is kept, not that of all.
            let firstToEnd = try await withThrowingTaskGroup(of: String.self) { group in
                for (name, limit) in [("short", Duration.seconds(1)), ("long", .seconds(60))] {
                    group.addTask {
                        await #expect(throws: TransportError.self) {
                            try await transport.send(
                                try request(server, .post, body: Data([1]), idleTimeout: limit))
                        }
                        return name
                    }
                }
                defer { group.cancelAll() }
                return try await group.next()
            }
            #expect(firstToEnd == "short")
        }
    }

    @Test("a redirect is not followed, so that a token stays with its host")
    func redirect() async throws {
        try await ScriptedServer.run(answer: { _, _ in
            .answer("302 Found", ["Location: /elsewhere"])
        }) { server in
            var request = try request(server)
            request.headers["Authorization"] = "Bearer secret"
            let response = try await URLSessionTransport().send(request)
            #expect(response.status == 302)
            #expect(server.requests.count == 1)
        }
    }

    @Test("neither cookies nor answers are kept")
    func memory() async throws {
        try await ScriptedServer.run(answer: { _, index in
            .answer("200 OK", ["Set-Cookie: a=b", "Cache-Control: max-age=3600"], body: "\(index)")
        }) { server in
            let transport = URLSessionTransport()
            for index in 0..<3 {
                let response = try await transport.send(try request(server))
                #expect(String(decoding: response.body, as: UTF8.self) == "\(index)")
            }
            #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
        }
    }

    @Test("a cancelled task ends its request at once, and says that it was cancelled")
    func cancellation() async throws {
        try await ScriptedServer.run(answer: { _, _ in .hang }) { server in
            let transport = URLSessionTransport()
            let asked = try request(server)
            let call = Task { try await transport.send(asked) }
            try await eventually { !server.requests.isEmpty }
            call.cancel()
            let error = await #expect(throws: TransportError.self) { try await call.value }
            #expect(error?.isCancelled == true)
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.send(asked)
            }
            let second = await #expect(throws: TransportError.self) { try await early.value }
            #expect(second?.isCancelled == true)
        }
    }

    @Test("an upload sends the file and counts its bytes")
    func upload() async throws {
        try await ScriptedServer.run(answer: { request, _ in
            .answer("201 Created", body: "\(request.body.readableBytes)")
        }) { server in
            try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("photo.jpg")
                try Data(repeating: 7, count: 3_000_000).write(to: file)
                let progress = Locked<[UploadProgress]>([])
                let response = try await URLSessionTransport().upload(try request(server, .post), from: file)
                { part in
                    progress.withLock { $0.append(part) }
                }
                #expect(String(decoding: response.body, as: UTF8.self) == "3000000")
                let parts = progress.withLock { $0 }
                #expect(parts.last == UploadProgress(sentBytes: 3_000_000, totalBytes: 3_000_000))
                #expect(parts.count > 3 && parts.map(\.sentBytes) == parts.map(\.sentBytes).sorted())
            }
        }
    }
}
