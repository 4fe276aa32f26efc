import CImageFixtures
import Glibc
import Testing

@testable import PhotoWorkers

/// Guard: scans, pixels, sides, HEIF items and tiles are counted before decoding (`photo-worker`)
@Suite("Bombs")
struct BombTests {
    static let small = TestPicture.quarters(64, 48)

    static func oversized() -> [(String, [UInt8])] {
        let jpeg = small.jpeg()
        return [
            ("PNG of 60,000²", png(60_000, 60_000, data: fixture_deflate_zeroes(60_000 * 7_501).take())),
            ("PNG of 2³¹ − 1 on a side", png(0x7FFF_FFFF, 1)),
            ("PNG one pixel too wide", png(16_385, 1)),
            ("PNG of 50 megapixels and a row", png(10_000, 5_001)),
            ("JPEG of 64,250²", FileSurgery.jpeg(jpeg, claiming: 64_250, 64_250)),
            ("JPEG of 49 million pixels too many", FileSurgery.jpeg(jpeg, claiming: 10_000, 9_900)),
            ("JPEG of 2,010 scans", scans(2_010)),
            ("JPEG of 49 megapixels and 2,010 scans", ProgressiveBomb.jpeg(side: 7_000, scans: 2_010)),
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

    /// Guard: a HEIF's tiles have at most twice the largest number of pixels (`HEIFSelection.parts`)
    @Test(
        "a picture that is too large is refused by its header, at next to no cost",
        arguments: NamedFile.list(oversized()))
    func refused(named: NamedFile) async throws {
        let (name, file) = (named.name, named.bytes)
        // With these limits, decoding would end differently.
        let report = try await report(of: file) {
            $0.cpuSeconds = 1
            $0.memoryBytes = 96 << 20
        }
        note(name, file, report)
        #expect(report.outcome.label == "too_large", "\(name)")
        #expect(report.cpuSeconds <= 0.3, "\(name)")
    }

    static func bearable() -> [(String, [UInt8])] {
        let frames = (0..<20_000).flatMap { index in
            FileSurgery.chunk(
                "fcTL", FileSurgery.bigEndian(index * 2 + 1, 4) + [UInt8](repeating: 0, count: 22))
                + FileSurgery.chunk("fdAT", FileSurgery.bigEndian(index * 2 + 2, 4) + [1, 2, 3])
        }
        let still = small.png()
        let image = Array(small.webp(lossless: true)[12...])
        let frame = FileSurgery.riff(
            "ANMF", [0, 0, 0, 0, 0, 0, 63, 0, 0, 47, 0, 0, 100, 0, 0, 0] + image)
        let animation =
            FileSurgery.riff("ANIM", [0, 0, 0, 0, 0, 0])
            + [[UInt8]](repeating: frame, count: 5_000).flatMap { $0 }
        // 150 directories that claim 65,535 entries each and hold none.
        let directories = [[UInt8]](
            repeating: FileSurgery.exifSegment(
                Array("MM\0*".utf8) + [0, 0, 0, 8, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65_500)),
            count: 150
        ).flatMap { $0 }
        let profile = (1...150).flatMap { part in
            FileSurgery.segment(
                0xE2, Array("ICC_PROFILE\0".utf8) + [part, 150] + [UInt8](repeating: part, count: 65_000))
        }
        return [
            ("APNG of 20,000 frames", Array(still.dropLast(12)) + frames + Array(still.suffix(12))),
            ("WebP of 5,000 frames", FileSurgery.webp([], flags: 2, width: 64, height: 48, animation)),
            ("HEIC of 40 pictures", small.heif(pictures: 40)),
            ("JPEG with 10 MB of Exif", FileSurgery.jpeg(small.jpeg(), inserting: directories)),
            ("JPEG with a profile of 10 MB", FileSurgery.jpeg(small.jpeg(), inserting: profile)),
            (
                "PNG with 8 MB of Exif",
                FileSurgery.png(
                    still, inserting: FileSurgery.chunk("eXIf", [UInt8](repeating: 77, count: 8 << 20)))
            ),
        ]
    }

    @Test("large data beside the picture costs next to nothing", arguments: NamedFile.list(bearable()))
    func beside(named: NamedFile) async throws {
        let (name, file) = (named.name, named.bytes)
        let report = try await report(of: file)
        note(name, file, report)
        #expect(report.outcome.label == "ok", "\(name)")
        // The dearest takes 0.12 s, and three times as long on a machine that others keep busy.
        #expect(report.cpuSeconds <= 1, "\(name)")
        #expect(report.peakMemoryBytes < 128 << 20, "\(name)")
    }

    @Test("a sequence of pictures without a still one is no photo")
    func sequence() async throws {
        let file =
            FileSurgery.box("ftyp", Array("hevc\0\0\0\0msf1hevc".utf8))
            + FileSurgery.box("moov", [UInt8](repeating: 0, count: 1 << 20))
        let report = try await report(of: file)
        note("HEIF sequence", file, report)
        #expect(["unsupported", "unreadable"].contains(report.outcome.label))
        #expect(report.cpuSeconds <= 0.3)
    }

    static func heavy() -> [(String, [UInt8])] {
        let tile = TestPicture.textured(224, 224)
        let larger = TestPicture.textured(448, 448)
        return [
            ("JPEG of 49 megapixels and 50 scans", ProgressiveBomb.jpeg(side: 7_000, scans: 50)),
            ("interlaced PNG of 49 megapixels", interlaced(7_000)),
            (
                "HEIC of 992 tiles",
                HEIFSurgery.grid(of: [tile.heif()], side: 224, columns: 31, rows: 32)
            ),
            (
                "AVIF of 240 tiles",
                HEIFSurgery.grid(of: [larger.heif(avif: true)], side: 448, columns: 15, rows: 16, avif: true)
            ),
        ]
    }

    @Test(
        "a picture just within the size limits becomes a photo or is stopped by another limit",
        arguments: NamedFile.list(heavy()))
    func bounded(named: NamedFile) async throws {
        let (name, file) = (named.name, named.bytes)
        let report = try await report(of: file) { $0.wallClock = .seconds(300) }
        note(name, file, report)
        #expect(["ok", "cpu_limit"].contains(report.outcome.label), "\(name)")
        #expect([report.sourceWidth, report.sourceHeight].allSatisfy { $0 > 6_700 }, "\(name)")
        #expect(report.cpuSeconds < 8, "\(name)")
        #expect(report.peakMemoryBytes < 1 << 30, "\(name)")
    }

    /// Guard: a HEIF picture that contains itself is refused (PhotoDecoding `HEIFSelection.add`)
    @Test("a HEIF picture that is made of itself is refused before its decoder follows it")
    func circle() async throws {
        #expect(try await label(of: Self.madeOf(itself: true)) == "unreadable")
        // The cycle is the reason: without it the decoder reads the file and misses only the tile.
        #expect(try await label(of: Self.madeOf(itself: false)) != "crashed")
    }

    @Test("50 scans are read")
    func manyScans() async {
        #expect(await outcome(of: Self.small.jpeg(scans: 50)).error == nil)
    }

    @Test("compressed text and profiles are not inflated", arguments: ["zTXt", "iTXt", "iCCP"])
    func inflation(type: String) async throws {
        let start = Array((type == "iTXt" ? "Comment\0\u{1}\0\0\0" : "Comment\0\0").utf8)
        let chunk = FileSurgery.chunk(type, start + fixture_deflate_zeroes(300_000_000).take())
        let file = FileSurgery.png(Self.small.png(), inserting: chunk)
        let report = try await report(of: file)
        note("PNG with 300 MB of \(type)", file, report)
        #expect(report.outcome.label == "ok")
        #expect(report.cpuSeconds < 0.25)
    }

    @Test("a picture that needs more memory than a worker may have is unreadable")
    func memory() async throws {
        let file = TestPicture.quarters(5000, 5000).png(interlaced: true)
        #expect(try await label(of: file) { $0.memoryBytes = 96 << 20 } == "memory_limit")
        #expect(await outcome(of: file).error == nil)
    }

    /// Guard: the JPEG writer allocates all its memory at the start (CImageCodecs `jpeg.c`)
    @Test("wherever memory runs out, the worker reports it and does not crash")
    func memoryAnywhere() async throws {
        let file = TestPicture.textured(2048, 1024).jpeg(quality: 98)
        func label(_ quarters: Int) async throws -> String {
            try await PhotoWorkersTests.label(of: file) { $0.memoryBytes = quarters << 18 }
        }
        // The least memory, in quarters of a MiB, that suffices for the picture.
        var (little, enough) = (16 * 4, 128 * 4)
        #expect(try await label(enough) == "ok")
        while enough - little > 1 {
            let middle = (little + enough) / 2
            if try await label(middle) == "ok" { enough = middle } else { little = middle }
        }
        for less in stride(from: 1, through: 16, by: 1) {
            #expect(try await label(enough - less) == "memory_limit", "\(less) quarters of a MiB too little")
        }
    }

    /// Prints a table of the costs if DAYLY_TEST_BOMBS=1 is set.
    private func note(_ name: String, _ file: [UInt8], _ report: WorkerRun.Report) {
        guard getenv("DAYLY_TEST_BOMBS") != nil else { return }
        print(
            "bomb: \(name) | \(file.count) bytes | \(report.outcome.label) | \(report.cpuSeconds) s CPU |"
                + " \(report.duration) | \(report.peakMemoryBytes >> 20) MiB")
    }

    /// A black picture of one bit per pixel.
    private static func interlaced(_ side: Int) -> [UInt8] {
        // Adam7 (PNG 8.1): where each pass begins, and its steps.
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        let count = passes.reduce(0) { sum, pass in
            let (x, y, right, down) = pass
            return sum + (((side - x + right - 1) / right + 7) / 8 + 1) * ((side - y + down - 1) / down)
        }
        return png(side, side, data: fixture_deflate_zeroes(count).take(), interlaced: true)
    }

    private static func png(
        _ width: Int, _ height: Int, data: [UInt8] = fixture_deflate_zeroes(1_000_000).take(),
        interlaced: Bool = false
    ) -> [UInt8] {
        let header =
            FileSurgery.bigEndian(width, 4) + FileSurgery.bigEndian(height, 4) + [
                1, 0, 0, 0, interlaced ? 1 : 0,
            ]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + FileSurgery.chunk("IHDR", header)
            + FileSurgery.chunk("IDAT", data) + FileSurgery.chunk("IEND", [])
    }

    /// A progressive JPEG that repeats its last scan many times.
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

    /// A grid of one item, repeated `count` times, with sides of this many pixels.
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
        let entry = FileSurgery.box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array("grid\0".utf8))
        return FileSurgery.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
            + FileSurgery.box(
                "meta",
                [0, 0, 0, 0] + FileSurgery.box("pitm", [0, 0, 0, 0, 0, 1])
                    + FileSurgery.box("iinf", [0, 0, 0, 0, 0, 1] + entry)
                    + FileSurgery.box("iref", [0, 0, 0, 0] + reference)
                    + FileSurgery.box("iprp", properties))
    }

    /// A grid of one tile, which is the grid itself or is missing.
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
