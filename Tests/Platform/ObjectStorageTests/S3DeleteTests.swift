import Crypto
import Foundation
import NIOCore
import Testing

@testable import ObjectStorage

@Suite("S3: deleting by the thousand", .serialized)
struct S3DeleteTests {
    @Test("deletes in batches of a thousand, each with its MD5")
    func batches() async throws {
        try await withScriptedS3(
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

    /// Guard: errors inside a 200 count; half a listing is an error (`S3ObjectStore`)
    @Test("an error for one key inside a 200 is that key's failure")
    func errorInside200() async throws {
        let body = """
            <DeleteResult><Deleted><Key>a</Key></Deleted>\
            <Error><Key>b</Key><Code>AccessDenied</Code><Message>no</Message></Error>\
            <Error><Key>c</Key><Code>NoSuchKey</Code></Error></DeleteResult>
            """
        try await withScriptedS3({ _, _ in .answer("200 OK", body: body) }) { store, server in
            let failures = try await store.delete(["a", "b", "c"])
            #expect(failures == ["b": "AccessDenied"])
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        "keys that a result does not mention are deleted one by one, and so are all keys without DeleteObjects"
    )
    func singly() async throws {
        try await withScriptedS3({ request, _ in
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
        try await withScriptedS3({ request, _ in
            request.method == "POST"
                ? .answer("501 Not Implemented") : .reply("HTTP/1.1 204 No Content\r\n\r\n")
        }) { store, server in
            let failures = try await store.delete(["a", "b"])
            #expect(failures == [:])
            #expect(server.requests.count == 3)
        }
    }
}
