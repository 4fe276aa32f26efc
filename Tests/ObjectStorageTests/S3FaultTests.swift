import Crypto
import Foundation
import Logging
import NIOCore
import Synchronization
import Testing

@testable import ObjectStorage

@Suite("S3 when the server misbehaves", .serialized)
struct S3FaultTests {
    /// A store against a scripted server.
    private func withServer(
        _ answer: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Step,
        change: (inout S3Configuration) -> Void = { _ in },
        clock: @escaping @Sendable () -> Date = { Date() },
        _ body: (S3ObjectStore, ScriptedServer) async throws -> Void
    ) async throws {
        try await ScriptedServer.run(answer: answer) { server in
            var configuration = S3Configuration(
                endpoint: try server.url, bucket: "bucket", accessKeyID: "key-id",
                secretAccessKey: "very-secret", requestTimeout: .seconds(10), deleteTimeout: .seconds(10),
                putDeadline: .seconds(20), maxObjectBytes: 1_000)
            change(&configuration)
            let backoff = Backoff(base: .milliseconds(5), cap: .milliseconds(20), maxAttempts: 4)
            try await withS3(configuration, backoff: backoff, clock: clock) { try await body($0, server) }
        }
    }

    /// Times short enough to wait for, in the proportions of the defaults.
    private static func short(_ configuration: inout S3Configuration) {
        configuration.requestTimeout = .milliseconds(400)
        configuration.putDeadline = .milliseconds(900)
    }

    private static let hello = ByteBuffer(string: "hello")
    private static let helloMD5 = "5d41402abc4b2a76b9719d911017c592"

    private func put(_ store: S3ObjectStore) async throws {
        try await store.put("k", Self.hello, contentType: "image/jpeg")
    }

    /// Runs `body` and expects it to take at most that long.
    private func within(_ limit: Duration, _ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await body()
        #expect(ContinuousClock.now - start < limit)
    }

    // MARK: Deadlines

    @Test("a server that hangs is unavailable within the deadline")
    func hang() async throws {
        try await withServer({ _, _ in .hang }, change: Self.short) { store, server in
            try await within(.milliseconds(2_500)) { await expectUnavailable { try await put(store) } }
            #expect(server.requests.count == 2, "400 ms twice, then 100 ms are left of 900 at most")
            try await within(.milliseconds(3_500)) {
                await expectUnavailable(naming: "in time") { _ = try await store.head("k") }
            }
        }
    }

    @Test("a server that hangs in the middle of a body is unavailable within the deadline")
    func hangInBody() async throws {
        try await withServer(
            { _, _ in .replyAndHang("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf") }, change: Self.short
        ) { store, _ in
            try await within(.milliseconds(3_500)) {
                await expectUnavailable(naming: "in time") { _ = try await store.get("k") }
            }
        }
    }

    @Test("a PUT that is accepted, but whose confirmation hangs, ends within its one deadline")
    func hangInConfirmation() async throws {
        try await withServer(
            { request, _ in request.method == "PUT" ? .answer("200 OK") : .hang }, change: Self.short
        ) {
            store, _ in
            try await within(.milliseconds(2_500)) { await expectUnavailable { try await put(store) } }
        }
    }

    @Test("a caller who is cancelled gets away at once")
    func cancelled() async throws {
        try await withServer(
            { _, _ in .hang },
            change: {
                $0.putDeadline = .seconds(60); $0.requestTimeout = .seconds(60)
            }
        ) { store, _ in
            let task = Task { try await put(store) }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            try await within(.seconds(2)) { await expectUnavailable { try await task.value } }
        }
    }

    @Test("nobody listening is unavailable")
    func refused() async throws {
        let port = try await ScriptedServer.run(answer: { _, _ in .reset }, body: { $0.port })
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let configuration = S3Configuration(
            endpoint: url, bucket: "b", accessKeyID: "k", secretAccessKey: "s", requestTimeout: .seconds(2))
        try await withS3(configuration, backoff: Backoff(base: .milliseconds(5), maxAttempts: 3)) { store in
            try await within(.seconds(5)) { await expectUnavailable { try await store.check() } }
        }
    }

    // MARK: Retries

