import Foundation
import Testing

@testable import ObjectStorage

@Suite("S3: the meaning of answers", .serialized)
struct S3AnswerTests {
    /// Guard: errors inside a 200 count; half a listing is an error (`S3ObjectStore`)
    @Test(
        "half a listing is refused",
        arguments: [
            "<ListBucketResult><IsTruncated>false</IsTruncated>",
            "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
            "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>", "<html></html>", "",
        ])
    func halfListing(body: String) async throws {
        try await withScriptedS3({ _, _ in .answer("200 OK", body: body) }) { store, _ in
            await expectUnavailable(naming: "listing") { _ = try await store.list(prefix: "") }
        }
    }

    @Test("the store's clock is what its answers are dated by")
    func clock() async throws {
        try await withScriptedS3({ _, index in
            switch index {
            case 0: .answer("200 OK", ["Date: Sun, 06 Nov 1994 08:49:37 GMT"])
            case 1: .answer("200 OK")
            default: .answer("404 Not Found", ["Date: Sun, 06 Nov 1994 08:49:37 GMT"])
            }
        }) { store, server in
            let told = try await store.currentDate()
            let untold = try await store.currentDate()
            #expect((told, untold) == (Date(timeIntervalSince1970: 784_111_777), nil))
            await expectRejected(naming: "bucket 'bucket' does not exist") {
                _ = try await store.currentDate()
            }
            #expect(server.requests.map(\.method) == ["HEAD", "HEAD", "HEAD"])
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
        try await withScriptedS3({ _, index in .answer("200 OK", body: index == 0 ? encoded : plain) }) {
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
        try await withScriptedS3({ _, _ in .answer("200 OK", body: body) }) { store, _ in
            await #expect(
                throws: ObjectStoreError.corrupted("the object store's answer is larger than 1000 bytes")
            ) {
                _ = try await store.get("k")
            }
        }
    }

    @Test("a refusal for the clock is signed again once, with the server's time, which is kept")
    func skew() async throws {
        let theirs = Date(timeIntervalSince1970: 1_700_000_000)
        let ours = theirs.addingTimeInterval(-7_200)
        let date = "Date: \(HTTPDate.format(theirs))"
        let tooSkewed = "<Error><Code>RequestTimeTooSkewed</Code></Error>"
        try await withScriptedS3(
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
        try await withScriptedS3(
            { _, _ in .answer("403 Forbidden", [date], body: tooSkewed) }, clock: { ours }
        ) {
            store, server in
            await expectRejected(naming: "clock") { _ = try await store.get("k") }
            #expect(server.requests.count == 2, "once, not for ever")
        }
    }

    @Test("a server whose clock jumps about is believed once per call")
    func jumpingClock() async throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        try await withScriptedS3(
            { _, index in
                let date = HTTPDate.format(start.addingTimeInterval(Double(index + 1) * 3_600))
                return .answer(index < 5 ? "403 Forbidden" : "200 OK", ["Date: \(date)"])
            }, clock: { start }
        ) { store, server in
            await expectRejected(naming: "403") { _ = try await store.get("k") }
            #expect(server.requests.count == 2)
        }
    }

    @Test(
        "a region named in the XML or its message is reported",
        arguments: [
            "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-3</Region></Error>",
            "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region 'a' is wrong; expecting 'eu-west-3'</Message></Error>",
        ])
    func region(body: String) async throws {
        try await withScriptedS3({ _, _ in .answer("400 Bad Request", body: body) }) { store, _ in
            await expectRejected(naming: "'eu-west-3', not 'us-east-1'") { try await store.check() }
        }
    }

    @Test("errors repeat nothing of what a server says beyond a word, and no secret")
    func noSecrets() async throws {
        let body = "<Error><Code>SignatureDoesNotMatch</Code><StringToSign>very-secret</StringToSign></Error>"
        let odd = "<Error><Code>very secret, with blanks</Code></Error>"
        try await withScriptedS3({ _, index in .answer("403 Forbidden", body: index == 0 ? body : odd) }) {
            store, _ in
            for _ in 0..<2 {
                do { _ = try await store.get("k") } catch {
                    #expect(!"\(error)".contains("very"))
                    #expect(!"\(error)".contains("key-id"))
                }
            }
        }
    }
}
