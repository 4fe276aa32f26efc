import Hummingbird

/// The client's own id for an upload: 1 to 64 visible ASCII characters.
package struct IdempotencyKey: Hashable, Sendable {
    /// Without quotes.
    package let rawValue: String

    /// Reads the value of an `Idempotency-Key` header or of an upload ticket's `idempotency_key`. `abc` and `"abc"` are the
    /// same key.
    package init?(_ value: String) {
        var text = value.trimmingWhitespace
        if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
            text = text.dropFirst().dropLast()
        }
        guard (1...64).contains(text.utf8.count), !text.contains("\""),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        rawValue = String(text)
    }
}

extension Request {
    /// The `Idempotency-Key`; nil without the header.
    ///
    /// - Throws: 400 for a malformed key, or for two keys.
    package func idempotencyKey() throws(Problem) -> IdempotencyKey? {
        let fields = headers[values: .idempotencyKey]
        guard let field = fields.first else { return nil }
        guard fields.count == 1, let key = IdempotencyKey(field) else {
            throw .invalidRequest("Idempotency-Key must be 1 to 64 visible ASCII characters, quoted or not.")
        }
        return key
    }
}
