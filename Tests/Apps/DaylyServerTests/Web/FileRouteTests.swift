import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import ObjectStorage
import Testing

@testable import DaylyServer

/// Guard: a file is cached no longer than its URL is valid; If-Range ties a range to its file (`FileRoutes`)
@Suite("Files of the filesystem store")
struct FileRouteTests {
    private static let key: ObjectKey = "photos/0193/abc/photo.jpg"
    /// Stands in for the database clock, because these tests have no database.
    private static let ownClock: ServerOverrides = {
        var overrides = ServerOverrides()
        overrides.now = { Date() }
        return overrides
    }()
    /// Larger than a chunk.
    private static let bytes = ByteBuffer(bytes: (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    /// Stores an object and returns the target of a URL that is valid for `lifetime`.
    private func withFile<Value: Sendable>(
        lifetime: TimeInterval = 60,
        _ test: @escaping @Sendable (any TestClientProtocol, String) async throws -> Value
    ) async throws -> Value {
        try await Fixture.serving(overrides: Self.ownClock) { client, composition in
            try await composition.objectStore.put(Self.key, Self.bytes, contentType: "image/jpeg")
            let now = Date()
            let url = try composition.objectStore.presignedGet(
                Self.key, signedAt: now, expiresAt: now.addingTimeInterval(lifetime))
            let target = url.replacing("http://127.0.0.1:8080", with: "")
            #expect(target.hasPrefix("/files/"))
            return try await test(client, target)
        }
    }

    /// Guard: no cache stores a picture (`FileRoutes`, `S3ObjectStore.put`)
    @Test("a signed URL returns the file, which no cache may store")
    func whole() async throws {
        try await withFile { client, target in
            let response = try await client.execute(uri: target, method: .get)
            #expect(response.status == .ok)
            #expect(response.body == Self.bytes)
            #expect(response.headers[.contentType] == "image/jpeg")
            #expect(response.headers[.contentLength] == "300000")
            #expect(response.headers[.acceptRanges] == "bytes")
            #expect(response.headers[values: .xContentTypeOptions] == ["nosniff"])
            #expect(response.headers[.eTag]?.hasPrefix("\"") == true)
            #expect(response.headers[.cacheControl] == "private, no-store, no-transform")
        }
    }

    /// Guard: `Last-Modified` is never later than `Date` (`FileRoutes.fields`)
    @Test("Last-Modified is never later than Date, even for a file from the future")
    func future() async throws {
        try await Fixture.serving(overrides: Self.ownClock) { client, composition in
            let now = Date()
            try await composition.objectStore.put(Self.key, Self.bytes, contentType: "image/jpeg")
            let root = composition.configuration.storage.path
            let names = try FileManager.default.subpathsOfDirectory(atPath: root)
            let name = try #require(names.first { $0.hasSuffix("photo.jpg") })
            try FileManager.default.setAttributes(
                [.modificationDate: now + 3_600], ofItemAtPath: root + "/" + name)
            let url = try composition.objectStore.presignedGet(
                Self.key, signedAt: now, expiresAt: now.addingTimeInterval(60))
            let response = try await client.execute(
                uri: url.replacing("http://127.0.0.1:8080", with: ""), method: .get)
            let modified = try #require(response.headers[.lastModified].flatMap(HTTPDate.parse))
            let date = try #require(response.headers[.date].flatMap(HTTPDate.parse))
            #expect(modified <= date)
        }
    }

    @Test("HEAD answers the same headers without the bytes")
    func head() async throws {
        try await withFile { client, target in
            let response = try await client.execute(uri: target, method: .head)
            #expect(response.status == .ok)
            #expect(response.headers[.contentLength] == "300000")
            #expect(response.body.readableBytes == 0)
        }
    }

    @Test(
        "ranges",
        arguments: [
            ("bytes=0-99", 0..<100), ("bytes=299990-", 299_990..<300_000), ("bytes=-100", 299_900..<300_000),
            ("bytes=200000-999999", 200_000..<300_000),
        ])
    func ranges(_ header: String, _ range: Range<Int>) async throws {
        try await withFile { client, target in
            let response = try await client.execute(uri: target, method: .get, headers: [.range: header])
            #expect(response.status == .partialContent)
            #expect(
                response.headers[.contentRange] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/300000")
            #expect(response.body == Self.bytes.getSlice(at: range.lowerBound, length: range.count))
        }
    }

    @Test("a range past the end is 416 with the size of the file")
    func unsatisfiable() async throws {
        try await withFile { client, target in
            let response = try await client.execute(
                uri: target, method: .get, headers: [.range: "bytes=300000-"])
            #expect(response.status == .rangeNotSatisfiable)
            #expect(response.headers[.contentRange] == "bytes */300000")
        }
    }

    @Test("If-None-Match is answered by 304, and If-Range counts only with the tag of the same file")
    func conditions() async throws {
        try await withFile { client, target in
            let tag = try #require(try await client.execute(uri: target, method: .get).headers[.eTag])
            let known = try await client.execute(uri: target, method: .get, headers: [.ifNoneMatch: tag])
            #expect(known.status == .notModified)
            #expect(known.headers[.eTag] == tag)
            #expect(known.body.readableBytes == 0)
            let other = try await client.execute(uri: target, method: .get, headers: [.ifNoneMatch: "\"x\""])
            #expect(other.status == .ok)
            let ranged = try await client.execute(
                uri: target, method: .get, headers: [.range: "bytes=0-9", .ifRange: tag])
            #expect(ranged.status == .partialContent)
            let changed = try await client.execute(
                uri: target, method: .get, headers: [.range: "bytes=0-9", .ifRange: "\"x\""])
            #expect(changed.status == .ok)
            #expect(changed.body.readableBytes == 300_000)
        }
    }

    /// Guard: paths are exact: no empty segment, one spelling of a file's key (`ExactPathMiddleware`,
    /// `FileURLSigner.Claim`)
    @Test("only an unchanged, unexpired URL of an existing file returns anything")
    func refusals() async throws {
        try await withFile { client, target in
            let halves = target.split(separator: "?").map(String.init)
            let other = halves[0].replacing("photo.jpg", with: "phota.jpg") + "?" + halves[1]
            let flipped = target.dropLast() + (target.hasSuffix("A") ? "B" : "A")
            for wrong in [
                halves[0], other, String(flipped), target + "&x=1",
                target.replacing("expires=", with: "expires=1"),
                "/files/", "/files/../../etc/passwd", "/files/%2e%2e/%2e%2e/etc/passwd?\(halves[1])",
                "/files//etc/passwd?\(halves[1])", "/files/photos?\(halves[1])",
                target.replacing("photos/", with: "photos%2F"),
                target.replacing("photo.jpg", with: "%70hoto.jpg"),
            ] {
                let response = try await client.execute(uri: wrong, method: .get)
                #expect(response.status == .notFound, "\(wrong)")
                #expect(response.headers[.contentType] == "application/problem+json")
            }
            let outcome = try await client.execute(uri: target, method: .get).status
            #expect(outcome == .ok)
        }
    }

    @Test("an expired URL returns nothing, not even for a range or a condition")
    func expired() async throws {
        try await withFile(lifetime: -1) { client, target in
            for headers: HTTPFields in [[:], [.range: "bytes=0-9"], [.ifNoneMatch: "*"]] {
                let response = try await client.execute(uri: target, method: .get, headers: headers)
                #expect(response.status == .notFound)
            }
        }
    }

    @Test("a deleted file is not found under a URL that is still valid")
    func deleted() async throws {
        try await Fixture.serving(overrides: Self.ownClock) { client, composition in
            let store = composition.objectStore
            try await store.put(Self.key, Self.bytes, contentType: "image/jpeg")
            let url = try store.presignedGet(
                Self.key, signedAt: Date(), expiresAt: Date().addingTimeInterval(60))
            let target = url.replacing("http://127.0.0.1:8080", with: "")
            _ = try await store.delete([Self.key])
            let outcome = try await client.execute(uri: target, method: .get).status
            #expect(outcome == .notFound)
        }
    }
}