    @Test(
        "what passes is tried again, signed anew",
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
        try await withServer(
            { _, index in index == 0 ? first : .answer("200 OK", body: "hello") }, clock: clock
        ) { store, server in
            let read = try await store.get("k")
            #expect(read == Self.hello)
            let requests = server.requests
            #expect(requests.count == 2)
            #expect(requests[0].headers["x-amz-date"] != requests.last?.headers["x-amz-date"])
            #expect(requests[0].headers["authorization"] != requests.last?.headers["authorization"])
        }
    }

    @Test("what does not pass ends as unavailable after so many attempts")
    func givesUp() async throws {
        try await withServer({ _, _ in .answer("503 Service Unavailable", body: "<html>down</html>") }) {
            store, server in
            await expectUnavailable(naming: "503") { _ = try await store.get("k") }
            #expect(server.requests.count == 4)
            await expectUnavailable(naming: "503") { _ = try await store.head("k") }
            await expectUnavailable(naming: "503") { _ = try await store.list(prefix: "") }
            await expectUnavailable(naming: "503") { _ = try await store.delete(["k"]) }
            await expectUnavailable(naming: "503") { try await put(store) }
        }
    }

    @Test("what is refused is not tried again", arguments: [400, 401, 403, 405, 409, 411, 412, 501])
    func notRetried(status: Int) async throws {
        try await withServer({ _, _ in .answer("\(status) No") }) { store, server in
            await #expect(throws: ObjectStoreError.self) { _ = try await store.get("k") }
            #expect(server.requests.count == 1)
        }
    }

    @Test("a connection that died idle costs nobody a request")
    func deadIdleConnection() async throws {
        try await withServer({ _, _ in .replyAndClose("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") })
        {
            store, _ in
            for _ in 0..<5 {
                let read = try await store.get("k")
                #expect(read == Self.hello)
            }
        }
    }

    @Test("a redirect is not followed; the region it names is reported")
    func redirect() async throws {
        let elsewhere = "Location: http://127.0.0.1:9/other"
        try await withServer({ _, index in
            index == 0
                ? .answer("301 Moved Permanently", [elsewhere, "x-amz-bucket-region: eu-west-1"])
                : .answer("307 Temporary Redirect", [elsewhere])
        }) { store, server in
            await expectRejected(naming: "region 'eu-west-1'") { _ = try await store.get("k") }
            await expectRejected(naming: "redirect") { _ = try await store.get("k") }
            #expect(server.requests.count == 2)
        }
    }

    // MARK: Putting

    @Test("a PUT says its length, type, MD5 and hash, and nothing that some servers refuse")
    func putHeaders() async throws {
        try await withServer({ request, _ in
            request.method == "PUT"
                ? .answer("200 OK", ["ETag: \"\(Self.helloMD5)\""]) : .reply(Self.headOfFive)
        }) { store, server in
            try await put(store)
            #expect(server.requests.map(\.method) == ["PUT", "HEAD"])
            let put = try #require(server.requests.first)
            #expect(put.target == "/bucket/k")
            #expect(put.body == Self.hello)
            #expect(put.headers["content-length"] == "5")
            #expect(put.headers["content-type"] == "image/jpeg")
            #expect(put.headers["content-md5"] == "XUFAKrxLKna5cZ2REBfFkg==")
            #expect(
                put.headers["x-amz-content-sha256"]
                    == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
            #expect(put.headers["host"] == "127.0.0.1:\(server.port)")
            let allowed: Set = [
                "content-length", "content-type", "content-md5", "x-amz-content-sha256", "x-amz-date", "host",
                "authorization",
            ]
            #expect(Set(put.headers.keys).isSubset(of: allowed), "\(put.headers.keys)")
        }
    }

    private static let headOfFive = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"

    @Test("a server that says 200 and keeps nothing is unavailable")
    func keepsNothing() async throws {
        try await withServer(
            { request, _ in .answer(request.method == "PUT" ? "200 OK" : "404 Not Found") }
        ) { store, server in
            await expectUnavailable(naming: "did not keep it") { try await put(store) }
            #expect(server.requests.filter { $0.method == "PUT" }.count == 2)
        }
    }

