import Glibc
import NIOCore

/// The only JPEG that is ever stored: baseline, 4:2:0, a JFIF header, and nothing that could have been carried
/// over from an original.
enum StoredJPEG {
    /// Walks the whole file: every marker is one of those that the encoder writes, the frame has the stated
    /// size, one scan follows, and the end marker is the end.
    static func isSound(_ file: ByteBuffer, width: Int, height: Int) -> Bool {
        file.withUnsafeReadableBytes { bytes in
            guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return false }
            var position = 2
            var seen: Set<UInt8> = []
            while position + 4 <= bytes.count, bytes[position] == 0xFF {
                let marker = bytes[position + 1]
                let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
                guard length >= 2, position + 2 + length <= bytes.count else { return false }
                let body = UnsafeRawBufferPointer(rebasing: bytes[position + 4..<position + 2 + length])
                guard isExpected(marker, body, seen: seen, width: width, height: height) else { return false }
                seen.insert(marker)
                position += 2 + length
                if marker == Marker.scan {
                    return seen.isSuperset(of: [Marker.jfif, Marker.tables, Marker.frame, Marker.codes])
                        && isOneScan(UnsafeRawBufferPointer(rebasing: bytes[position...]))
                }
            }
            return false
        }
    }

    private enum Marker {
        static let jfif: UInt8 = 0xE0
        static let tables: UInt8 = 0xDB
        static let frame: UInt8 = 0xC0
        static let codes: UInt8 = 0xC4
        static let scan: UInt8 = 0xDA
    }

    private static func isExpected(
        _ marker: UInt8, _ body: UnsafeRawBufferPointer, seen: Set<UInt8>, width: Int, height: Int
    ) -> Bool {
        switch marker {
        case Marker.jfif:
            // Exactly the header: no thumbnail, no extension.
            return seen.isEmpty && body.count == 14 && body.starts(with: [0x4A, 0x46, 0x49, 0x46, 0])
        case Marker.tables:
            return body.count % 65 == 0
        case Marker.codes:
            return true
        case Marker.frame:
            guard !seen.contains(Marker.frame), body.count == 15, body[0] == 8, body[5] == 3 else {
                return false
            }
            return Int(body[1]) << 8 | Int(body[2]) == height && Int(body[3]) << 8 | Int(body[4]) == width
                && body[7] == 0x22 && body[10] == 0x11 && body[13] == 0x11
        case Marker.scan:
            return body.count == 10 && body[0] == 3
        default:
            return false
        }
    }

    /// Entropy-coded bytes without any marker, then the end marker and nothing.
    private static func isOneScan(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, bytes.count > 2 else { return false }
        let end = bytes.count - 2
        guard bytes[end] == 0xFF, bytes[end + 1] == 0xD9 else { return false }
        var position = 0
        while position < end, let found = memchr(start + position, 0xFF, end - position) {
            let index = UnsafeRawPointer(found) - start
            guard index + 1 < end, bytes[index + 1] == 0 else { return false }
            position = index + 2
        }
        return true
    }
}
