import Crypto
import Hummingbird
import NIOCore

/// A strong validator (RFC 9110, 8.8.1). The code that makes a tag guarantees that equal tags mean equal bodies.
package struct EntityTag: Sendable, Hashable {
    /// The value of `ETag`, quoted.
    package let text: String

    /// - Parameter parts: everything that the body depends on.
    package init(hashing parts: some Sequence<String>) {
        self.init(SHA256.hash(data: Array(parts.joined(separator: "\n").utf8)))
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

    var headers: HTTPFields { [.eTag: text, .cacheControl: "private, no-cache"] }
}

/// The value of `If-None-Match`, compared weakly (RFC 9110, 13.1.2).
package struct EntityTags: Sendable {
    private let any: Bool
    private let tags: Set<Substring>

    package init(_ fields: [String]) {
        var tags: Set<Substring> = []
        for field in fields {
            var rest = field[...]
            while let open = rest.firstIndex(of: "\""),
                let close = rest[rest.index(after: open)...].firstIndex(of: "\"")
            {
                tags.insert(rest[open...close])
                rest = rest[rest.index(after: close)...]
            }
        }
        self.tags = tags
        any = fields.contains { $0.trimmingWhitespace == "*" }
    }

    package func matches(_ tag: EntityTag) -> Bool {
        any || tags.contains(tag.text[...])
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
