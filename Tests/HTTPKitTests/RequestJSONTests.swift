import DaylyAPI
import Foundation
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

    @Test(
        "JSON of any name is taken, everything else is 415",
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

    @Test(
        "what is wrong is pointed at",
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

    @Test("bytes that are no UTF-8 are refused")
    func utf8() async throws {
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]] {
            let response = try await post(Array(#"{"name":""#.utf8) + bytes + Array(#""}"#.utf8))
            #expect(response.status == .badRequest)
            #expect(try response.problem().errors?.first?.detail == "The body is not UTF-8.")
        }
    }

    @Test("32 levels are taken, 33 are not, 30,000 change nothing")
    func depth() async throws {
        func nested(_ levels: Int) -> [UInt8] {
            Array(#"{"name":"x","deep":"#.utf8) + Array(repeating: UInt8(ascii: "["), count: levels - 1)
                + Array(repeating: UInt8(ascii: "]"), count: levels - 1) + [UInt8(ascii: "}")]
        }
        #expect(try await post(nested(32)).status == .accepted)
        #expect(try await post(nested(33)).status == .badRequest)
        #expect(try await post(nested(30_000)).status == .badRequest)
    }

    @Test("64 KiB are taken, one byte more is 413")
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
