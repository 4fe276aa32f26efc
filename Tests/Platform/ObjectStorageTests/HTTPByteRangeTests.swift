import Foundation
import ObjectStorage
import Testing

@Suite("Range, If-None-Match, If-Range")
struct HTTPByteRangeTests {
    @Test(
        "ranges by RFC 9110",
        arguments: [
            (nil, .whole),
            ("bytes=0-0", .partial(0..<1)),
            ("bytes=0-99", .partial(0..<100)),
            ("bytes=0-98", .partial(0..<99)),
            ("bytes=5-9", .partial(5..<10)),
            ("bytes=5-5000", .partial(5..<100)),
            ("bytes=5-99999999999999999999999", .partial(5..<100)),
            ("bytes=99-", .partial(99..<100)),
            ("bytes=0-", .partial(0..<100)),
            ("bytes=-1", .partial(99..<100)),
            ("bytes=-100", .partial(0..<100)),
            ("bytes=-5000", .partial(0..<100)),
            ("bytes=-99999999999999999999999", .partial(0..<100)),
            ("BYTES=1-2", .partial(1..<3)),
            ("bytes= 1-2 ", .partial(1..<3)),
            ("bytes=1-2,", .partial(1..<3)),
            ("bytes=100-", .unsatisfiable),
            ("bytes=100-200", .unsatisfiable),
            ("bytes=99999999999999999999999-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable),
            ("bytes=0-1,3-4", .whole),
            ("bytes=0-1, 500-", .whole),
            ("bytes=9-5", .whole),
            ("bytes=", .whole),
            ("bytes=-", .whole),
            ("bytes=a-b", .whole),
            ("bytes=1-b", .whole),
            ("bytes=+1-2", .whole),
            ("bytes=--1", .whole),
            ("bytes=1", .whole),
            ("bytes 1-2", .whole),
            ("bytes=1 - 2", .whole),
            ("bytes=0x1-2", .whole),
            ("bytes=\u{0661}-2", .whole),
            ("items=0-1", .whole),
            ("", .whole),
        ] as [(String?, HTTPByteRange)])
    func ranges(header: String?, expected: HTTPByteRange) {
        #expect(HTTPByteRange(header: header, size: 100) == expected)
    }

    @Test("nothing of an empty representation can be had")
    func empty() {
        #expect(HTTPByteRange(header: "bytes=0-", size: 0) == .unsatisfiable)
        #expect(HTTPByteRange(header: "bytes=-1", size: 0) == .unsatisfiable)
        #expect(HTTPByteRange(header: nil, size: 0) == .whole)
    }

    @Test("Content-Range")
    func contentRange() {
        #expect(HTTPByteRange.contentRange(5..<10, size: 100) == "bytes 5-9/100")
        #expect(HTTPByteRange.unsatisfiedContentRange(size: 100) == "bytes */100")
    }

    @Test(
        "If-None-Match",
        arguments: [
            (nil, false), ("\"a\"", true), ("W/\"a\"", true), ("\"b\"", false), ("*", true), (" * ", true),
            ("\"b\", \"a\"", true), ("\"b\",W/\"a\"", true), ("\"x,a\"", false), ("a", false), ("", false),
            ("\"a", false), ("\"A\"", false),
        ] as [(String?, Bool)])
    func ifNoneMatch(header: String?, expected: Bool) {
        #expect(HTTPConditions.isNotModified(ifNoneMatch: header, etag: "\"a\"") == expected)
    }

    @Test(
        "If-Range",
        arguments: [
            (nil, true), ("\"a\"", true), ("\"b\"", false), ("W/\"a\"", false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
            ("yesterday", false), ("", false),
        ] as [(String?, Bool)])
    func ifRange(header: String?, expected: Bool) {
        let date = Date(timeIntervalSince1970: 784_111_777)
        #expect(HTTPConditions.allowsRange(ifRange: header, etag: "\"a\"", lastModified: date) == expected)
        #expect(!HTTPConditions.allowsRange(ifRange: "W/\"a\"", etag: "W/\"a\"", lastModified: date))
    }

    @Test("HTTP dates, there and back")
    func dates() {
        #expect(
            HTTPDate.format(Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.parse("tomorrow") == nil)
        let dates = stride(from: 0.0, to: 60_000, by: 13).map {
            Date(timeIntervalSince1970: $0 * 86_400 + $0)
        }
        #expect(dates.map { HTTPDate.parse(HTTPDate.format($0)) } == dates)
    }
}
