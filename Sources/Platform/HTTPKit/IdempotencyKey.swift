import Hummingbird

/// The client's own name for an upload: the `Idempotency-Key` header, quoted or not, 1 to 64 visible ASCII characters.
package struct IdempotencyKey: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init?(rawValue: String) {
        guard (1...64).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        self.rawValue = rawValue
    }

    /// A header's value: `abc` and `"abc"` are one key.
    package init?(headerValue: String) {
        var text = headerValue.trimmingWhitespace
        if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
            text = text.dropFirst().dropLast()
        }
        guard !text.contains("\"") else { return nil }
        self.init(rawValue: String(text))
    }
}

extension Request {
    /// The `Idempotency-Key`, nil without the header.
    ///
    /// - Throws: 400 for one that is malformed or given twice.
    package func idempotencyKey() throws(Problem) -> IdempotencyKey? {
        let fields = headers[values: .idempotencyKey]
        guard let field = fields.first else { return nil }
        guard fields.count == 1, let key = IdempotencyKey(headerValue: field) else {
            throw .invalidRequest("Idempotency-Key must be 1 to 64 visible ASCII characters, quoted or not.")
        }
        return key
    }
}
