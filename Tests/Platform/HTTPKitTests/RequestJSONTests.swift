import DaylyAPI
import Foundation
import HTTPTesting
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import HTTPKit

@Suite("JSON bodies")
struct RequestJSONTests {
    private func post(_ bytes: [UInt8], contentType: String? = nil) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.contentType] = contentType
        return try await TestServer.app().test(.router) { [headers] client in
            try await client.execute(
                uri: "/v1/json", method: .post, headers: headers, body: ByteBuffer(bytes: bytes))
        }
    }

    /// Guard: bodies are JSON by their type (HTTPKit `requireJSON`)
    @Test(
        "every JSON media type is accepted, everything else is 415",
        arguments: [
            (nil, 202), ("application/json", 202), ("Application/JSON; charset=utf-8", 202),
            ("application/merge-patch+json", 202), ("text/plain", 415),
            ("application/x-www-form-urlencoded", 415),
            ("multipart/form-data", 415), ("application/jsonp", 415),
        ] as [(String?, Int)])
    func contentType(type: String?, status: Int) async throws {
        let response = try await post(Array(#"{"name":"x"}"#.utf8), contentType: type)
        #expect(response.status.code == status)
        if status == 415 { #expect(try response.problem().code == .unsupportedMediaType) }
    }

    @Test("unknown members are ignored, dates have whole seconds and a Z")
    func good() async throws {
        let response = try await post(
            Array(
                #" {"name":"é\u00e9😀\ud83d\ude00/","x":{"y":[1,-2.5e3,null]},"sent_at":"2026-01-31T23:59:59Z"} "#
                    .utf8))
        #expect(String(buffer: response.body) == #"{"name":"éé😀😀/","sent_at":"2026-01-31T23:59:59Z"}"#)
        #expect(response.headers[.contentType] == "application/json; charset=utf-8")
    }

    /// Guard: a JSON member is given once (HTTPKit `JSONScanner.object`)
    /// Guard: U+0000 and half surrogate pairs are refused (HTTPKit `JSONScanner.escapedScalar`)
    @Test(
        "a fault in the JSON has a pointer to its member",
        arguments: [
            ("", ""), ("  ", ""), ("{", ""), ("nul", ""), ("[1,2", ""), (#"{"name":"x"} x"#, ""),
            ("\u{feff}{}", ""),
            (#"{"name":"x",}"#, ""), (#"{'name':1}"#, ""), (#"{"name":"a"b"}"#, ""),
            (#"{"name":"\x"}"#, "/name"),
            (#"{"name":01}"#, ""), (#"{"name":1.}"#, "/name"), (#"{"name":+1}"#, "/name"),
            (#"{"name":"x","count":.5}"#, "/count"),
            (#"{}"#, "/name"), (#"{"name":null}"#, "/name"), (#"{"name":5}"#, "/name"), ("[]", ""), ("7", ""),
            (#"{"name":"x","count":"many"}"#, "/count"), (#"{"name":"x","count":1.5}"#, ""),
            (#"{"name":"x","count":99999999999999999999}"#, ""),
            (#"{"name":"x","tags":["a",2]}"#, "/tags/1"), (#"{"name":"x","sent_at":"tomorrow"}"#, "/sent_at"),
            (#"{"name":"x","name":"y"}"#, "/name"), (#"{"name":"x","\u006eame":"y"}"#, "/name"),
            (#"{"a/b~c":{"d":1,"d":2}}"#, "/a~1b~0c/d"),
            (#"{"name":"a\u0000b"}"#, "/name"), ("{\"name\":\"a\u{0}b\"}", "/name"), (#"{"a\u0000":1}"#, ""),
            (#"{"name":"\ud800"}"#, "/name"), (#"{"name":"\udc00x"}"#, "/name"),
            (#"{"name":"\ud800\u0041"}"#, "/name"),
            (#"{"name":"\u00g0"}"#, "/name"), ("{\"name\":\"a\nb\"}", "/name"),
        ])
    func bad(text: String, pointer: String) async throws {
        let response = try await post(Array(text.utf8))
        let problem = try response.problem()
        #expect(response.status == .badRequest)
        #expect(problem.code == .invalidRequest)
        #expect(problem.errors?.map(\.pointer) == [pointer])
        #expect(problem.errors?.first?.detail.isEmpty == false)
    }

    /// Guard: timestamps in requests are RFC 3339 (`RFC3339`)
    @Test(
        "a timestamp is RFC 3339, of a day and a time that exist, in the years 1 to 9999",
        arguments: [
            ("2026-01-31T23:59:59Z", "2026-01-31T23:59:59Z"),
            ("2026-01-31t23:59:59.999z", "2026-01-31T23:59:59Z"),
            ("2028-02-29T00:00:00+14:00", "2028-02-28T10:00:00Z"),
            ("2026-01-01T00:00:00-00:30", "2026-01-01T00:30:00Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("2016-12-31T15:59:60-08:00", "2017-01-01T00:00:00Z"),

            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            ("10000-01-01T00:00:00Z", nil), ("9999-12-31T23:59:59-00:01", nil),
            ("0001-01-01T00:00:00+00:01", nil),
            ("0000-12-31T00:00:00Z", nil), ("2027-02-29T00:00:00Z", nil), ("2027-02-30T00:00:00Z", nil),
            ("2027-04-31T00:00:00Z", nil), ("2027-13-01T00:00:00Z", nil), ("2027-01-00T00:00:00Z", nil),
            ("2027-01-01T99:99:99Z", nil), ("2027-01-01T24:00:00Z", nil), ("2027-01-01T12:00:60Z", nil),
            ("2027-01-01T00:00:00", nil), ("2027-01-01T00:00:00Zjunk", nil), ("2027-01-01T00:00:00Z ", nil),
            ("2027-01-01 00:00:00Z", nil), ("2027-01-01", nil), ("2027-1-1T0:0:0Z", nil),
            ("20270101T000000Z", nil),
            ("2027-01-01T00:00:00.Z", nil), ("2027-01-01T00:00:00+0100", nil),
            ("2027-01-01T00:00:00+24:00", nil),
            ("+2027-01-01T00:00:00Z", nil), ("２０２７-01-01T00:00:00Z", nil), ("", nil),
        ])
    func timestamps(text: String, read: String?) async throws {
        let response = try await post(Array(#"{"name":"x","sent_at":"\#(text)"}"#.utf8))
        if let read {
            #expect(String(buffer: response.body) == #"{"name":"x","sent_at":"\#(read)"}"#)
        } else {
            #expect(try response.problem().errors?.map(\.pointer) == ["/sent_at"])
        }
    }

    @Test("the first and the last second are accepted")
    func years() {
        #expect(RFC3339.date("0001-01-01T00:00:00Z") == Date(timeIntervalSince1970: -62_135_596_800))
        #expect(RFC3339.date("9999-12-31T23:59:59Z") == Date(timeIntervalSince1970: 253_402_300_799))
    }

    /// Guard: a time to wait for is rounded up (`JSONValue.dateRoundedUp`)
    @Test("a time to wait for is rounded up, any other time down")
    func roundedUp() {
        let moment = Date(timeIntervalSince1970: 1_000.25)
        #expect(JSONValue.date(moment) == "1970-01-01T00:16:40Z")
        #expect(JSONValue.dateRoundedUp(moment) == "1970-01-01T00:16:41Z")
        #expect(JSONValue.dateRoundedUp(Date(timeIntervalSince1970: 1_000)) == "1970-01-01T00:16:40Z")
    }

    /// Guard: bodies are UTF-8 (HTTPKit `JSONScanner.validate`)
    @Test("bytes that are not UTF-8 are refused")
    func utf8() async throws {
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]] {
            let response = try await post(Array(#"{"name":""#.utf8) + bytes + Array(#""}"#.utf8))
            #expect(response.status == .badRequest)
            #expect(try response.problem().errors?.first?.detail == "The body is not UTF-8.")
        }
    }

    /// Guard: 32 levels of JSON (HTTPKit `JSONScanner.value`)
    @Test("32 levels are accepted, 33 and 30,000 are not")
    func depth() async throws {
        func nested(_ levels: Int) -> [UInt8] {
            Array(#"{"name":"x","deep":"#.utf8) + Array(repeating: UInt8(ascii: "["), count: levels - 1)
                + Array(repeating: UInt8(ascii: "]"), count: levels - 1) + [UInt8(ascii: "}")]
        }
        #expect(try await post(nested(32)).status == .accepted)
        #expect(try await post(nested(33)).status == .badRequest)
        #expect(try await post(nested(30_000)).status == .badRequest)
    }

    /// Guard: the size of a body is bounded, as declared and as received (HTTPKit `readBody`,
    /// `declaredLength`)
    @Test("64 KiB are accepted, one byte more is 413")
    func size() async throws {
        let frame = #"{"name":""}"#.utf8.count
        let text = { (size: Int) in
            Array("{\"name\":\"\(String(repeating: "x", count: size - frame))\"}".utf8)
        }
        #expect(try await post(text(64 << 10)).status == .accepted)
        let response = try await post(text(64 << 10 + 1))
        #expect(response.status == .contentTooLarge)
        #expect(try response.problem().code == .bodyTooLarge)
    }

    @Test("compressed bodies are refused")
    func compressed() async throws {
        try await TestServer.app().test(.router) { client in
            let response = try await client.execute(
                uri: "/v1/json", method: .post, headers: [.contentEncoding: "gzip"],
                body: ByteBuffer(string: #"{"name":"x"}"#))
            #expect(response.status == .unsupportedMediaType)
        }
    }
}
