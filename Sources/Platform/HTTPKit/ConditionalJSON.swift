import Crypto
import Hummingbird
import NIOCore

/// A JSON answer with an `ETag` (a hash of the body), which answers 304 to a matching `If-None-Match`.
package struct ConditionalJSON<Body: Encodable & Sendable>: ResponseGenerator, Sendable {
    package var body: Body

    package init(_ body: Body) {
        self.body = body
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let data = try WireJSON.makeEncoder().encode(body)
        let digest = SHA256.hash(data: data).prefix(16).map { String(format: $0) }.joined()
        let etag = "\"\(digest)\""
        let headers: HTTPFields = [.eTag: etag, .cacheControl: "private, no-cache"]
        if EntityTags(request.headers[values: .ifNoneMatch]).matches(etag) {
            return Response(status: .notModified, headers: headers)
        }
        var full = headers
        full[.contentType] = "application/json; charset=utf-8"
        return Response(status: .ok, headers: full, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }
}

extension String {
    /// Two lower-case hexadecimal digits.
    fileprivate init(format byte: UInt8) {
        self = (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
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

    package func matches(_ etag: String) -> Bool {
        any || tags.contains(etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...])
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