    @Test("a server that keeps half of it is unavailable")
    func keepsHalf() async throws {
        try await withServer({ request, _ in
            request.method == "PUT"
                ? .answer("200 OK") : .reply("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
        }) { store, _ in
            await expectUnavailable(naming: "did not keep it") { try await put(store) }
        }
    }

    @Test("an object that shows a moment late is waited for")
    func showsLate() async throws {
        try await withServer({ _, index in
            switch index {
            case 0: .answer("200 OK")
            case 1: .answer("404 Not Found")
            default: .reply(Self.headOfFive)
            }
        }) { store, server in
            try await put(store)
            #expect(server.requests.map(\.method) == ["PUT", "HEAD", "HEAD"])
        }
    }

    @Test("the MD5 of other bytes as ETag is unavailable")
    func wrongETag() async throws {
        try await withServer({ request, _ in
            request.method == "PUT"
                ? .answer("200 OK", ["ETag: \"00000000000000000000000000000000\""]) : .reply(Self.headOfFive)
        }) { store, server in
            await expectUnavailable(naming: "did not keep it") { try await put(store) }
            #expect(server.requests.count == 2)
        }
    }

    @Test(
        "an ETag that is no MD5 of the bytes by its nature is no obstacle",
        arguments: [
            ["ETag: 5d41402abc4b2a76b9719d911017c592"],
            ["etag: &quot;5D41402ABC4B2A76B9719D911017C592&quot;"],
            ["ETag: \"00000000000000000000000000000000-2\""], ["ETag: \"anything\""], [],
            ["ETag: W/\"00000000000000000000000000000000\""],
            ["ETag: \"00000000000000000000000000000000\"", "x-amz-server-side-encryption: aws:kms"],
        ])
    func otherETags(headers: [String]) async throws {
        try await withServer({ request, _ in
            request.method == "PUT" ? .answer("200 OK", headers) : .reply(Self.headOfFive)
        }) { store, server in
            try await put(store)
            #expect(server.requests.count == 2)
        }
    }

    // MARK: Deleting

    @Test("deletes in batches of a thousand, each with its MD5")
    func batches() async throws {
        try await withServer(
            { request, _ in .answer("200 OK", body: Self.deleteResult(Self.keys(in: request.body))) }
        ) { store, server in
            let keys = try (0..<2_500).map { try ObjectKey("photos/\($0)&<>'\"") }
            #expect(try await store.delete(keys + keys) == [:])
            #expect(server.requests.map { Self.keys(in: $0.body).count } == [1_000, 1_000, 500])
            for request in server.requests {
                #expect(request.target == "/bucket?delete=")
                let digest = Insecure.MD5.hash(data: Array(request.body.readableBytesView))
                #expect(request.headers["content-md5"] == Data(digest).base64EncodedString())
            }
            let named = server.requests.flatMap { Self.keys(in: $0.body) }
            #expect(Set(named) == Set(keys.map(\.rawValue)))
        }
    }

    private static func keys(in body: ByteBuffer) -> [String] {
        XMLTree(body.readableBytesView)?.all("Object").compactMap { $0["Key"] } ?? []
    }

    private static func deleteResult(_ keys: [String]) -> String {
        let escaped = keys.map {
            $0.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        }
        return
            "<DeleteResult>\(escaped.map { "<Deleted><Key>\($0)</Key></Deleted>" }.joined())</DeleteResult>"
    }

    @Test("an error for one key inside a 200 is that key's failure")
    func errorInside200() async throws {
        let body = """
            <DeleteResult><Deleted><Key>a</Key></Deleted>\
            <Error><Key>b</Key><Code>AccessDenied</Code><Message>no</Message></Error>\
            <Error><Key>c</Key><Code>NoSuchKey</Code></Error></DeleteResult>
            """
        try await withServer({ _, _ in .answer("200 OK", body: body) }) { store, server in
            let failures = try await store.delete(["a", "b", "c"])
            #expect(failures == ["b": "AccessDenied"])
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        "a 200 that is no result is unavailable",
        arguments: [
            "", "<html>ok</html>", "<Error><Code>InternalError</Code></Error>",
            "<DeleteResult><Deleted><Key>a</Key></Deleted>",
            "<DeleteResult><Error><Code>X</Code></Error></DeleteResult>",
        ])
    func unreadableResult(body: String) async throws {
        try await withServer({ _, _ in .answer("200 OK", body: body) }) { store, _ in
            await expectUnavailable(naming: "DeleteObjects") { _ = try await store.delete(["a"]) }
        }
    }

    @Test("what a result does not mention, and every key where there is no DeleteObjects, is deleted singly")
    func singly() async throws {
        try await withServer({ request, _ in
            switch (request.method, request.target) {
            case ("POST", _): .answer("200 OK", body: Self.deleteResult(["a"]))
            case (_, "/bucket/c"): .answer("403 Forbidden", body: "<Error><Code>AccessDenied</Code></Error>")
            case (_, "/bucket/d"): .answer("404 Not Found")
            default: .reply("HTTP/1.1 204 No Content\r\n\r\n")
            }
        }) { store, server in
            let failures = try await store.delete(["a", "b", "c", "d"])
            #expect(failures.keys.map(\.rawValue) == ["c"])
            #expect(
                Set(server.requests.map(\.target)) == [
                    "/bucket?delete=", "/bucket/b", "/bucket/c", "/bucket/d",
                ])
        }
        try await withServer({ request, _ in
            request.method == "POST"
                ? .answer("501 Not Implemented") : .reply("HTTP/1.1 204 No Content\r\n\r\n")
        }) { store, server in
            let failures = try await store.delete(["a", "b"])
            #expect(failures == [:])
            #expect(server.requests.count == 3)
        }
    }

    // MARK: Reading

    @Test(
        "half a listing is no listing",
        arguments: [
            "<ListBucketResult><IsTruncated>false</IsTruncated>",
            "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
            "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>", "<html></html>", "",
        ])
    func halfListing(body: String) async throws {
        try await withServer({ _, _ in .answer("200 OK", body: body) }) { store, _ in
            await expectUnavailable(naming: "listing") { _ = try await store.list(prefix: "") }
        }
    }

    @Test("a listing's keys are decoded only where the server says that it encoded them")
    func encodedListing() async throws {
        func listing(_ key: String, _ encoding: String) -> String {
            """
            <ListBucketResult>\(encoding)<IsTruncated>false</IsTruncated><Contents><Key>\(key)</Key>\
            <Size>1</Size><LastModified>2009-10-12T17:50:30.000Z</LastModified></Contents></ListBucketResult>
            """
        }
        let encoded = listing("a%2Bb+c%C3%BC", "<EncodingType>url</EncodingType>")
        let plain = listing("a%2Bb+c", "")
        try await withServer({ _, index in .answer("200 OK", body: index == 0 ? encoded : plain) }) {
            store, server in
            let decoded = try await store.list(prefix: "x y")
            #expect(decoded.objects.map(\.key.rawValue) == ["a+b cü"])
            let untouched = try await store.list(prefix: "")
            #expect(untouched.objects.map(\.key.rawValue) == ["a%2Bb+c"])
            #expect(
                server.requests[0].target
                    == "/bucket?encoding-type=url&list-type=2&max-keys=1000&prefix=x%20y")
        }
    }

