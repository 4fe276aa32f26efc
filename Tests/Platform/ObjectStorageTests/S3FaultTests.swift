import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Synchronization
import Testing

@Suite("S3 when the server misbehaves", .serialized)
struct S3FaultTests {
    /// Times that are short enough for a test, in the proportions of the defaults.
    private static func short(_ configuration: inout S3Configuration) {
        configuration.requestTimeout = .milliseconds(400)
        configuration.putDeadline = .milliseconds(900)
    }

    /// Runs `body` and expects it to end long before the deadlines that a service has by default, also on a busy machine.
    private func inTime(_ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await body()
        #expect(ContinuousClock.now - start < .seconds(9))
    }

    // MARK: Deadlines

    /// Guard: every call to a store ends in time, is retried with a new signature, and follows no redirect
    /// (`S3ObjectStore`)
    @Test("a server that hangs is unavailable within the deadline")
    func hang() async throws {
        try await withScriptedS3({ _, _ in .hang }, change: Self.short) { store, server in
            try await inTime {
                await expectUnavailable { try await Hello.put(in: store) }
            }
            #expect((1...3).contains(server.requests.count), "400 ms each of 900 in all")
            try await inTime {
                await expectUnavailable(naming: "in time") { _ = try await store.head("k") }
            }
        }
    }

    /// Guard: calls of a hung store are bounded (`CallLimit.enter`)
    @Test("calls of a server that hangs do not gather without end")
    func gathering() async throws {
        try await withScriptedS3(
            { _, _ in .hang },
            change: {
                Self.short(&$0)
                $0.maxConnections = 2
                $0.callsPerConnection = 1
            }
        ) { store, _ in
            async let first: Void = expectUnavailable(naming: "in time") { _ = try await store.head("a") }
            async let second: Void = expectUnavailable(naming: "in time") { _ = try await store.head("b") }
            try await Task.sleep(for: .milliseconds(100))
            await expectUnavailable(naming: "too many calls") { _ = try await store.head("c") }
            _ = await (first, second)
            await expectUnavailable(naming: "in time") { _ = try await store.head("d") }
        }
    }

    /// Guard: an exchange's time begins when it has a connection; the wait blames no provider
    /// (`ConnectionPlaces`, `OutboundClient.send`)
    @Test("a call that finds no connection of our own free does not blame the store")
    func noConnectionFree() async throws {
        try await withScriptedS3(
            { request, _ in request.method == "HEAD" ? .hang : .answer("200 OK", body: "hello") },
            change: {
                $0.maxConnections = 2
                $0.requestTimeout = .seconds(60)
                $0.putDeadline = .milliseconds(500)
            }
        ) { store, server in
            let hanging = (0..<2).map { _ in Task { _ = try? await store.head("k") } }
            try await eventually { server.requests.count == 2 }
            await expectUnavailable(naming: "no connection of our own") { try await Hello.put(in: store) }
            #expect(server.requests.count == 2)
            hanging[0].cancel()
            // The call waits for the connection that the cancelled call gives back.
            #expect(try await store.get("k") == Hello.bytes)
            hanging[1].cancel()
        }
    }

