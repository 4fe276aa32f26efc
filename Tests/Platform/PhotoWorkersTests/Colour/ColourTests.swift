import CImageFixtures
import Testing

@testable import PhotoWorkers

@Suite("Colour")
struct ColourTests {
    static let displayP3 = fixture_profile(FIXTURE_DISPLAY_P3).take()
    static let adobeRGB = fixture_profile(FIXTURE_ADOBE_RGB).take()
    static let sRGB = fixture_profile(FIXTURE_SRGB).take()
    static let linearGrey = fixture_profile(FIXTURE_GREY_GAMMA_1).take()

    /// Colours in the profile's space and in sRGB, from the definitions of the spaces (IEC 61966-2-1, SMPTE EG
    /// 432-1, Adobe RGB 1998).
    static let known: [([UInt8], [UInt8], [Int])] = [
        (displayP3, [200, 100, 50], [215, 93, 31]),
        (displayP3, [80, 160, 90], [38, 162, 81]),
        (adobeRGB, [120, 180, 100], [80, 181, 94]),
        (adobeRGB, [128, 128, 128], [128, 128, 128]),
        (sRGB, [200, 100, 50], [200, 100, 50]),
    ]

    @Test("a profile's colours become sRGB's, in JPEG, PNG, WebP and HEIC", arguments: known)
    func converts(profile: [UInt8], colour: [UInt8], expected: [Int]) async throws {
        let picture = TestPicture(64, 64) { _, _ in colour + [255] }
        let webp = picture.webp(lossless: true)
        let profiled = FileSurgery.riff("ICCP", profile) + Array(webp[12...])
        let files = [
            FileSurgery.jpeg(picture.jpeg(quality: 100), inserting: FileSurgery.profileSegment(profile)),
            FileSurgery.png(picture.png(), inserting: FileSurgery.profileChunk(profile)),
            FileSurgery.webp(webp, flags: 0x20, width: 64, height: 64, profiled),
            picture.heif(profile: profile),
        ]
        for file in files { try await expect(file, expected) }
    }

    @Test("a HEIF's colour primaries without a profile are honoured")
    func primaries() async throws {
        let picture = TestPicture(64, 64) { _, _ in [200, 100, 50, 255] }
        try await expect(picture.heif(primaries: 12), [215, 93, 31])
        try await expect(picture.heif(primaries: 1), [200, 100, 50])
    }

    @Test("a grey profile is applied to grey")
    func grey() async throws {
        let picture = TestPicture(64, 64) { _, _ in [64, 64, 64, 255] }
        let file = FileSurgery.jpeg(
            picture.jpeg(channels: 1, quality: 100), inserting: FileSurgery.profileSegment(Self.linearGrey))
        try await expect(file, [137, 137, 137])
    }

    @Test("a profile of another kind, or none at all, changes nothing")
    func nonsense() async throws {
        let picture = TestPicture(64, 64) { _, _ in [200, 100, 50, 255] }
        for profile in [
            Self.linearGrey, Array(Self.displayP3[..<200]), [UInt8](repeating: 0xAB, count: 3000),
        ] {
            let segment = FileSurgery.profileSegment(profile)
            try await expect(
                FileSurgery.jpeg(picture.jpeg(quality: 100), inserting: segment), [200, 100, 50])
        }
    }

    /// PQ's 0.51 is 100 cd/m², 0.58 is 203 (reference white), 0.9 is 4,000.
    /// Guard: PQ and HLG are tone-mapped (`transfer.c`)
    @Test("high dynamic range is mapped to what a screen shows")
    func highDynamicRange() async throws {
        let picture = TestPicture(64, 64) { x, _ in
            let value: UInt8 = x < 32 ? 130 : 148
            return [value, value, value, 255]
        }
        let bright = TestPicture(64, 64) { _, _ in [230, 230, 230, 255] }
        func file(_ picture: TestPicture, transfer: UInt8) throws -> [UInt8] {
            var file = picture.heif(primaries: 1)
            let start = try #require(FileSurgery.find("nclx", in: file))
            file[start + 7] = transfer
            return file
        }
        let image = try await outcome(of: file(picture, transfer: 16)).get()
        let seen = TestPicture(jpeg: image.photo)
        #expect(distance(seen.colour(atX: 12, y: 32), [188, 188, 188]) <= 5, "half of reference white")
        #expect(distance(seen.colour(atX: 52, y: 32), [225, 225, 225]) <= 5, "reference white")
        try await expect(file(bright, transfer: 16), [255, 255, 255])
        // HLG's 0.58 is 0.38 of reference white on a display of 1,000 cd/m².
        try await expect(file(picture, transfer: 18), [165, 165, 165], atX: 52)
        try await expect(file(picture, transfer: 13), [148, 148, 148], atX: 52)
    }

    /// Guard: colours missing in a HEIC's container come from its bitstream (`HEVCColours`,
    /// `HEIFStructure.colours`)
    @Test("if the container states no colours, the bitstream's code points count")
    func coloursOfTheBitstream() async throws {
        let picture = TestPicture(64, 64) { _, _ in [148, 148, 148, 255] }
        func file(transfer: Int32, isGrid: Bool = false) throws -> [UInt8] {
            var file = picture.heif(primaries: 1, transfer: transfer)
            let box = try #require(FileSurgery.find("colrnclx", in: file))
            file.replaceSubrange(box..<box + 4, with: Array("skip".utf8))
            return isGrid ? HEIFSurgery.grid(of: [file], side: 64, columns: 2, rows: 1) : file
        }
        for isGrid in [false, true] {
            try await expect(file(transfer: 16, isGrid: isGrid), [225, 225, 225], atX: 52)
            try await expect(file(transfer: 13, isGrid: isGrid), [148, 148, 148], atX: 52)
        }
    }

    /// Guard: 16 bits become 8 where the curve is sRGB's (`png.c`)
    @Test("16 bits of linear light keep their shadows")
    func linearShadows() async throws {
        let picture = TestPicture(64, 64) { _, _ in [0, 0, 0, 255] }
        // 0.002 of full light, which would be 1 of 255, is 6.6 of 255 in sRGB.
        let rows = (0..<64 * 64 * 3).flatMap { _ in [0, 131] as [UInt8] }
        let file = picture.png(rows: rows, depth: 16, type: 2)
        let image = try await outcome(of: FileSurgery.png(file, inserting: FileSurgery.gamma(1))).get()
        let seen = TestPicture(jpeg: image.photo).colour(atX: 32, y: 32)
        #expect(distance(seen, [7, 7, 7]) <= 2, "\(seen)")
    }

    /// Guard: premultiplied HEIF colours are divided by their alpha (`heif.c`)
    @Test("a HEIF's colours that are multiplied with alpha already lie on white all the same")
    func premultiplied() async throws {
        let picture = TestPicture(64, 64) { _, _ in [100, 20, 20, 128] }
        try await expect(picture.heif(alpha: true), [177, 137, 137])
        try await expect(picture.heif(alpha: true, premultiplied: true), [227, 147, 147])
    }

    private func expect(_ file: [UInt8], _ expected: [Int], atX x: Int = 32) async throws {
        let image = try await outcome(of: file).get()
        let seen = TestPicture(jpeg: image.photo).colour(atX: x, y: 32)
        #expect(distance(seen, expected) <= 5, "\(seen) for \(expected)")
    }
}
