/// Makes pictures, so that the project holds no picture of others.
package enum Pictures {
    /// Bytes that must not occur in stored files.
    package static let secretText = "GPS-52.520008-13.404954"

    /// A baseline JPEG of blocks of one colour each, with an EXIF segment and a comment; different for each `seed`.
    package static func jpeg(width: Int, height: Int, seed: Int = 0) -> [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        func segment(_ marker: UInt8, _ body: [UInt8]) {
            file += [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
        }
        segment(0xE1, Array("Exif\0\0".utf8) + tiff)
        segment(0xFE, Array(secretText.utf8))
        segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        let size = [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
        segment(0xC0, [8] + size + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
        // DC: twelve categories of four bits each. AC: the end of block alone, one bit.
        segment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + [UInt8](0...11))
        segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0x00])
        segment(0xDA, [3, 1, 0x00, 2, 0x00, 3, 0x00, 0, 63, 0])
        var bits = BitWriter()
        var previous = [0, 0, 0]
        let columns = (width + 7) / 8
        for row in 0..<((height + 7) / 8) {
            for column in 0..<columns {
                let noise = ((row &* 7919 &+ column &* 104_729 &+ seed &* 31) ^ (row &* column)) & 15
                let level = [
                    (row + seed) % 128 + noise - 64, column * 128 / columns - 64, 40 - (row + column) % 80,
                ]
                for component in 0..<3 {
                    bits.append(difference: level[component] - previous[component])
                    previous[component] = level[component]
                }
            }
        }
        return file + bits.finished + [0xFF, 0xD9]
    }

    /// Little-endian TIFF with an ImageDescription that holds `secretText`.
    private static var tiff: [UInt8] {
        let text = Array(secretText.utf8) + [0]
        return [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x0E, 0x01, 2, 0, UInt8(text.count), 0, 0, 0, 26, 0, 0, 0,
        ]
            + [0, 0, 0, 0] + text
    }

    /// An 8-bit RGB PNG (RFC 2083) in stored blocks, with a text chunk; different for each `seed`.
    package static func png(width: Int = 64, height: Int = 48, seed: Int = 1) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (width * 3 + 1))
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                rows.append(UInt8(truncatingIfNeeded: x &* 2 &+ seed))
                rows.append(UInt8(truncatingIfNeeded: y &* 3 &+ seed &* 5))
                rows.append(UInt8(truncatingIfNeeded: (x &+ y) &* seed))
            }
        }
        let header = bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("tEXt", Array("Comment\0\(secretText)".utf8)) + chunk("IDAT", stored(rows))
            + chunk("IEND", [])
    }

    /// The width and height in the frame header of a JPEG.
    package static func jpegSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var position = 2
        while position + 9 < bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if (0xC0...0xC2).contains(marker) {
                return (
                    Int(bytes[position + 7]) << 8 | Int(bytes[position + 8]),
                    Int(bytes[position + 5]) << 8 | Int(bytes[position + 6])
                )
            }
            position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        }
        return nil
    }
}

extension Pictures {
    package static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }

    package static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + body
        return bigEndian(body.count) + named + bigEndian(Int(crc32(named)))
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951).
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let end = min(start + 65_535, bytes.count)
            let count = UInt16(end - start)
            result += [end == bytes.count ? 1 : 0]
            result += [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
            result += bytes[start..<end]
        }
        return result + bigEndian(Int(high << 16 | low))
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }
}

/// Entropy-coded JPEG data of blocks that have a DC difference and nothing else.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var count = 0

    mutating func append(difference: Int) {
        let category = Int.bitWidth - abs(difference).leadingZeroBitCount
        append(UInt32(category), bits: 4)
        let coded = difference < 0 ? difference - 1 : difference
        append(UInt32(truncatingIfNeeded: coded) & (1 << category - 1), bits: category)
        append(0, bits: 1)
    }

    private mutating func append(_ value: UInt32, bits: Int) {
        pending = pending << bits | value
        count += bits
        while count >= 8 {
            count -= 8
            let byte = UInt8(pending >> count & 0xFF)
            bytes.append(byte)
            if byte == 0xFF { bytes.append(0) }
        }
        pending &= 1 << count - 1
    }

    /// The bytes, padded with ones to a whole byte.
    var finished: [UInt8] {
        var copy = self
        if copy.count > 0 { copy.append(1 << (8 - copy.count) - 1, bits: 8 - copy.count) }
        return copy.bytes
    }
}
