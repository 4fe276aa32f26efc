import DaylyTesting
import Foundation

/// Files that exceed a limit or pretend to be something else. All are made here.
package enum HostileFiles {
    package struct File: Sendable, CustomStringConvertible {
        package let name: String
        package let bytes: [UInt8]
        /// The problem codes with which the file may be refused.
        package let codes: Set<String>
        /// Whether the file may also be accepted, because it holds a valid picture.
        package var mayBeTaken = false

        package init(name: String, bytes: [UInt8], codes: Set<String>, mayBeTaken: Bool = false) {
            self.name = name
            self.bytes = bytes
            self.codes = codes
            self.mayBeTaken = mayBeTaken
        }

        package var description: String { name }
    }

    package static let all: [File] = bombs + impostors

    package static let bombs: [File] = [
        File(name: "PNG of 60,000²", bytes: png(60_000, 60_000, depth: 1), codes: ["image_too_large"]),
        File(name: "PNG of 2³¹ − 1", bytes: png(0x7FFF_FFFF, 1), codes: ["image_too_large"]),
        File(
            name: "interlaced PNG of 50 megapixels",
            bytes: png(10_000, 5_000, interlaced: true), codes: ["unreadable_image"]),
        File(name: "JPEG of 64,250²", bytes: jpeg(claiming: 64_250), codes: ["image_too_large"]),
        File(name: "JPEG of 2,010 scans", bytes: scans(2_010), codes: ["image_too_large"]),
        File(name: "HEIF of 65,535 tiles", bytes: tiles(65_535), codes: ["image_too_large"]),
        File(
            name: "HEIF of nothing but its type", bytes: box("ftyp", Array("heic\0\0\0\0mif1heic".utf8)),
            codes: ["unreadable_image"]),
        File(
            name: "AVIF of nothing but its type", bytes: box("ftyp", Array("avif\0\0\0\0mif1avif".utf8)),
            codes: ["unreadable_image"]),
        File(
            name: "WebP of nothing", bytes: Array("RIFF\u{4}\0\0\0WEBP".utf8), codes: ["unreadable_image"]),
        File(
            name: "PNG with 300 MB of text", bytes: png(inserting: "zTXt", Array("t\0\0".utf8) + zeroes),
            codes: ["unreadable_image"], mayBeTaken: true),
        File(
            name: "PNG with a profile of 300 MB", bytes: png(inserting: "iCCP", Array("p\0\0".utf8) + zeroes),
            codes: ["unreadable_image"], mayBeTaken: true),
        File(
            name: "animated PNG of 4,000,000,000 frames",
            bytes: png(inserting: "acTL", Pictures.bigEndian(0x7FFF_FFFF) + [0, 0, 0, 0]),
            codes: ["unreadable_image"], mayBeTaken: true),
    ]

    package static let impostors: [File] = [
        File(name: "nothing", bytes: [], codes: ["unsupported_media_type"]),
        File(name: "one byte", bytes: [0xFF], codes: ["unsupported_media_type"]),
        File(
            name: "text", bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8), codes: ["unsupported_media_type"]),
        File(
            name: "GIF", bytes: Array("GIF89a\u{1}\0\u{1}\0\0\0\0;".utf8), codes: ["unsupported_media_type"]),
        File(
            name: "SVG", bytes: Array("<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>".utf8),
            codes: ["unsupported_media_type"]),
        File(name: "PDF", bytes: Array("%PDF-1.7\n%%EOF".utf8), codes: ["unsupported_media_type"]),
        File(
            name: "ZIP behind a JPEG's first bytes", bytes: [0xFF, 0xD8, 0xFF] + Array("PK\u{3}\u{4}".utf8),
            codes: ["unreadable_image"]),
        File(
            name: "a script behind a picture",
            bytes: Pictures.jpeg(width: 64, height: 48) + Array("<script>\(Pictures.secretText)".utf8),
            codes: ["unreadable_image"], mayBeTaken: true),
    ]

    /// A header with a large size, and far too few bytes after it.
    private static func png(_ width: Int, _ height: Int, depth: UInt8 = 8, interlaced: Bool = false)
        -> [UInt8]
    {
        let header = Pictures.bigEndian(width) + Pictures.bigEndian(height) + [depth, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Pictures.chunk("IHDR", header + [interlaced ? 1 : 0])
            + Pictures.chunk("IDAT", Pictures.stored([0, 0, 0])) + Pictures.chunk("IEND", [])
    }

    private static func png(inserting type: String, _ body: [UInt8]) -> [UInt8] {
        let file = Pictures.png(width: 64, height: 48)
        return Array(file[..<33]) + Pictures.chunk(type, body) + Array(file[33...])
    }

    /// 300 MB of zeroes by RFC 1951: one block with fixed codes, a zero, and "258 bytes as the last one" again and
    /// again, whose 13 bits make a pattern of 13 bytes.
    private static let zeroes: [UInt8] = {
        var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        let again: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        for _ in 0..<9 { bits += again }
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
        }
        let pattern = [[UInt8]](repeating: Array(bytes[3...]), count: 145_000).flatMap { $0 }
        return [0x78, 0x9C] + bytes[..<3] + pattern + [0, 0, 0, 0, 0, 0]
    }()

    private static func jpeg(claiming side: Int) -> [UInt8] {
        var file = Pictures.jpeg(width: 64, height: 48)
        let frame = find(0xC0, in: file)
        file.replaceSubrange(
            frame + 5..<frame + 9,
            with: [UInt8(side >> 8), UInt8(side & 0xFF), UInt8(side >> 8), UInt8(side & 0xFF)])
        return file
    }

    /// A progressive JPEG that repeats its only scan many times.
    private static func scans(_ count: Int) -> [UInt8] {
        var file = Pictures.jpeg(width: 64, height: 48)
        file[find(0xC0, in: file) + 1] = 0xC2
        let scan = Array(file[find(0xDA, in: file)..<(file.count - 2)])
        return Array(file.dropLast(2)) + [[UInt8]](repeating: scan, count: count - 1).flatMap { $0 } + [
            0xFF, 0xD9,
        ]
    }

    private static func find(_ marker: UInt8, in file: [UInt8]) -> Int {
        var position = 2
        while file[position + 1] != marker {
            position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
        }
        return position
    }

    private static func tiles(_ count: Int) -> [UInt8] {
        let number = [UInt8(count >> 8), UInt8(count & 0xFF)]
        let reference = box("dimg", [0, 1] + number + [UInt8](repeating: 2, count: count * 2))
        return box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
            + box("meta", [0, 0, 0, 0] + box("iref", [0, 0, 0, 0] + reference))
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        Pictures.bigEndian(body.count + 8) + Array(type.utf8) + body
    }
}
