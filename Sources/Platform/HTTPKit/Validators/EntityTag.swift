import Crypto
import Foundation
import Hummingbird
import NIOCore

/// A strong validator (RFC 9110, 8.8.1). The code that makes a tag guarantees that equal tags mean equal bodies.
package struct EntityTag: Sendable, Hashable {
    /// The value of `ETag`, quoted.
    package let text: String

    /// - Parameter write: writes everything that the body depends on.
    package init(hashing write: (inout TagInput) -> Void) {
        var input = TagInput()
        write(&input)
        self.init(SHA256.hash(data: input.bytes))
    }

    init(_ digest: some Sequence<UInt8>) {
        let digits: StaticString = "0123456789abcdef"
        text = String(unsafeUninitializedCapacity: 34) { buffer in
            buffer[0] = UInt8(ascii: "\"")
            var end = 1
            for byte in digest.prefix(16) {
                buffer[end] = digits.utf8Start[Int(byte >> 4)]
                buffer[end + 1] = digits.utf8Start[Int(byte & 15)]
                end += 2
            }
            buffer[end] = UInt8(ascii: "\"")
            return end + 1
        }
    }

    /// The text without its quotes.
    fileprivate var quoted: Substring.UTF8View { text.utf8.dropFirst().dropLast() }

    var headers: HTTPFields { [.eTag: text, .cacheControl: "private, no-cache"] }
}

/// The values that an entity tag is a hash of. Texts have their length before them, so that no two series of values have the same
/// bytes.
package struct TagInput {
    fileprivate var bytes: [UInt8] = []

    fileprivate init() { bytes.reserveCapacity(256) }

    package mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes += text.utf8
    }

    package mutating func append(_ number: Int) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    package mutating func append(_ id: UUID) {
        withUnsafeBytes(of: id.uuid) { bytes += $0 }
    }

    /// In microseconds, as PostgreSQL keeps it.
    package mutating func append(_ date: Date?) {
        append(date.map { Int(($0.timeIntervalSince1970 * 1_000_000).rounded()) } ?? .min)
    }
}

/// The value of `If-None-Match`, compared weakly (RFC 9110, 13.1.2).
package struct EntityTags: Sendable {
    private let fields: [String]

    package init(_ fields: [String]) { self.fields = fields }

    package func matches(_ tag: EntityTag) -> Bool {
        fields.contains {
            $0.trimmingWhitespace == "*" || Self.tags(in: $0).contains { $0.elementsEqual(tag.quoted) }
        }
    }

    /// The texts between the quotes. `W/` may stand before them, commas and blanks stand between them.
    private static func tags(in field: String) -> [Substring.UTF8View] {
        let parts = field.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return stride(from: 1, to: parts.count - 1, by: 2).map { parts[$0] }
    }
}

extension Request {
    /// The tags of `If-None-Match`; nil without the header.
    package var knownTags: EntityTags? {
        let fields = headers[values: .ifNoneMatch]
        return fields.isEmpty ? nil : EntityTags(fields)
    }
}

extension StringProtocol {
    /// Without the blanks and tabs that HTTP allows around a field's value.
    var trimmingWhitespace: SubSequence {
        guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }),
            let last = lastIndex(where: { $0 != " " && $0 != "\t" })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
