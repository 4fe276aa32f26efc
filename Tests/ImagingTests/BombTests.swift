import CImageFixtures
import Testing

@testable import Imaging

@Suite("Bombs")
struct BombTests {
    static let small = TestPicture.quarters(64, 48)

    static func oversized() -> [(String, [UInt8])] {
        let jpeg = small.jpeg()
        return [
            ("PNG of 60,000²", png(60_000, 60_000)),
            ("PNG of 2³¹ − 1 on a side", png(0x7FFF_FFFF, 1)),
            ("PNG one pixel too wide", png(16_385, 1)),
            ("PNG of 50 megapixels and a row", png(10_000, 5_001)),
            ("JPEG of 64,250²", FileSurgery.jpeg(jpeg, claiming: 64_250, 64_250)),
            ("JPEG of 49 million pixels too many", FileSurgery.jpeg(jpeg, claiming: 10_000, 9_900)),
            ("JPEG of 2,010 scans", scans(2_010)),
            ("JPEG of 51 scans", small.jpeg(scans: 51)),
            (
                "HEIC that claims 60,000²",
                heic { patch($0, after: "ispe", at: 4, [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]) }
            ),
            ("HEIC of 5,000 items", heic { patch($0, after: "iinf", at: 4, [0x13, 0x88]) }),
            ("HEIC of 65,535 tiles", tiles(65_535)),
            ("HEIC of one tile of 25 megapixels, 200 times", tiles(200, side: 5000)),
            ("WebP of 16,383²", webp(16_383)),
        ]
    }

    @Test("what is too large is refused by its header, at next to no cost", arguments: oversized())
    func refused(name: String, file: [UInt8]) async throws {
        // With these limits, decoding would end differently.
        let label = try await label(of: file) {
            $0.cpuSeconds = 1
            $0.memoryBytes = 96 << 20
        }
        #expect(label == "too_large", "\(name)")
    }

    @Test("a HEIF picture that is made of itself is refused before its decoder follows it")
    func circle() async throws {
        #expect(try await label(of: Self.madeOf(itself: true)) == "unreadable")
        // What makes the difference: without a circle the file is looked at, and lacks its tile.
        #expect(try await label(of: Self.madeOf(itself: false)) != "crashed")
    }

    @Test("50 scans are read")
    func manyScans() async {
        #expect(await outcome(of: Self.small.jpeg(scans: 50)).error == nil)
    }

    @Test("compressed text and profiles are not inflated", arguments: ["zTXt", "iTXt", "iCCP"])
    func inflation(type: String) async throws {
        let zeroes = [UInt8](repeating: 0, count: 300_000_000)
        let start = Array((type == "iTXt" ? "Comment\0\u{1}\0\0\0" : "Comment\0\0").utf8)
        let chunk = FileSurgery.chunk(type, start + fixture_deflate(zeroes, zeroes.count).take())
        let report = try await report(of: FileSurgery.png(Self.small.png(), inserting: chunk))
        #expect(report.outcome.label == "ok")
        #expect(report.cpuSeconds < 0.25)
    }

    @Test("a picture that needs more memory than a worker may have is unreadable")
    func memory() async throws {
        let file = TestPicture.quarters(5000, 5000).png(interlaced: true)
        #expect(try await label(of: file) { $0.memoryBytes = 96 << 20 } == "memory_limit")
        #expect(await outcome(of: file).error == nil)
    }

    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        let header = FileSurgery.bigEndian(width, 4) + FileSurgery.bigEndian(height, 4) + [1, 0, 0, 0, 0]
        let data = fixture_deflate([UInt8](repeating: 0, count: 1_000_000), 1_000_000).take()
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + FileSurgery.chunk("IHDR", header)
            + FileSurgery.chunk("IDAT", data) + FileSurgery.chunk("IEND", [])
    }

    /// A progressive JPEG with its last scan given again and again.
    private static func scans(_ count: Int) -> [UInt8] {
        let file = small.jpeg(scans: 50)
        let starts = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        let last = Array(file[starts[49]..<file.count - 2])
        return Array(file.dropLast(2)) + [[UInt8]](repeating: last, count: count - 50).flatMap { $0 } + [
            0xFF, 0xD9,
        ]
    }

    private static func heic(_ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
        change(small.heif())
    }

    private static func patch(_ file: [UInt8], after type: String, at offset: Int, _ bytes: [UInt8])
        -> [UInt8]
    {
        guard let start = FileSurgery.find(type, in: file) else { return [] }
        var file = file
        file.replaceSubrange(start + 4 + offset..<start + 4 + offset + bytes.count, with: bytes)
        return file
    }

    /// A picture made of one item, so many times, of that many pixels squared.
    private static func tiles(_ count: Int, side: Int = 64) -> [UInt8] {
        let item = [UInt8]([0, 2])
        let reference = FileSurgery.box(
            "dimg",
            [0, 1] + FileSurgery.bigEndian(count, 2) + (0..<count).flatMap { _ in item })
        let size = FileSurgery.box(
            "ispe", [0, 0, 0, 0] + FileSurgery.bigEndian(side, 4) + FileSurgery.bigEndian(side, 4))
        let properties =
            FileSurgery.box("ipco", size)
            + FileSurgery.box("ipma", [0, 0, 0, 0] + [0, 0, 0, 1] + item + [1, 1])
        return FileSurgery.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
            + FileSurgery.box(
                "meta",
                [0, 0, 0, 0] + FileSurgery.box("iref", [0, 0, 0, 0] + reference)
                    + FileSurgery.box("iprp", properties))
    }

    /// A picture of one tile, which is the picture itself, or not there.
    private static func madeOf(itself: Bool) -> [UInt8] {
        let handler = FileSurgery.box(
            "hdlr",
            [UInt8](repeating: 0, count: 8) + Array("pict".utf8)
                + [UInt8](repeating: 0, count: 13))
        let primary = FileSurgery.box("pitm", [0, 0, 0, 0, 0, 1])
        let place = FileSurgery.box(
            "iloc", [1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8])
        let entry = FileSurgery.box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array("grid\0".utf8))
        let items = FileSurgery.box("iinf", [0, 0, 0, 0, 0, 1] + entry)
        let size = FileSurgery.box("ispe", [0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 64])
        let depth = FileSurgery.box("pixi", [0, 0, 0, 0, 3, 8, 8, 8])
        let properties = FileSurgery.box(
            "iprp",
            FileSurgery.box("ipco", size + depth)
                + FileSurgery.box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 1, 2]))
        let part = FileSurgery.box("dimg", [0, 1, 0, 1, 0, itself ? 1 : 9])
        let references = FileSurgery.box("iref", [0, 0, 0, 0] + part)
        let grid = FileSurgery.box("idat", [0, 0, 0, 0, 0, 64, 0, 64])
        return FileSurgery.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
            + FileSurgery.box(
                "meta", [0, 0, 0, 0] + handler + primary + place + items + properties + references + grid)
    }

    private static func webp(_ side: Int) -> [UInt8] {
        var file = small.webp(lossless: true)
        // VP8L: 14 bits of width − 1, 14 of height − 1, after the signature.
        let bits = (side - 1) | (side - 1) << 14 | Int(file[24] >> 4) << 28
        file.replaceSubrange(21..<25, with: FileSurgery.bigEndian(bits, 4).reversed())
        return file
    }
}
