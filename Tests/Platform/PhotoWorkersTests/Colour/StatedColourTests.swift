import Testing

@testable import PhotoWorkers

/// Tests what files say about their colours in more than one way, or wrongly.
@Suite("Stated colours")
struct StatedColourTests {
    static let picture = TestPicture(64, 64) { _, _ in [200, 100, 50, 255] }
    static let plain = [200, 100, 50]
    static let asDisplayP3 = [215, 93, 31]

    static func cicp(_ numbers: UInt8...) -> [UInt8] { FileSurgery.chunk("cICP", numbers) }

    @Test("cICP comes before a profile, a profile before sRGB, and sRGB before gamma and primaries")
    func precedence() async throws {
        let p3 = Self.cicp(12, 13, 0, 1)
        let adobe = FileSurgery.profileChunk(ColourTests.adobeRGB)
        let profile = FileSurgery.profileChunk(ColourTests.displayP3)
        let srgb = FileSurgery.chunk("sRGB", [0])
        let others =
            FileSurgery.gamma(1) + FileSurgery.chromaticities([0.31, 0.33, 0.7, 0.3, 0.2, 0.7, 0.1, 0.1])
        let png = Self.picture.png()
        for (chunks, expected) in [
            (p3, Self.asDisplayP3), (adobe + p3, Self.asDisplayP3), (p3 + adobe, Self.asDisplayP3),
            (srgb + others + p3, Self.asDisplayP3), (Self.cicp(1, 13, 0, 1) + profile, Self.plain),
            (profile + srgb + others, Self.asDisplayP3), (srgb + others, Self.plain),
        ] {
            try await expect(FileSurgery.png(png, inserting: chunks), expected)
        }
    }

    @Test("a cICP that makes no sense is ignored")
    func nonsense() async throws {
        let profile = FileSurgery.profileChunk(ColourTests.displayP3)
        for chunk in [
            Self.cicp(250, 13, 0, 1), Self.cicp(12, 99, 0, 1), Self.cicp(12, 13, 1, 1),
            Self.cicp(12, 13, 0, 7),
            Self.cicp(0, 0, 0, 1), Self.cicp(12, 13, 0), Self.cicp(2, 2, 0, 1), Self.cicp(),
        ] {
            let png = Self.picture.png()
            try await expect(FileSurgery.png(png, inserting: chunk), Self.plain)
            try await expect(FileSurgery.png(png, inserting: chunk, profile), Self.asDisplayP3)
        }
    }

    /// PQ's 0.58 is 203 cd/m², reference white, and HLG's is 0.38 of it.
    @Test("PQ, HLG and the narrow range by cICP, with 8 bits and 16, and with alpha")
    func transfer() async throws {
        func grey(_ value: UInt8, _ chunk: [UInt8], type: Int32, depth: Int32) -> [UInt8] {
            let samples: Int = type == 0 ? 1 : type == 2 ? 3 : 4
            let sample = [UInt8](repeating: value, count: samples).enumerated().map {
                $0.offset == 3 ? 255 : $0.element
            }
            let row = sample.flatMap { [UInt8](repeating: $0, count: Int(depth / 8)) }
            let rows = [[UInt8]](repeating: row, count: 64 * 64).flatMap { $0 }
            return FileSurgery.png(Self.picture.png(rows: rows, depth: depth, type: type), inserting: chunk)
        }
        for (type, depth) in [(0, 8), (2, 8), (6, 8), (0, 16), (2, 16), (6, 16)] as [(Int32, Int32)] {
            func expect(_ value: UInt8, _ chunk: [UInt8], _ expected: Int) async throws {
                try await self.expect(
                    grey(value, chunk, type: type, depth: depth), [expected, expected, expected])
            }
            try await expect(148, Self.cicp(9, 16, 0, 1), 225)
            try await expect(255, Self.cicp(9, 16, 0, 1), 255)
            try await expect(148, Self.cicp(9, 18, 0, 1), 165)
            try await expect(126, Self.cicp(1, 13, 0, 0), 128)
            try await expect(16, Self.cicp(1, 1, 0, 0), 0)
            try await expect(240, Self.cicp(1, 1, 0, 0), 255)
        }
    }

    @Test("a profile whose length is wrong is read as far as it goes, in every format")
    func length() async throws {
        let profile = ColourTests.displayP3
        func claiming(_ count: Int) -> [UInt8] { FileSurgery.bigEndian(count, 4) + Array(profile[4...]) }
        for profile in [
            claiming(profile.count - 2), claiming(profile.count + 2), claiming(0), claiming(1 << 30),
            profile + [0, 0], profile + [UInt8](repeating: 0, count: 1000), Array(profile.dropLast(2)),
        ] {
            let webp = Self.picture.webp(lossless: true)
            let chunks = FileSurgery.riff("ICCP", profile) + Array(webp[12...])
            for file in [
                FileSurgery.jpeg(
                    Self.picture.jpeg(quality: 100), inserting: FileSurgery.profileSegment(profile)),
                FileSurgery.png(Self.picture.png(), inserting: FileSurgery.profileChunk(profile)),
                FileSurgery.webp(webp, flags: 0x20, width: 64, height: 64, chunks),
                Self.picture.heif(profile: profile),
            ] {
                try await expect(file, Self.asDisplayP3)
            }
        }
    }

    @Test("a profile that cannot be used leaves the other colours in force")
    func useless() async throws {
        let broken = FileSurgery.profileChunk([UInt8](repeating: 7, count: 300))
        let cut = FileSurgery.chunk("iCCP", Array("p\0\0".utf8) + [1, 2, 3])
        let linear = FileSurgery.gamma(1)
        for chunk in [broken, cut, FileSurgery.chunk("iCCP", []), FileSurgery.chunk("iCCP", [65, 0])] {
            try await expect(FileSurgery.png(Self.picture.png(), inserting: chunk), Self.plain)
            try await expect(
                FileSurgery.png(Self.picture.png(), inserting: chunk, linear), [229, 168, 122])
        }
    }

    @Test("a JPEG's profile may come in parts out of order, and one that lacks a part is ignored")
    func parts() async throws {
        let profile = ColourTests.displayP3
        func part(_ number: Int) -> [UInt8] {
            let bytes = profile[profile.count * (number - 1) / 3..<profile.count * number / 3]
            return FileSurgery.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(number), 3] + Array(bytes))
        }
        let jpeg = Self.picture.jpeg(quality: 100)
        try await expect(FileSurgery.jpeg(jpeg, inserting: part(3), part(1), part(2)), Self.asDisplayP3)
        try await expect(FileSurgery.jpeg(jpeg, inserting: part(1), part(3)), Self.plain)
    }

    private func expect(_ file: [UInt8], _ expected: [Int]) async throws {
        let image = try await outcome(of: file).get()
        let seen = TestPicture(jpeg: image.photo).colour(atX: 32, y: 32)
        #expect(distance(seen, expected) <= 5, "\(seen) for \(expected)")
    }
}
