import Foundation
import ObjectStorage
import Testing

@Suite("Object keys")
struct ObjectKeyTests {
    @Test(
        "a key cannot lead out of its store or mean two things",
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/../b", "a/./b", "a\0b", "a/\0",
            String(repeating: "x", count: 256), "a/" + String(repeating: "é", count: 128),
            Array(repeating: String(repeating: "x", count: 204), count: 5).joined(separator: "/") + "x",
        ])
    func refused(text: String) {
        #expect(ObjectKey(rawValue: text) == nil)
        #expect(throws: ObjectStoreError.self) { try ObjectKey(text) }
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([ObjectKey].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test(
        "other names are taken as they are",
        arguments: [
            "a", "photos/2025-03-01/x.jpg", "...", "a/..b", ".hidden", "~", "a\\..\\b",
            String(repeating: "x", count: 255),
        ])
    func accepted(text: String) throws {
        #expect(ObjectKey(rawValue: text)?.rawValue == text)
        let decoded = try JSONDecoder().decode([ObjectKey].self, from: JSONEncoder().encode([text]))
        #expect(decoded == [try ObjectKey(text)])
    }

    @Test("keys are compared by their bytes")
    func bytes() {
        let composed = "\u{E9}" as ObjectKey
        let decomposed = "e\u{301}" as ObjectKey
        #expect(composed.rawValue == decomposed.rawValue, "as strings they are equal")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }
}
