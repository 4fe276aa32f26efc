import NIOCore
import Testing

@testable import PhotoWorkers

@Suite("Formats and sizes")
struct FormatTests {
    @Test("a 12-megapixel JPEG is taken at half its size, with a thumbnail and a placeholder")
    func large() async throws {
        let file = TestPicture.textured(4032, 3024).jpeg(quality: 85)
        let image = try await outcome(of: file).get()
        #expect([image.width, image.height] == [2016, 1512])
        let photo = TestPicture(jpeg: image.photo)
        let thumbnail = TestPicture(jpeg: image.thumbnail)
        #expect([photo.width, photo.height] == [2016, 1512])
        #expect([thumbnail.width, thumbnail.height] == [480, 360])
        #expect((5...25).contains(image.thumbHash.count))
        #expect(distance(photo.colour(atX: 1000, y: 700), thumbnail.colour(atX: 238, y: 167)) < 80)
    }

    @Test(
        "a JPEG above the limit becomes 1920 to 2048 pixels on its long edge",
        arguments: [
            (2049, 64), (64, 2100), (2600, 50), (3000, 40), (5000, 30), (8064, 16), (16_384, 1), (1, 16_384),
        ])
    func reduces(width: Int, height: Int) async throws {
        let image = try await outcome(of: TestPicture.quarters(width, height).jpeg()).get()
        #expect((1920...2048).contains(max(image.width, image.height)))
        let exact = Double(min(width, height)) * 2048 / Double(max(width, height))
        #expect(abs(Double(min(image.width, image.height)) - exact) <= max(1.5, exact / 15))
    }

    @Test(
        "nothing is enlarged, and odd sizes work",
        arguments: [(1, 1), (3, 5), (17, 13), (17, 481), (333, 77), (1919, 33), (2048, 20)])
    func keeps(width: Int, height: Int) async throws {
        let picture = TestPicture.quarters(width, height)
        for file in [picture.jpeg(), picture.png(), picture.webp(lossless: true)] {
            let image = try await outcome(of: file).get()
            #expect([image.width, image.height] == [width, height])
            let thumbnail = TestPicture(jpeg: image.thumbnail)
            #expect(max(thumbnail.width, thumbnail.height) == min(480, max(width, height)))
        }
    }

    @Test("a PNG of one row or one column of 16,384 pixels is read", arguments: [(16_384, 1), (1, 16_384)])
    func lines(width: Int, height: Int) async throws {
        let image = try await outcome(of: TestPicture.quarters(width, height).png()).get()
        #expect([image.width, image.height].sorted() == [1, 2048])
    }

    @Test("HEIC of odd sizes are read", arguments: [(17, 13), (33, 65), (1, 1)])
    func oddHEIC(width: Int, height: Int) async throws {
        let image = try await outcome(of: TestPicture.quarters(width, height).heif()).get()
        #expect([image.width, image.height] == [width, height])
    }

