import DaylyTesting
import Foundation
import NIOCore
import Testing

@testable import ObjectStorage

@Suite("S3: stores that differ", .serialized)
struct StoreDifferenceTests {
    struct DeleteCase: Decodable, Sendable {
        struct Answer: Decodable, Sendable {
            let status: Int
            let body: String
        }

        let input: Answer
        let want: String
    }

    @Test("objects are deleted one by one where a store has no DeleteObjects, and the process remembers it")
    func deletions() async throws {
        for each in try outsideCases("stores.json", of: DeleteCase.self) {
            try await withScriptedS3({ request, _ in
                request.method == "POST"
                    ? .answer("\(each.input.status) X", body: each.input.body)
                    : .reply("HTTP/1.1 204 No Content\r\n\r\n")
            }) { store, server in
                guard each.want != "unavailable" else {
                    await expectUnavailable { _ = try await store.delete(["a", "b"]) }
                    #expect(!store.deletesOneByOne)
                    return
                }
                let failures = try await store.delete(["a", "b"])
                #expect(failures == [:], "\(each.input)")
                let isSingle = each.want == "one by one"
                let singly: Set = ["/bucket/a", "/bucket/b"]
                #expect(
                    Set(server.requests.dropFirst().map(\.target)) == (isSingle ? singly : []),
                    "\(each.input)")
                let before = server.requests.count
                _ = try await store.delete(["c"])
                #expect(server.requests[before].method == (isSingle ? "DELETE" : "POST"))
                #expect(store.deletesOneByOne == isSingle)
            }
        }
    }

    @Test(
        "a refusal that a single DELETE gets too is the store's, and is not taken for a lack of DeleteObjects"
    )
    func refused() async throws {
        try await withScriptedS3({ _, _ in
            .answer("403 Forbidden", body: "<Error><Code>AccessDenied</Code></Error>")
        }) {
            store, server in
            await expectRejected(culprits: [.permission]) { _ = try await store.delete(["a", "b"]) }
            #expect(server.requests.map(\.method) == ["POST", "DELETE"])
            #expect(!store.deletesOneByOne)
        }
    }

    @Test("a large batch without DeleteObjects is deleted with many requests at a time, versions too")
    func many() async throws {
        let keys = try (0..<300).map { try ObjectKey("photos/\($0)") }
        let list = keys.prefix(1).map { key in
            """
            <ListVersionsResult><Version><Key>\(key)</Key><VersionId>v1</VersionId><IsLatest>true</IsLatest><Size>1</Size>\
            <LastModified>2026-01-01T00:00:00Z</LastModified></Version></ListVersionsResult>
            """
        }
        try await withScriptedS3(
            { request, _ in
                switch request.method {
                case "POST": .answer("400 Bad Request", body: "<Error><Code>InvalidArgument</Code></Error>")
                case "GET": .answer("200 OK", body: list[0])
                default: .reply("HTTP/1.1 204 No Content\r\n\r\n")
                }
            }, change: { $0.deletesVersions = true }
        ) { store, server in
            let failures = try await store.delete([keys[0]])
            #expect(failures == [:])
            #expect(server.requests.last?.target == "/bucket/photos/0?versionId=v1")
        }
        try await withScriptedS3({ request, _ in
            request.method == "POST"
                ? .answer("400 Bad Request", body: "<Error><Code>InvalidArgument</Code></Error>")
                : .later(.milliseconds(20), "HTTP/1.1 204 No Content\r\n\r\n")
        }) { store, server in
            let failures = try await store.delete(keys)
            #expect(failures == [:])
            #expect(Set(server.requests.dropFirst().map(\.target)).count == 300)
        }
    }

    @Test(
        "an ETag that looks like an MD5 and is none is taken when length and bytes agree, and then not compared again"
    )
    func otherETags() async throws {
        let bytes = ByteBuffer(string: "hello")
        try await withScriptedS3({ request, _ in
            .answer(
                "200 OK", ["ETag: \"\(String(repeating: "a", count: 32))\""],
                body: request.method == "PUT" ? "" : "hello")
        }) { store, server in
            try await store.put("k", bytes, contentType: "text/plain")
            #expect(server.requests.map(\.method) == ["PUT", "HEAD", "GET"])
            try await store.put("k", bytes, contentType: "text/plain")
            #expect(server.requests.dropFirst(3).map(\.method) == ["PUT", "HEAD"])
        }
        try await withScriptedS3({ request, _ in
            .answer(
                "200 OK", ["ETag: \"\(String(repeating: "a", count: 32))\""],
                body: request.method == "PUT" ? "" : "hullo")
        }) { store, _ in
            await expectUnavailable(naming: "did not keep") {
                try await store.put("k", bytes, contentType: "text/plain")
            }
        }
    }

    @Test("a HEAD without a length is followed by a GET")
    func lengthless() async throws {
        try await withScriptedS3({ request, _ in
            request.method == "HEAD"
                ? .replyAndClose("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
                : .answer("200 OK", body: "hello")
        }) { store, _ in
            let found = try await store.head("k")
            #expect(found?.size == 5)
        }
    }

    @Test(
        "a redirect is not followed, and names the endpoint and the region to set",
        arguments: [
            (
                "301 Moved Permanently", ["x-amz-bucket-region: eu-west-1"],
                "<Error><Code>PermanentRedirect</Code><Endpoint>bucket.s3.eu-west-1.amazonaws.com</Endpoint></Error>",
                ["'eu-west-1'", "https://s3.eu-west-1.amazonaws.com"]
            ),
            (
                "307 Temporary Redirect",
                ["Location: https://bucket.s3-us-west-2.amazonaws.com/?list-type=2"], "",
                ["at the endpoint https://s3-us-west-2.amazonaws.com ("]
            ),
            (
                "308 Permanent Redirect", ["Location: https://store.example:9000/bucket"], "",
                ["https://store.example:9000"]
            ),
            ("301 Moved Permanently", ["Location: javascript:alert(1)"], "", ["a redirect"]),
            (
                "400 Bad Request", [],
                "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-central-1</Region></Error>",
                ["'eu-central-1'"]
            ),
        ])
    func redirects(_ status: String, _ headers: [String], _ body: String, _ words: [String]) async throws {
        try await withScriptedS3({ _, _ in .answer(status, headers, body: body) }) { store, server in
            for word in words {
                await expectRejected(naming: word, culprits: [.region, .address]) { try await store.check() }
            }
            #expect(server.requests.count == words.count)
        }
    }
}
