import Foundation
import NIOCore

/// Walks over a body's delimiters (RFC 2046, 5.1.1).
struct MultipartScanner {
    private let body: ByteBuffer
    /// CR LF, two hyphens and the boundary.
    private let delimiter: [UInt8]
    /// Counted from `body.readerIndex`.
    private var position = 0
    private(set) var isAtEnd = false

    init(_ body: ByteBuffer, boundary: String) {
        self.body = body
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Whether the text has 1 to 70 of the characters that RFC 2046 allows, and does not end with a blank.
    static func isBoundary(_ text: String) -> Bool {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default:
                "'()+_,-./:=? ".utf8.contains(byte)
            }
        }
        return allowed && (1...70).contains(text.utf8.count) && !text.hasSuffix(" ")
    }

    /// Moves behind the first delimiter.
    ///
    /// - Returns: false without a delimiter.
    mutating func skipPreamble() -> Bool {
        // A delimiter at the very start has no CR LF before it.
        let dashed = delimiter.dropFirst(2)
        if body.readableBytesView.starts(with: dashed), pass(delimiterEndingAt: dashed.count) { return true }
        return nextDelimiter() != nil
    }

    /// Reads the lines of the part's header and moves to its content.
    mutating func header() throws(Problem) -> [String] {
        var lines: [String] = []
        let start = position
        while true {
            guard let end = find([0x0d, 0x0a], from: position),
                end - start <= MultipartFile.maxPartHeaderBytes,
                lines.count <= MultipartFile.maxPartHeaderFields
            else { throw .badMultipart("A part's header is too large or does not end.") }
            let line = body.getString(at: body.readerIndex + position, length: end - position) ?? ""
            if line.isEmpty {
                // Keep the line break: if the part is empty, the delimiter begins with it.
                position = end
                return lines
            }
            lines.append(line)
            position = end + 2
        }
    }

    /// Reads everything before the next delimiter and moves behind that.
    ///
    /// - Returns: nil without a delimiter.
    mutating func content() -> ByteBuffer? {
        let start = position + 2
        guard let end = nextDelimiter() else { return nil }
        guard end >= start else { return ByteBuffer() }
        return body.getSlice(at: body.readerIndex + start, length: end - start)
    }

    /// Moves behind the next delimiter.
    ///
    /// - Returns: the position of the delimiter.
    private mutating func nextDelimiter() -> Int? {
        var from = position
        while let found = find(delimiter, from: from) {
            if pass(delimiterEndingAt: found + delimiter.count) { return found }
            // The boundary is only the beginning of a longer line.
            from = found + 2
        }
        return nil
    }

    /// Moves behind the rest of a delimiter's line: two hyphens at the very end, or blanks and a line break.
    ///
    /// - Returns: false for any other rest.
    private mutating func pass(delimiterEndingAt end: Int) -> Bool {
        let view = body.readableBytesView
        let rest = view[view.startIndex.advanced(by: end)...]
        if rest.starts(with: [0x2d, 0x2d]) {
            isAtEnd = true
            position = end + 2
            return true
        }
        let blanks = rest.prefix { $0 == 0x20 || $0 == 0x09 }.count
        guard rest.dropFirst(blanks).starts(with: [0x0d, 0x0a]) else { return false }
        position = end + blanks + 2
        return true
    }

    /// The position of `needle`, which begins with CR. `memchr` scans pictures at the speed of memory.
    private func find(_ needle: [UInt8], from start: Int) -> Int? {
        body.withUnsafeReadableBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var from = start
            while from + needle.count <= bytes.count {
                let last = bytes.count - needle.count + 1
                guard let hit = memchr(base + from, Int32(needle[0]), last - from) else { return nil }
                let offset = base.distance(to: UnsafeRawPointer(hit))
                if memcmp(base + offset, needle, needle.count) == 0 { return offset }
                from = offset + 1
            }
            return nil
        }
    }
}
