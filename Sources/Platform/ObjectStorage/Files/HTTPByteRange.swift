/// The meaning of a `Range` header for a representation (RFC 9110, section 14).
package enum HTTPByteRange: Sendable, Hashable {
    /// The whole with 200: there is no range, more than one, or one that is malformed or of an unknown unit.
    case whole
    /// These bytes with 206.
    case partial(Range<Int>)
    /// 416 with `Content-Range: bytes */<size>`.
    case unsatisfiable

    /// - Parameters:
    ///   - header: the value of `Range`, `nil` when there is none.
    ///   - size: the size of the whole, in bytes.
    package init(header: String?, size: Int) {
        guard let header, let spec = Self.singleSpecification(header),
            let dash = spec.firstIndex(of: "-")
        else {
            self = .whole
            return
        }
        let first = spec[..<dash]
        let last = spec[spec.index(after: dash)...]
        switch (first.isEmpty, last.isEmpty) {
        case (true, true): self = .whole
        case (true, false): self = Self.suffix(last, size: size)
        case (false, _): self = Self.bounded(first, last, size: size)
        }
    }

    /// `Content-Range` for a part of `size` bytes.
    package static func contentRange(_ range: Range<Int>, size: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
    }

    /// `Content-Range` of a 416.
    package static func unsatisfiedContentRange(size: Int) -> String { "bytes */\(size)" }

    /// The single range of `bytes=…`; `nil` for other units, several ranges or none.
    private static func singleSpecification(_ header: String) -> Substring? {
        guard let equals = header.firstIndex(of: "="), header[..<equals].lowercased() == "bytes" else {
            return nil
        }
        let items = header[header.index(after: equals)...].split(separator: ",").map(trimmed)
            .filter { !$0.isEmpty }
        return items.count == 1 ? items[0] : nil
    }

    private static func bounded(_ first: Substring, _ last: Substring, size: Int) -> HTTPByteRange {
        guard let begin = position(first) else { return .whole }
        guard last.isEmpty || position(last) != nil else { return .whole }
        let end = last.isEmpty ? Int.max : position(last) ?? 0
        guard begin <= end else { return .whole }
        guard begin < size else { return .unsatisfiable }
        return .partial(begin..<min(end, size - 1) + 1)
    }

    private static func suffix(_ length: Substring, size: Int) -> HTTPByteRange {
        guard let length = position(length) else { return .whole }
        guard length > 0, size > 0 else { return .unsatisfiable }
        return .partial(max(0, size - length)..<size)
    }

    /// A number of digits only. A number too large for an `Int` becomes the largest `Int`.
    private static func position(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text) ?? .max
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let head = text.drop(while: isBlank)
        return head.prefix(upTo: head.lastIndex { !isBlank($0) }.map(head.index(after:)) ?? head.startIndex)
    }
}
