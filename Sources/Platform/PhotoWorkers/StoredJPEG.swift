import Glibc
import NIOCore

/// Checks that a file has the only form of JPEG that the service stores: baseline, 4:2:0, with a JFIF header. Such a file
/// holds nothing that could come from the original, and nothing unusual that could break a decoder.
struct StoredJPEG {
    private let width: Int
    private let height: Int
    private var hasHeader = false
    private var hasFrame = false
    private var quantisation: Set<UInt8> = []
    /// The Huffman tables by class (the upper four bits: DC or AC) and number.
    private var codes: Set<UInt8> = []

    /// Walks through the whole file: every segment is one that the encoder writes, complete and used; the frame has the
    /// given size; one scan follows; the file ends with the end marker.
    static func isSound(_ file: ByteBuffer, width: Int, height: Int) -> Bool {
        var jpeg = StoredJPEG(width: width, height: height)
        return file.withUnsafeReadableBytes { jpeg.isSound($0) }
    }

    private init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    private mutating func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return false }
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard length >= 2, position + 2 + length <= bytes.count else { return false }
            let body = UnsafeRawBufferPointer(rebasing: bytes[position + 4..<position + 2 + length])
            position += 2 + length
            if marker == 0xDA {
                return isScan(body) && isOneScan(UnsafeRawBufferPointer(rebasing: bytes[position...]))
            }
            guard takes(marker, body) else { return false }
        }
        return false
    }

    /// The JFIF 1.1 header without density and thumbnail, the same in every file.
    private static let header: [UInt8] = [0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]

    private mutating func takes(_ marker: UInt8, _ body: UnsafeRawBufferPointer) -> Bool {
        switch marker {
        case 0xE0:
            defer { hasHeader = true }
            return !hasHeader && quantisation.isEmpty && body.elementsEqual(Self.header)
        case 0xDB: return hasHeader && takesQuantisation(body)
        case 0xC0:
            defer { hasFrame = true }
            return !hasFrame && isFrame(body)
        case 0xC4: return hasFrame && takesCodes(body)
        default: return false
        }
    }

    /// Accepts tables of 64 bytes, one for brightness and one for colour.
    private mutating func takesQuantisation(_ body: UnsafeRawBufferPointer) -> Bool {
        guard body.count > 0, body.count % 65 == 0 else { return false }
        for start in stride(from: 0, to: body.count, by: 65) {
            guard body[start] <= 1, quantisation.insert(body[start]).inserted,
                !body[start + 1..<start + 65].contains(0)
            else { return false }
        }
        return true
    }

    /// Whether the frame has three components, the first with twice the samples of the others in each direction.
    private func isFrame(_ body: UnsafeRawBufferPointer) -> Bool {
        body.count == 15 && body[0] == 8 && body[5] == 3 && quantisation.count == 2
            && Int(body[1]) << 8 | Int(body[2]) == height && Int(body[3]) << 8 | Int(body[4]) == width
            && body[6...].elementsEqual([1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
    }

    /// Accepts Huffman tables whose size is exactly the sum of their counts, with no more codes of a length than there can
    /// be.
    private mutating func takesCodes(_ body: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < body.count {
            guard position + 17 <= body.count, [0x00, 0x01, 0x10, 0x11].contains(body[position]),
                codes.insert(body[position]).inserted
            else { return false }
            var free = 1
            var count = 0
            for length in 1...16 {
                let ofLength = Int(body[position + length])
                free = free * 2 - ofLength
                count += ofLength
                guard free >= 0 else { return false }
            }
            let end = position + 17 + count
            guard free > 0, count > 0, end <= body.count,
                body[position + 17..<end].allSatisfy({ Self.isSymbol($0, ofClass: body[position] >> 4) })
            else { return false }
            position = end
        }
        return position > 0
    }

    /// Whether eight-bit samples can have this symbol: the size of a difference (class 0), or the run and size of a
    /// coefficient.
    private static func isSymbol(_ symbol: UInt8, ofClass kind: UInt8) -> Bool {
        kind == 0 ? symbol <= 11 : symbol & 0x0F <= 10
    }

    private func isScan(_ body: UnsafeRawBufferPointer) -> Bool {
        hasFrame && codes.count == 4 && body.elementsEqual([3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0])
    }

    /// Whether the rest is entropy-coded bytes without a marker, then the end marker, and nothing more.
    private func isOneScan(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
