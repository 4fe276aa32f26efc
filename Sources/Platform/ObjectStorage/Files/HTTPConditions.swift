import Foundation

/// The conditional headers of RFC 9110, section 13, that apply to reads of an immutable object.
package enum HTTPConditions {
    /// Whether `If-None-Match` asks for a 304: one of its tags equals `etag` by weak comparison, or it is `*`.
    /// - Parameter etag: the current entity tag as it is sent, with quotes.
    package static func isNotModified(ifNoneMatch header: String?, etag: String) -> Bool {
        guard let header else { return false }
        if header.trimmingCharacters(in: .whitespaces) == "*" { return true }
        return tags(in: header).contains(opaque(etag))
    }

    /// Whether a `Range` header applies: there is no `If-Range`, or it names exactly this representation, by strong
    /// comparison of the tag or by the exact `Last-Modified` date.
    package static func allowsRange(ifRange header: String?, etag: String, lastModified: Date) -> Bool {
        guard let header = header?.trimmingCharacters(in: .whitespaces) else { return true }
        if header.hasPrefix("\"") || header.hasPrefix("W/") {
            return !header.hasPrefix("W/") && !etag.hasPrefix("W/") && header == etag
        }
        return header == HTTPDate.format(lastModified)
    }

    /// The opaque parts, with quotes, of a list of entity tags. A tag may contain a comma.
    private static func tags(in header: String) -> [Substring] {
        var found: [Substring] = []
        var rest = header[...]
        while let open = rest.firstIndex(of: "\"") {
            let inner = rest.index(after: open)
            guard let close = rest[inner...].firstIndex(of: "\"") else { break }
            found.append(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return found
    }

    private static func opaque(_ etag: String) -> Substring {
        etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
    }
}
