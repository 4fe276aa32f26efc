import ObjectStorage
import Testing

@Suite("S3: putting is confirmed", .serialized)
struct S3PutTests {
    @Test(
        "a PUT says its length, type, MD5, hash and that no cache may store it, and nothing that some servers refuse"
    )
    func putHeaders() async throws {
        try await withScriptedS3({ request, _ in
            request.method == "PUT"
                ? .answer("200 OK", ["ETag: \"\(Hello.md5)\""]) : .reply(Hello.head)
        }) { store, server in
            try await Hello.put(in: store)
            #expect(server.requests.map(\.method) == ["PUT", "HEAD"])
            let put = try #require(server.requests.first)
            #expect(put.target == "/bucket/k")
            #expect(put.body == Hello.bytes)
            #expect(put.headers["content-length"] == "5")
            #expect(put.headers["content-type"] == "image/jpeg")
            #expect(put.headers["cache-control"] == "private, no-store, no-transform")
            #expect(put.headers["content-md5"] == "XUFAKrxLKna5cZ2REBfFkg==")
            #expect(
                put.headers["x-amz-content-sha256"]
                    == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
            #expect(put.headers["host"] == "127.0.0.1:\(server.port)")
            let allowed: Set = [
                "content-length", "content-type", "content-md5", "x-amz-content-sha256", "x-amz-date", "host",
                "authorization", "cache-control",
            ]
            #expect(Set(put.headers.keys).isSubset(of: allowed), "\(put.headers.keys)")
        }
    }

    /// Guard: a PUT is confirmed by ETag and size (`S3ObjectStore`)
    @Test("a server that says 200 and keeps nothing is unavailable")
    func keepsNothing() async throws {
        try await withScriptedS3(
            { request, _ in .answer(request.method == "PUT" ? "200 OK" : "404 Not Found") }
        ) { store, server in
            await expectUnavailable(naming: "did not keep it") { try await Hello.put(in: store) }
            #expect(server.requests.filter { $0.method == "PUT" }.count == 2)
        }
    }

    /// Guard: a PUT is confirmed by ETag and size (`S3ObjectStore`)
    @Test("a server that keeps half of it is unavailable")
    func keepsHalf() async throws {
        try await withScriptedS3({ request, _ in
            request.method == "PUT"
                ? .answer("200 OK") : .reply("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
        }) { store, _ in
            await expectUnavailable(naming: "did not keep it") { try await Hello.put(in: store) }
        }
    }

    @Test("an object that shows a moment late is waited for")
    func showsLate() async throws {
        try await withScriptedS3({ _, index in
            switch index {
            case 0: .answer("200 OK")
            case 1: .answer("404 Not Found")
            default: .reply(Hello.head)
            }
        }) { store, server in
            try await Hello.put(in: store)
            #expect(server.requests.map(\.method) == ["PUT", "HEAD", "HEAD"])
        }
    }

    /// Guard: a PUT is confirmed by ETag and size (`S3ObjectStore`)
    @Test("the MD5 of other bytes as ETag is unavailable")
    func wrongETag() async throws {
        try await withScriptedS3({ request, _ in
            switch request.method {
            case "PUT": .answer("200 OK", ["ETag: \"00000000000000000000000000000000\""])
            case "HEAD": .reply(Hello.head)
            default: .answer("200 OK", body: "other")
            }
        }) { store, server in
            await expectUnavailable(naming: "did not keep it") { try await Hello.put(in: store) }
            #expect(server.requests.map(\.method) == ["PUT", "HEAD", "GET", "PUT", "HEAD", "GET"])
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
        try await withScriptedS3({ request, _ in
            request.method == "PUT" ? .answer("200 OK", headers) : .reply(Hello.head)
        }) { store, server in
            try await Hello.put(in: store)
            #expect(server.requests.count == 2)
        }
    }
}