    @Test("a server that hangs in the middle of a body is unavailable within the deadline")
    func hangInBody() async throws {
        try await withScriptedS3(
            { _, _ in .reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf") }, change: Self.short
        ) { store, _ in
            try await inTime {
                await expectUnavailable(naming: "in time") { _ = try await store.get("k") }
            }
        }
    }

    @Test("a PUT that is accepted, but whose confirmation hangs, ends within its one deadline")
    func hangInConfirmation() async throws {
        try await withScriptedS3(
            { request, _ in request.method == "PUT" ? .answer("200 OK") : .hang }, change: Self.short
        ) {
            store, _ in
            try await inTime {
                await expectUnavailable { try await Hello.put(in: store) }
            }
        }
    }

    @Test("a caller who is cancelled gets away at once")
    func cancelled() async throws {
        try await withScriptedS3(
            { _, _ in .hang },
            change: {
                $0.putDeadline = .seconds(60); $0.requestTimeout = .seconds(60)
            }
        ) { store, _ in
            let task = Task { try await Hello.put(in: store) }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            try await inTime { await expectUnavailable { try await task.value } }
        }
    }

    @Test("a server that does not listen is unavailable")
    func refused() async throws {
        let port = try await ScriptedServer.run(answer: { _, _ in .reset }, body: { $0.port })
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        var configuration = S3Configuration(
            endpoint: url, bucket: "b", accessKeyID: "k", secretAccessKey: "s")
        configuration.requestTimeout = .seconds(2)
        configuration.backoff.first = .milliseconds(5)
        configuration.maxAttempts = 3
        try await withS3(configuration) { store in
            try await inTime { await expectUnavailable { try await store.check() } }
        }
    }

    // MARK: Retries

    /// Guard: every call to a store ends in time, is retried with a new signature, and follows no redirect
    /// (`S3ObjectStore`)
    @Test(
        "a temporary failure is retried, and the retry is signed anew",
        arguments: [
            .reset, .answer("500 Internal Server Error"), .answer("429 Too Many Requests"),
            .answer("502 Bad Gateway", body: "<html><body>Bad Gateway<br></body></html>"),
            .answer("503 Slow Down", body: "<Error><Code>SlowDown</Code></Error>"),
            .answer("504 Gateway Timeout"),
            .answer("400 Bad Request", body: "<Error><Code>RequestTimeout</Code></Error>"),
            .replyAndClose("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"),
            .replyAndClose("garbage\r\n\r\n"), .replyAndClose("HTTP/1.1 200 OK\r\nContent-Le"),
        ] as [ScriptedServer.Step])
    func retried(first: ScriptedServer.Step) async throws {
        let seconds = Mutex(1_700_000_000.0)
        let clock: @Sendable () -> Date = {
            Date(
                timeIntervalSince1970: seconds.withLock { seconds in
                    seconds += 1
                    return seconds
                })
        }
        try await withScriptedS3(
            { _, index in index == 0 ? first : .answer("200 OK", body: "hello") }, clock: clock
        ) { store, server in
            let read = try await store.get("k")
            #expect(read == Hello.bytes)
            let requests = server.requests
            #expect(requests.count == 2)
            #expect(requests[0].headers["x-amz-date"] != requests.last?.headers["x-amz-date"])
            #expect(requests[0].headers["authorization"] != requests.last?.headers["authorization"])
        }
    }

    @Test("a failure that persists ends as unavailable after the last attempt")
    func givesUp() async throws {
        try await withScriptedS3({ _, _ in .answer("503 Service Unavailable", body: "<html>down</html>") }) {
            store, server in
            await expectUnavailable(naming: "503") { _ = try await store.get("k") }
            #expect(server.requests.count == 4)
            await expectUnavailable(naming: "503") { _ = try await store.head("k") }
            await expectUnavailable(naming: "503") { _ = try await store.list(prefix: "") }
            await expectUnavailable(naming: "503") { _ = try await store.delete(["k"]) }
            await expectUnavailable(naming: "503") { try await Hello.put(in: store) }
        }
    }

    @Test("a refused request is not retried", arguments: [400, 401, 403, 405, 409, 411, 412, 501])
    func notRetried(status: Int) async throws {
        try await withScriptedS3({ _, _ in .answer("\(status) No") }) { store, server in
            await #expect(throws: ObjectStoreError.self) { _ = try await store.get("k") }
            #expect(server.requests.count == 1)
        }
    }

    @Test("a connection that died idle costs nobody a request")
    func deadIdleConnection() async throws {
        try await withScriptedS3({ _, _ in .replyAndClose("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        }) {
            store, _ in
            for _ in 0..<5 {
                let read = try await store.get("k")
                #expect(read == Hello.bytes)
            }
        }
    }

    /// Guard: every call to a store ends in time, is retried with a new signature, and follows no redirect
    /// (`S3ObjectStore`)
    @Test("a redirect is not followed; the region it names is reported")
    func redirect() async throws {
        let elsewhere = "Location: http://127.0.0.1:9/other"
        try await withScriptedS3({ _, index in
            index == 0
                ? .answer("301 Moved Permanently", [elsewhere, "x-amz-bucket-region: eu-west-1"])
                : .answer("307 Temporary Redirect", [elsewhere])
        }) { store, server in
            await expectRejected(naming: "region 'eu-west-1'", culprits: [.region]) {
                _ = try await store.get("k")
            }
            await expectRejected(culprits: [.address]) { _ = try await store.get("k") }
            #expect(server.requests.count == 2)
        }
    }
}