    @Test("an object larger than allowed is not read into memory")
    func oversized() async throws {
        let body = String(repeating: "x", count: 1_001)
        try await withServer({ _, _ in .answer("200 OK", body: body) }) { store, _ in
            await #expect(
                throws: ObjectStoreError.corrupted("the object store's answer is larger than 1000 bytes")
            ) {
                _ = try await store.get("k")
            }
        }
    }

    // MARK: Who we are

    @Test("a refusal for the clock is signed again once, with the server's time, which is kept")
    func skew() async throws {
        let theirs = Date(timeIntervalSince1970: 1_700_000_000)
        let ours = theirs.addingTimeInterval(-7_200)
        let date = "Date: \(HTTPDate.format(theirs))"
        let tooSkewed = "<Error><Code>RequestTimeTooSkewed</Code></Error>"
        try await withServer(
            { request, _ in
                request.headers["x-amz-date"] == UTCTime(theirs).basic
                    ? .answer("200 OK", [date], body: "hello")
                    : .answer("403 Forbidden", [date], body: tooSkewed)
            }, clock: { ours }
        ) { store, server in
            _ = try await store.get("k")
            _ = try await store.get("k")
            #expect(server.requests.count == 3, "the second call knows the time")
        }
        try await withServer({ _, _ in .answer("403 Forbidden", [date], body: tooSkewed) }, clock: { ours }) {
            store, server in
            await expectRejected(naming: "clock") { _ = try await store.get("k") }
            #expect(server.requests.count == 2, "once, not for ever")
        }
    }

    @Test(
        "a region that the XML or its message names is reported",
        arguments: [
            "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-3</Region></Error>",
            "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region 'a' is wrong; expecting 'eu-west-3'</Message></Error>",
        ])
    func region(body: String) async throws {
        try await withServer({ _, _ in .answer("400 Bad Request", body: body) }) { store, _ in
            await expectRejected(naming: "'eu-west-3', not 'us-east-1'") { try await store.check() }
        }
    }

    @Test("errors repeat nothing of what a server says beyond a word, and no secret")
    func noSecrets() async throws {
        let body = "<Error><Code>SignatureDoesNotMatch</Code><StringToSign>very-secret</StringToSign></Error>"
        let odd = "<Error><Code>very secret, with blanks</Code></Error>"
        try await withServer({ _, index in .answer("403 Forbidden", body: index == 0 ? body : odd) }) {
            store, _ in
            for _ in 0..<2 {
                do { _ = try await store.get("k") } catch {
                    #expect(!"\(error)".contains("very"))
                    #expect(!"\(error)".contains("key-id"))
                }
            }
        }
    }

    @Test("a configuration that cannot be meant is refused")
    func configuration() throws {
        func make(_ endpoint: String, bucket: String = "b", key: String = "k") throws {
            let url = try #require(URL(string: endpoint))
            try S3Configuration(
                endpoint: url, bucket: bucket, accessKeyID: key, secretAccessKey: "s"
            ).validate()
            _ = try S3Endpoint(url: url, bucket: bucket, pathStyle: true)
        }
        try make("http://localhost:9000/")
        for endpoint in ["ftp://x", "http://x/path", "http://x?q=1", "localhost", "http://u:p@x"] {
            #expect(throws: ObjectStoreError.self) { try make(endpoint) }
        }
        for bucket in ["", "..", "a/b", "a b", "a?b"] {
            #expect(throws: ObjectStoreError.self) { try make("http://x", bucket: bucket) }
        }
        #expect(throws: ObjectStoreError.self) { try make("http://x", key: "") }
    }

    @Test("the bucket stands in the path or in the host; the port is part of the host")
    func endpoints() throws {
        func url(_ endpoint: String, pathStyle: Bool) throws -> String {
            let endpoint = try S3Endpoint(
                url: try #require(URL(string: endpoint)), bucket: "b", pathStyle: pathStyle)
            let uri = endpoint.uri(key: "k/ü")
            return endpoint.host + " " + endpoint.url(uri, query: "")
        }
        #expect(try url("http://h:9000", pathStyle: true) == "h:9000 http://h:9000/b/k/%C3%BC")
        #expect(try url("https://h:443/", pathStyle: true) == "h https://h/b/k/%C3%BC")
        #expect(
            try url("https://s3.example", pathStyle: false) == "b.s3.example https://b.s3.example/k/%C3%BC")
        #expect(try url("http://[::1]:80", pathStyle: true) == "[::1] http://[::1]/b/k/%C3%BC")
    }

    @Test("signed URLs name the public endpoint and are the same for the same arguments")
    func publicEndpoint() async throws {
        let configuration = S3Configuration(
            endpoint: try #require(URL(string: "http://minio:9000")),
            publicEndpoint: URL(string: "https://photos.example"), bucket: "b", accessKeyID: "test:tester",
            secretAccessKey: "s")
        try await withS3(configuration) { store in
            let now = Date(timeIntervalSince1970: 1_700_000_000)
            let url = try store.presignedGet("a b", signedAt: now, expiresAt: now.addingTimeInterval(60))
            #expect(url.hasPrefix("https://photos.example/b/a%20b?X-Amz-Algorithm=AWS4-HMAC-SHA256"))
            #expect(url.contains("X-Amz-Credential=test%3Atester%2F20231114%2F"))
            #expect(
                url == (try store.presignedGet("a b", signedAt: now, expiresAt: now.addingTimeInterval(60))))
            for lifetime in [0.0, -1, 604_801] {
                #expect(throws: ObjectStoreError.self) {
                    try store.presignedGet("a", signedAt: now, expiresAt: now.addingTimeInterval(lifetime))
                }
            }
        }
    }

    @Test("pauses grow, are capped and never nothing")
    func backoff() {
        let backoff = Backoff(base: .milliseconds(100), cap: .seconds(2), maxAttempts: 5)
        #expect(backoff.delay(after: 1, random: 0) == .milliseconds(25))
        #expect(backoff.delay(after: 1, random: 1) == .milliseconds(100))
        #expect(backoff.delay(after: 3, random: 1) == .milliseconds(400))
        #expect(backoff.delay(after: 60, random: 1) == .seconds(2))
    }
}