    @Test("the stored photo is baseline, 4:2:0, with codes of its own, and another decoder reads it")
    func stored() async throws {
        let folder = try temporaryFolder()
        defer { remove(folder) }
        var codes: Set<[UInt8]> = []
        var names: [String] = []
        for (index, picture) in [TestPicture.textured(640, 400), .quarters(501, 333)].enumerated() {
            let image = try await outcome(of: picture.png()).get()
            for (name, part) in [("photo", image.photo), ("thumbnail", image.thumbnail)] {
                let bytes = Array(part.readableBytesView)
                #expect(FileSurgery.segments(of: bytes).contains { $0.marker == 0xC0 })
                let tables = FileSurgery.segments(of: bytes).filter { $0.marker == 0xC4 }
                #expect(tables.count == 4)
                codes.insert(tables.flatMap { Array(bytes[$0.start..<min($0.start + 40, bytes.count)]) })
                names.append("\(index)-\(name).jpg")
                try save(bytes, as: "\(folder)/\(index)-\(name).jpg")
            }
        }
        // The standard's example tables would be the same in all files.
        #expect(codes.count == 4)
        let format = "%m %wx%h %[jpeg:sampling-factor] %Q %[interlace] %[colorspace]\n"
        let said = try await output(
            of: "/usr/bin/identify", ["-regard-warnings", "-format", format] + names, in: folder)
        #expect(
            String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init) == [
                "JPEG 640x400 2x2,1x1,1x1 80 None sRGB", "JPEG 480x300 2x2,1x1,1x1 80 None sRGB",
                "JPEG 501x333 2x2,1x1,1x1 80 None sRGB", "JPEG 480x319 2x2,1x1,1x1 80 None sRGB",
            ])
    }

    @Test("every kind of JPEG that decoders know is read")
    func jpegKinds() async throws {
        let picture = TestPicture.quarters(320, 200)
        let files = [
            picture.jpeg(progressive: true), picture.jpeg(arithmetic: true), picture.jpeg(restartRows: 1),
            picture.jpeg(subsampling: 1), picture.jpeg(progressive: true, restartRows: 2),
        ]
        for file in files { try await expectQuarters(file) }
    }

    @Test("grey JPEGs stay grey")
    func grey() async throws {
        let picture = TestPicture(64, 64) { x, _ in [UInt8(x * 4), UInt8(x * 4), UInt8(x * 4), 255] }
        let image = try await outcome(of: picture.jpeg(channels: 1)).get()
        #expect(distance(TestPicture(jpeg: image.photo).colour(atX: 32, y: 32), [128, 128, 128]) < 6)
    }

    @Test("CMYK and YCCK JPEGs, with and without the Adobe marker, come out in their colours")
    func cmyk() async throws {
        // The colour of a quarter in ink, all of it in the first three inks.
        func inks(inverted: Bool) -> TestPicture {
            var picture = TestPicture.quarters(128, 128)
            for index in picture.pixels.indices where index % 4 != 3 && !inverted {
                picture.pixels[index] = 255 - picture.pixels[index]
            }
            for index in stride(from: 3, to: picture.pixels.count, by: 4) {
                picture.pixels[index] = inverted ? 255 : 0
            }
            return picture
        }
        try await expectQuarters(inks(inverted: true).jpeg(channels: 4))
        try await expectQuarters(inks(inverted: true).jpeg(channels: 4, ycck: true))
        try await expectQuarters(inks(inverted: false).jpeg(channels: 4, adobe: false))
    }

    @Test("every kind of PNG is read: 16 bits, palette with transparency, grey with alpha, interlaced")
    func pngKinds() async throws {
        let picture = TestPicture.quarters(96, 64)
        try await expectQuarters(picture.png())
        try await expectQuarters(picture.png(interlaced: true))
        let deep: [UInt8] = picture.pixels.flatMap { [$0, $0] as [UInt8] }
        try await expectQuarters(picture.png(rows: deep, depth: 16))

        var indices: [UInt8] = []
        for y in 0..<64 { for x in 0..<96 { indices.append(UInt8(y / 32 * 2 + x / 48)) } }
        let palette = TestPicture.colours.flatMap { $0 }
        try await expectQuarters(picture.png(rows: indices, type: 3, palette: palette))
        let half = try await outcome(
            of: picture.png(rows: indices, type: 3, palette: palette, paletteAlpha: [255, 0])
        ).get()
        let seen = TestPicture(jpeg: half.photo).quarterColours
        #expect(distance(seen[0], [220, 30, 30]) < 20)
        #expect(distance(seen[1], [255, 255, 255]) < 12, "what is transparent lies on white")

        let greyAlpha = [[UInt8]](repeating: [100, 128], count: 96 * 64).flatMap { $0 }
        let grey = try await outcome(of: picture.png(rows: greyAlpha, type: 4)).get()
        #expect(distance(TestPicture(jpeg: grey.photo).colour(atX: 40, y: 40), [177, 177, 177]) < 4)
        let bits = [UInt8](repeating: 0b1010_1010, count: 12 * 64)
        #expect(await outcome(of: picture.png(rows: bits, depth: 1, type: 0)).error == nil)
    }

    @Test("WebP is read: lossy, lossless, with alpha over white, and an animation's first frame")
    func webp() async throws {
        try await expectQuarters(TestPicture.quarters(120, 80).webp())
        try await expectQuarters(TestPicture.quarters(120, 80).webp(lossless: true))
        let veil = try await outcome(of: TestPicture.quarters(120, 80, alpha: 0).webp(lossless: true)).get()
        #expect(distance(TestPicture(jpeg: veil.photo).colour(atX: 20, y: 20), [255, 255, 255]) < 4)

        let first = Array(TestPicture.quarters(120, 80).webp(lossless: true)[12...])
        let second = Array(TestPicture(120, 80) { _, _ in [0, 0, 0, 255] }.webp(lossless: true)[12...])
        func frame(_ image: [UInt8]) -> [UInt8] {
            FileSurgery.riff("ANMF", [0, 0, 0, 0, 0, 0, 119, 0, 0, 79, 0, 0, 100, 0, 0, 0] + image)
        }
        let chunks = FileSurgery.riff("ANIM", [0, 0, 0, 0, 0, 0]) + frame(first) + frame(second)
        try await expectQuarters(FileSurgery.webp([], flags: 0x02, width: 120, height: 80, chunks))
    }

    @Test("HEIC and AVIF are read, with alpha over white")
    func heif() async throws {
        let picture = TestPicture.quarters(160, 96)
        try await expectQuarters(picture.heif())
        try await expectQuarters(picture.heif(avif: true))
        let veil = try await outcome(of: TestPicture.quarters(160, 96, alpha: 0).heif(alpha: true)).get()
        #expect(distance(TestPicture(jpeg: veil.photo).colour(atX: 20, y: 20), [255, 255, 255]) < 8)
    }

    @Test("a large PNG, WebP and HEIC become 2048 pixels on the long edge")
    func largeOthers() async throws {
        let picture = TestPicture.quarters(2400, 1500)
        for file in [picture.png(), picture.webp(), picture.heif()] {
            let image = try await outcome(of: file).get()
            #expect([image.width, image.height] == [2048, 1280])
            checkQuarters(image)
        }
    }

    /// Guard: a deep HEIF without alpha is opaque (CImageCodecs `heif.c` `next_row`)
    @Test("a placeholder is opaque: whatever the depth, with alpha or without, reduced or not")
    func opaquePlaceholder() async throws {
        for (width, height) in [(30, 20), (700, 500)] {
            let picture = TestPicture.quarters(width, height)
            let veiled = TestPicture.quarters(width, height, alpha: 128)
            let files = [
                picture.jpeg(), picture.png(), veiled.png(), picture.webp(), veiled.webp(lossless: true),
                picture.heif(), veiled.heif(alpha: true), picture.deepHEIC(),
            ]
            for (index, file) in files.enumerated() {
                let hash = try await outcome(of: file).get().thumbHash
                #expect(hash[2] & 0x80 == 0, "file \(index), \(width) × \(height), says it has alpha")
            }
        }
    }

    @Test(
        "a file that is not a picture has an unsupported format",
        arguments: ["", "x", "GIF89a", "%PDF-1.7", "BM", "<svg/>", "RIFF....WAVE", "....ftypmp42...."])
    func garbage(text: String) async {
        #expect(await outcome(of: Array(text.utf8)).error == .unsupportedFormat)
    }

    private func expectQuarters(_ file: [UInt8]) async throws {
        checkQuarters(try await outcome(of: file).get())
    }

    private func checkQuarters(_ image: ProcessedImage) {
        for (seen, expected) in zip(TestPicture(jpeg: image.photo).quarterColours, TestPicture.colours) {
            #expect(distance(seen, expected.map(Int.init)) < 20, "\(seen) for \(expected)")
        }
    }
}
