import CImageFixtures

/// Inserts parts into files that encoders do not write.
enum FileSurgery {
    static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A JPEG marker segment.
    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + bigEndian(body.count + 2, 2) + body
    }

    /// A JPEG with segments after its first marker.
    static func jpeg(_ file: [UInt8], inserting segments: [UInt8]...) -> [UInt8] {
        Array(file[..<2]) + segments.flatMap { $0 } + Array(file[2...])
    }

    /// A PNG chunk.
    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let covered = Array(type.utf8) + body
        return bigEndian(body.count, 4) + covered + bigEndian(Int(fixture_crc32(covered, covered.count)), 4)
    }

    /// A PNG with chunks after its header.
    static func png(_ file: [UInt8], inserting chunks: [UInt8]...) -> [UInt8] {
        Array(file[..<33]) + chunks.flatMap { $0 } + Array(file[33...])
    }

    /// An Exif block's TIFF with one entry and more after it.
    static func exif(
        orientation: Int, littleEndian: Bool = false, isLong: Bool = false, tail: [UInt8] = []
    ) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            littleEndian ? bigEndian(value, count).reversed() : bigEndian(value, count)
        }
        return Array((littleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(1, 2)
            + number(0x0112, 2) + number(isLong ? 4 : 3, 2) + number(1, 4)
            + (isLong ? number(orientation, 4) : number(orientation, 2) + [0, 0]) + number(0, 4) + tail
    }

    /// APP1 with an Exif block.
    static func exifSegment(_ tiff: [UInt8]) -> [UInt8] {
        segment(0xE1, Array("Exif\0\0".utf8) + tiff)
    }

    /// APP2 with a whole ICC profile.
    static func profileSegment(_ profile: [UInt8]) -> [UInt8] {
        segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
    }

    /// iCCP with a whole ICC profile.
    static func profileChunk(_ profile: [UInt8]) -> [UInt8] {
        chunk("iCCP", Array("p\0\0".utf8) + fixture_deflate(profile, profile.count).take())
    }

    /// gAMA: what encoded values are raised from.
    static func gamma(_ exponent: Double) -> [UInt8] {
        chunk("gAMA", bigEndian(Int((exponent * 100_000).rounded()), 4))
    }

    /// cHRM: x and y of white, red, green and blue.
    static func chromaticities(_ values: [Double]) -> [UInt8] {
        chunk("cHRM", values.flatMap { bigEndian(Int(($0 * 100_000).rounded()), 4) })
    }

    /// A JPEG whose header claims another size.
    static func jpeg(_ file: [UInt8], claiming width: Int, _ height: Int) -> [UInt8] {
        var file = file
        var position = 2
        while !(0xC0...0xC2).contains(file[position + 1]) {
            position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
        }
        file.replaceSubrange(position + 5..<position + 9, with: bigEndian(height, 2) + bigEndian(width, 2))
        return file
    }

    /// The first position of some bytes.
    static func find(_ text: String, in file: [UInt8]) -> Int? {
        let wanted = Array(text.utf8)
        return file.indices.dropLast(wanted.count - 1).first {
            file[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }

    /// An ISO box.
    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        bigEndian(body.count + 8, 4) + Array(type.utf8) + body
    }

    /// A WebP file of the extended kind around the one chunk of a simple one.
    static func webp(_ file: [UInt8], flags: UInt8, width: Int, height: Int, _ chunks: [UInt8]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { bigEndian(value, count).reversed() }
        let canvas = [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
        let body = Array("WEBPVP8X".utf8) + little(10, 4) + canvas + chunks
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }

    /// A RIFF chunk, padded.
    static func riff(_ type: String, _ body: [UInt8]) -> [UInt8] {
        Array(type.utf8) + bigEndian(body.count, 4).reversed() + body + (body.count % 2 == 1 ? [0] : [])
    }

    /// The start of each segment of a JPEG, up to and including its first scan.
    static func segments(of file: [UInt8]) -> [(marker: UInt8, start: Int)] {
        var found: [(marker: UInt8, start: Int)] = []
        var position = 2
        while position + 4 < file.count, file[position] == 0xFF, found.last?.marker != 0xDA {
            found.append((file[position + 1], position))
            position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
        }
        return found
    }
}
