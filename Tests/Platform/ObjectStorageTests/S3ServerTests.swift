import AsyncHTTPClient
import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Testing

@Suite("S3 on real servers")
struct S3ServerTests {
    /// A store with a fresh bucket.
    private func withBucket<T>(
        _ server: S3Server, change: (inout S3Configuration) -> Void = { _ in },
        clock: @escaping @Sendable () -> Date = { Date() }, _ body: (S3ObjectStore) async throws -> T
    ) async throws -> T {
        let bucket = "dayly-test-\(UUID().uuidString.lowercased())"
        var configuration = try server.configuration(bucket: bucket)
        try await withS3(configuration) { _ = try await $0.makeBucket() }
        change(&configuration)
        return try await withS3(configuration, clock: clock, body)
    }

    private func put(_ store: S3ObjectStore, _ keys: [String]) async throws {
        for key in keys {
            try await store.put(try ObjectKey(key), ByteBuffer(string: key), contentType: "text/plain")
        }
    }

    @Test("put, get, head, delete", arguments: S3Server.allCases)
    func story(server: S3Server) async throws {
        try await withBucket(server) { store in
            let key: ObjectKey = "photos/2025-03-01/a.jpg"
            let bytes = ByteBuffer(bytes: (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) })
            #expect(try await store.head(key) == nil)
            await #expect(throws: ObjectStoreError.notFound) { try await store.get(key) }
            try await store.put(key, bytes, contentType: "image/jpeg")
            #expect(try await store.get(key) == bytes)
            let metadata = try #require(try await store.head(key))
            #expect(metadata.size == 300_000)
            #expect(metadata.etag?.contains("\"") == false)
            #expect(abs(metadata.lastModified?.timeIntervalSinceNow ?? 99) < 30)
            #expect(try await store.delete([key, "photos/absent"]) == [:])
            #expect(try await store.head(key) == nil)
            #expect(try await store.delete([]) == [:])
            #expect(try await store.delete([key]) == [:])
        }
    }

    @Test("tells its clock", arguments: S3Server.allCases)
    func clock(server: S3Server) async throws {
        try await withBucket(server) { store in
            let date = try #require(try await store.currentDate())
            #expect(abs(date.timeIntervalSinceNow) < 30)
        }
    }

    @Test("an empty object", arguments: S3Server.allCases)
    func empty(server: S3Server) async throws {
        try await withBucket(server) { store in
            try await store.put("empty", ByteBuffer(), contentType: "text/plain")
            #expect(try await store.head("empty")?.size == 0)
            #expect(try await store.get("empty").readableBytes == 0)
        }
    }

    static let awkwardKeys = [
        "plain", "a b/c+d", "plus+%2B", "ü/é.jpg", "e\u{301}", "emoji-😀.jpg", "percent%20literal%",
        "quote'\"",
        "amp&lt<gt>", "q?x=y&z", "hash#1", "semi;colon:at@=,$!*()", "~tilde-_.", "back\\slash",
        "[brackets]{}|^`",
        "deep/er/and/deep/er", String(repeating: "x", count: 200), "&amp;", "...", "a=b",
    ]

    @Test("awkward keys: put, listed, read by a signed URL, deleted", arguments: S3Server.allCases)
    func awkward(server: S3Server) async throws {
        try await withBucket(server) { store in
            try await put(store, Self.awkwardKeys)
            #expect(Set(try await allKeys(store, prefix: "", limit: 1_000)) == Set(Self.awkwardKeys))
            #expect(try await allKeys(store, prefix: "a b/c+", limit: 1_000) == ["a b/c+d"])
            for key in Self.awkwardKeys {
                #expect(try await store.get(try ObjectKey(key)) == ByteBuffer(string: key))
                let url = try store.presignedGet(
                    try ObjectKey(key), signedAt: Date(), expiresAt: Date().addingTimeInterval(60))
                let (status, body) = try await fetch(url)
                #expect(status == 200 && body == key, "\(key)")
            }
            #expect(try await store.delete(Self.awkwardKeys.map { try ObjectKey($0) }) == [:])
            #expect(try await allKeys(store, prefix: "", limit: 1_000) == [])
        }
    }

    /// Guard: no cache stores a picture (`FileRoutes`, `S3ObjectStore.put`)
    @Test("a signed URL's answer tells browsers to store nothing", arguments: S3Server.allCases)
    func cacheControl(server: S3Server) async throws {
        try await withBucket(server) { store in
            try await put(store, ["photos/a.jpg"])
            let url = try store.presignedGet(
                "photos/a.jpg", signedAt: Date(), expiresAt: Date().addingTimeInterval(60))
            let answer = try await store.fetch(url, from: "https://dayly.example")
            #expect(answer.isSuccess)
            // rclone takes the header and does not keep it.
            if server == .swift { #expect(answer.cacheControl == "private, no-store, no-transform") }
        }
    }

    @Test("keys that XML cannot name are deleted too", arguments: S3Server.allCases)
    func controlCharacters(server: S3Server) async throws {
        try await withBucket(server) { store in
            let key = "tab\tand\u{1}control" as ObjectKey
            try await store.put(key, ByteBuffer(string: "x"), contentType: "text/plain")
            #expect(try await store.get(key) == ByteBuffer(string: "x"))
            #expect(try await store.delete([key]) == [:])
            #expect(try await store.head(key) == nil)
        }
    }

    @Test("lists page by page with a prefix", arguments: S3Server.allCases)
    func paging(server: S3Server) async throws {
        try await withBucket(server) { store in
            let keys = (0..<7).map { "photos/day/\($0)" }
            try await put(store, keys + ["other/1", "photosx"])
            for limit in [1, 3, 7, 1_000] {
                #expect(try await allKeys(store, prefix: "photos/", limit: limit) == keys)
            }
            let object = try #require(try await store.list(prefix: "photos/day/3").objects.first)
            #expect(object.size == 12)
            #expect(abs(object.lastModified.timeIntervalSinceNow) < 30)
            #expect(try await store.list(prefix: "none/").objects == [])
        }
    }

    @Test("more than a thousand objects are listed and deleted")
    func many() async throws {
        try await withBucket(.rclone) { store in
            let keys = (0..<1_050).map { "photos/\($0 % 3)/\($0)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        for index in stride(from: worker, to: keys.count, by: 16) {
                            try await store.put(
                                try ObjectKey(keys[index]), ByteBuffer(string: "x"), contentType: "text/plain"
                            )
                        }
                    }
                }
                try await group.waitForAll()
            }
            let first = try await store.list(prefix: "photos/")
            #expect(first.objects.count == 1_000 && first.continuation != nil)
            #expect(Set(try await allKeys(store, prefix: "photos/", limit: 1_000)) == Set(keys))
            #expect(try await store.delete(keys.map { try ObjectKey($0) }) == [:])
            #expect(try await allKeys(store, prefix: "", limit: 1_000) == [])
        }
    }

    @Test(
        "a signed URL reads its object until it expires, and does nothing else", arguments: S3Server.allCases)
    func presigned(server: S3Server) async throws {
        try await withBucket(server) { store in
            try await put(store, ["photos/a", "photos/b"])
            let now = Date()
            let url = try store.presignedGet("photos/a", signedAt: now, expiresAt: now.addingTimeInterval(60))
            #expect(
                try store.presignedGet("photos/a", signedAt: now, expiresAt: now.addingTimeInterval(60))
                    == url)
            #expect(try await fetch(url) == (200, "photos/a"))

            let old = now.addingTimeInterval(-600)
            let expired = try store.presignedGet(
                "photos/a", signedAt: old, expiresAt: old.addingTimeInterval(30))
            #expect([400, 403].contains(try await fetch(expired).0), "expired")
            let other = url.replacingOccurrences(of: "photos/a", with: "photos/b")
            #expect(try await fetch(other).0 == 403, "another key")
            let longer = url.replacingOccurrences(of: "X-Amz-Expires=60", with: "X-Amz-Expires=6000")
            #expect(try await fetch(longer).0 == 403, "another lifetime")
            #expect(try await fetch(url, method: .PUT).0 == 403, "another method")
            #expect(try await fetch(url, method: .DELETE).0 == 403, "another method")
            #expect(try await store.get("photos/a") == ByteBuffer(string: "photos/a"))
        }
    }

    @Test("an error of the configuration names its cause", arguments: S3Server.allCases)
    func misconfigured(server: S3Server) async throws {
        try await withBucket(server) { store in try await store.check() }
        try await withBucket(server, change: { $0.secretAccessKey = "wrong-secret" }) { store in
            await expectRejected(culprits: [.credentials, .permission]) { try await store.check() }
            await #expect(throws: ObjectStoreError.self) { try await store.head("x") }
            await #expect(throws: ObjectStoreError.self) {
                try await store.put("x", ByteBuffer(string: "x"), contentType: "text/plain")
            }
        }
        try await withBucket(server, change: { $0.accessKeyID = "nobody" }) { store in
            await expectRejected(culprits: [.accessKeyID, .credentials, .permission]) {
                try await store.check()
            }
        }
        try await withBucket(server, change: { $0.bucket += "-missing" }) { store in
            await expectRejected(culprits: [.bucket]) { try await store.check() }
            await #expect(throws: ObjectStoreError.self) {
                try await store.put("x", ByteBuffer(string: "x"), contentType: "text/plain")
            }
        }
    }

    @Test("a wrong region is answered by the right one")
    func wrongRegion() async throws {
        try await withBucket(.swift, change: { $0.region = "eu-west-7" }) { store in
            await expectRejected(naming: "region 'us-east-1', not 'eu-west-7'") { try await store.check() }
        }
    }

    @Test("a clock that is an hour off is helped by the server's", arguments: S3Server.allCases)
    func skew(server: S3Server) async throws {
        for offset in [-3_600.0, 3_600] {
            try await withBucket(server, clock: { Date().addingTimeInterval(offset) }) { store in
                #expect(try await store.head("x") == nil)
                try await store.put("x", ByteBuffer(string: "x"), contentType: "text/plain")
                try await store.check()
            }
        }
    }

    @Test(
        "making a bucket that is there is no error; a plain bucket keeps no versions",
        arguments: S3Server.allCases)
    func makeBucket(server: S3Server) async throws {
        try await withBucket(server) { store in
            try await store.makeBucket()
            let retention = try await store.retention()
            #expect(retention.versioning == .never)
            #expect(retention.lock == (server == .swift ? .none : .unsupported))
        }
    }

    private func fetch(_ url: String, method: NIOHTTPMethod = .GET) async throws -> (Int, String) {
        var request = HTTPClientRequest(url: url)
        request.method = .init(rawValue: method.rawValue)
        if method == .PUT { request.body = .bytes(ByteBuffer(string: "overwritten")) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
        let body = try await response.body.collect(upTo: 1 << 20)
        return (Int(response.status.code), String(buffer: body))
    }

    enum NIOHTTPMethod: String { case GET, PUT, DELETE }
}
