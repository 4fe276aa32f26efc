import DaylyAPI
import Foundation
import Testing

@testable import HTTPKit

@Suite("The JSON that messages write")
struct JSONWriterTests {
    @Test(
        "messages that write their own JSON write the encoder's bytes",
        arguments: [nil, "Ann", "a\"b\\c/d\u{1}\u{8}\u{9}\n\r\u{C}\u{1F}\u{7F}\u{2028}ü🎈"])
    func sameBytes(name: String?) throws {
        let photo = Photo(
            id: ResourceID(UUID()), groupID: ResourceID(UUID()), senderID: ResourceID(UUID()),
            senderName: name ?? "User", createdAt: Date(timeIntervalSince1970: 1_790_000_000.9),
            expiresAt: Date(timeIntervalSince1970: 0), width: 4_032, height: 3_024, thumbhash: "a+/b==",
            url: "https://store.test/a?b=c&d=%2F", thumbnailURL: "https://store.test/", urlExpiresAt: Date())
        try expectSameBytes(photo)
        try expectSameBytes(PhotoFeed(photos: [], removed: [], cursor: "c"))
        try expectSameBytes(PhotoFeed(photos: [photo, photo], removed: [ResourceID(UUID())], cursor: "c"))
        let list: JSONValue = [1, "x", .string(name ?? "")]
        let value: JSONValue = [
            "flag": true, "list": list, "more": ["a": 1], "none": .null, "text": .string(name ?? ""),
        ]
        try expectSameBytes(value)
        for date in [nil, Date()] {
            let member = Member(id: ResourceID(UUID()), firstName: name, joinedAt: Date())
            let group = PhotoGroup(
                id: ResourceID(UUID()), name: name ?? "", createdAt: Date(), members: [member, member],
                memberCount: 2,
                hasSentToday: date == nil, nextSendAt: date, lastPhotoAt: date, muted: date != nil)
            try expectSameBytes(GroupList(groups: [group, group]))
            try expectSameBytes(GroupList(groups: []))
        }
    }

    private func expectSameBytes(_ message: some Encodable & JSONWritable) throws {
        let own = String(buffer: try WireJSON.encode(message))
        let encoders = String(decoding: try WireJSON.makeEncoder().encode(message), as: UTF8.self)
        #expect(own == encoders)
    }

    @Test("an array that is written one by one has the bytes of one that is a value")
    func writtenArray() throws {
        for elements: [JSONValue] in [[], [1], [1, "a\"b", ["c": .null], [2, 3]]] {
            let written: JSONValue = [
                "a": .array { add in elements.forEach(add) }, "b": 4,
                "c": .array { $0(.array { add in elements.forEach(add) }) },
            ]
            let value: JSONValue = ["a": .array(elements), "b": 4, "c": .array([.array(elements)])]
            #expect(try WireJSON.encode(written) == WireJSON.encode(value))
        }
    }

    // Since the Gregorian calendar began: Foundation counts earlier days by the Julian one, RFC 3339 does not.
    @Test("a timestamp has whole seconds, cut off, in every year that an answer may name")
    func timestamps() {
        let style = Date.ISO8601FormatStyle()
        var times = (0..<2_000).map { _ in Double.random(in: -12_219_292_800..<253_402_300_800) }
        times += [0, 0.999, -0.001, 951_782_400, 4_107_542_400, 253_402_300_799]
        for time in times {
            let second = Date(timeIntervalSince1970: time.rounded(.down))
            #expect(WireJSON.timestamp(Date(timeIntervalSince1970: time)) == second.formatted(style))
        }
    }

    @Test("a timestamp of an early year follows the Gregorian calendar, too")
    func earlyYears() {
        #expect(WireJSON.timestamp(Date(timeIntervalSince1970: -62_135_596_800)) == "0001-01-01T00:00:00Z")
        #expect(WireJSON.timestamp(Date(timeIntervalSince1970: -14_182_940_800)) == "1520-07-24T14:13:20Z")
    }

    @Test("an id is written in lower case")
    func ids() {
        for _ in 0..<100 {
            let id = UUID()
            #expect(ResourceID(id).description == id.uuidString.lowercased())
        }
    }
}
