import CImageFixtures
import Testing

/// A file, and its expected colours as sRGB without rounding.
struct ColourCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: [UInt8]
    let expected: [Float]

    init(_ name: String, _ file: [UInt8], _ expected: [Float]) {
        testDescription = name
        self.file = file
        self.expected = expected
    }

    static let all = profiles + greys + inks + png + nclx + others

    static func profile(_ kind: fixture_profile_kind) -> [UInt8] { fixture_profile(kind).take() }

    /// RGB profiles, by matrix and by table, in every format.
    static let profiles = [
        ("Display P3", FIXTURE_DISPLAY_P3), ("Adobe RGB", FIXTURE_ADOBE_RGB),
        ("ProPhoto RGB", FIXTURE_PROPHOTO), ("RGB by a table", FIXTURE_RGB_TABLE),
    ].flatMap { name, kind in
        let profile = Self.profile(kind)
        let chart = Chart.patches(3)
        let ramps = Chart.ramps(3)
        let jpeg = ramps.picture.jpeg(quality: 100, subsampling: 1)
        let webp = Array(chart.picture.webp(lossless: true)[12...])
        let segment = FileSurgery.profileSegment(profile)
        let chunks = FileSurgery.riff("ICCP", profile) + webp
        return [
            ColourCase(
                "\(name) in PNG",
                FileSurgery.png(chart.picture.png(), inserting: FileSurgery.profileChunk(profile)),
                chart.seen(by: profile)),
            ColourCase(
                "\(name) in WebP",
                FileSurgery.webp([], flags: 0x20, width: chart.width, height: chart.height, chunks),
                chart.seen(by: profile)),
            ColourCase(
                "\(name) in JPEG", FileSurgery.jpeg(jpeg, inserting: segment), ramps.seen(by: profile)),
            ColourCase("\(name) in HEIC", ramps.picture.heif(profile: profile), ramps.seen(by: profile)),
            ColourCase(
                "\(name) in AVIF", ramps.picture.heif(avif: true, profile: profile), ramps.seen(by: profile)),
        ]
    }

    static let greys: [ColourCase] = {
        let chart = Chart.patches(1)
        let profile = Self.profile(FIXTURE_GREY_GAMMA_1_5)
        let jpeg = chart.picture.jpeg(channels: 1, quality: 100)
        let png = chart.picture.png(rows: chart.samples, type: 0)
        let pairs = chart.samples.indices.flatMap { [chart.samples[$0], alpha($0)] }
        let deep = chart.samples.indices.flatMap { [chart.samples[$0], UInt8($0 % 256)] }
        let deepGrey = deep.indices.filter { $0 % 2 == 0 }.map {
            Double(Int(deep[$0]) << 8 | Int(deep[$0 + 1]))
        }
        return [
            ColourCase(
                "grey JPEG with a profile",
                FileSurgery.jpeg(jpeg, inserting: FileSurgery.profileSegment(profile)),
                chart.seen(by: profile)),
            ColourCase("grey JPEG", jpeg, chart.seenPlainly),
            ColourCase(
                "grey PNG with a profile",
                FileSurgery.png(png, inserting: FileSurgery.profileChunk(profile)),
                chart.seen(by: profile)),
            ColourCase(
                "grey PNG with a gamma",
                FileSurgery.png(png, inserting: FileSurgery.gamma(1 / 1.5)), chart.seen(by: profile)),
            ColourCase(
                "grey PNG with alpha", chart.picture.png(rows: pairs, type: 4),
                chart.seenPlainly.onWhite { Float(alpha($0)) / 255 }),
            ColourCase(
                "grey PNG of 16 bits", chart.picture.png(rows: deep, depth: 16, type: 0),
                (0..<chart.count * 3).map { Float(deepGrey[$0 / 3] / 65_535) }),
        ]
    }()

    static let inks: [ColourCase] = {
        let chart = Chart.ramps(4)
        let profile = Self.profile(FIXTURE_CMYK_TABLE)
        let segment = (0..<4).map { part in
            let quarter = profile[profile.count * part / 4..<profile.count * (part + 1) / 4]
            return FileSurgery.segment(
                0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(part + 1), 4] + quarter)
        }.flatMap { $0 }
        let files = [
            ("CMYK", chart.picture.jpeg(channels: 4, quality: 100, adobe: false)),
            ("CMYK with Adobe's marker", chart.inverted.jpeg(channels: 4, quality: 100)),
            ("YCCK with Adobe's marker", chart.inverted.jpeg(channels: 4, quality: 100, ycck: true)),
        ]
        return files.flatMap { name, file in
            [
                ColourCase(name, file, chart.inkSeenPlainly),
                ColourCase(
                    "\(name) and a profile", FileSurgery.jpeg(file, inserting: segment),
                    chart.seen(by: profile)),
            ]
        }
    }()

    static let png: [ColourCase] = {
        let chart = Chart.patches(3)
        let veiled = Chart.patches(4)
        let file = chart.picture.png()
        let ramps = Chart.ramps(4)
        let through = { (index: Int) in Float(veiled.samples[index * 4 + 3]) / 255 }
        let p3 = Self.profile(FIXTURE_DISPLAY_P3)
        let rgbGamma = Self.profile(FIXTURE_ADOBE_RGB_GAMMA_1_5)
        let deep = chart.samples.indices.flatMap { [chart.samples[$0], UInt8($0 * 7 % 256)] }
        let deepColours = chart.samples.indices.map {
            Double(Int(deep[$0 * 2]) << 8 | Int(deep[$0 * 2 + 1])) / 65_535
        }
        let adobe = FileSurgery.chromaticities([0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06])
        let palette = (0..<64 * 3).map { UInt8($0 * 83 % 256) }
        let indices = (0..<chart.count).map { UInt8($0 / chart.width / 24 * 10 + $0 % chart.width / 24) }
        let rampColours = (0..<ramps.count * 3).map { Double(ramps.samples[$0 / 3 * 4 + $0 % 3]) / 255 }
        return [
            ColourCase(
                "PNG with primaries and a gamma",
                FileSurgery.png(file, inserting: FileSurgery.gamma(1 / 1.5), adobe),
                chart.seen(by: rgbGamma)),
            ColourCase(
                "PNG that says sRGB before its gamma",
                FileSurgery.png(
                    file, inserting: FileSurgery.gamma(0.45455), FileSurgery.chunk("sRGB", [0])),
                chart.seenPlainly),
            ColourCase(
                "PNG with the gamma that means sRGB",
                FileSurgery.png(file, inserting: FileSurgery.gamma(0.45455)), chart.seenPlainly),
            ColourCase(
                "PNG of 16 bits", chart.picture.png(rows: deep, depth: 16, type: 2),
                deepColours.map { Float($0) }),
            ColourCase(
                "PNG of 16 bits in Display P3",
                FileSurgery.png(
                    chart.picture.png(rows: deep, depth: 16, type: 2),
                    inserting: FileSurgery.profileChunk(p3)),
                Chart.sRGB(deepColours, channels: 3, by: p3)),
            ColourCase(
                "PNG with a palette that is partly transparent",
                chart.picture.png(
                    rows: indices, type: 3, palette: palette, paletteAlpha: (0..<64).map { UInt8($0 * 4) }),
                (0..<chart.count * 3).map {
                    Float(palette[Int(indices[$0 / 3]) * 3 + $0 % 3]) / 255
                }.onWhite { Float(indices[$0]) * 4 / 255 }),
            ColourCase(
                "PNG with alpha", veiled.picture.png(), veiled.seenPlainly.onWhite(through)),
            ColourCase(
                "PNG with alpha in Display P3",
                FileSurgery.png(ramps.picture.png(), inserting: FileSurgery.profileChunk(p3)),
                Chart.sRGB(rampColours, channels: 3, by: p3).onWhite {
                    Float(ramps.samples[$0 * 4 + 3]) / 255
                }),
        ]
    }()

    /// HEIF planes of every depth, matrix, range and set of primaries.
    static let nclx: [ColourCase] = {
        let chart = Chart.patches(3)
        let ramps = Chart.ramps(3)
        let p3 = Self.profile(FIXTURE_DISPLAY_P3)
        let rec2020 = Self.profile(FIXTURE_REC_2020)
        func heif(
            _ chart: Chart, _ depth: Int32, _ matrix: Int32, full: Bool, primaries: Int32 = 1,
            avif: Bool = false, halved: Bool = false, grey: Bool = false
        ) -> [UInt8] {
            fixture_heif_ycc(
                chart.picture.pixels, Int32(chart.width), Int32(chart.height),
                fixture_ycc_options(
                    avif: avif ? 1 : 0, depth: depth, halved: halved ? 1 : 0, full_range: full ? 1 : 0,
                    primaries: primaries, matrix: matrix, grey: grey ? 1 : 0)
            ).take()
        }
        var cases: [ColourCase] = []
        for avif in [false, true] {
            for depth: Int32 in avif ? [8] : [8, 10] {
                for (matrix, full): (Int32, Bool) in [(1, false), (6, true), (6, false), (1, true)] {
                    let name = "\(avif ? "AVIF" : "HEIC") of \(depth) bits, matrix \(matrix), full \(full)"
                    cases += [
                        ColourCase(
                            name, heif(chart, depth, matrix, full: full, avif: avif), chart.seenPlainly),
                        ColourCase(
                            "\(name), halved",
                            heif(ramps, depth, matrix, full: full, avif: avif, halved: true),
                            ramps.seenPlainly),
                    ]
                }
            }
        }
        return cases + [
            ColourCase(
                "HEIC of 10 bits in Display P3, as phones write it",
                heif(ramps, 10, 6, full: true, primaries: 12, halved: true), ramps.seen(by: p3)),
            ColourCase(
                "HEIC of 10 bits in Rec. 2020", heif(chart, 10, 9, full: false, primaries: 9),
                chart.seen(by: rec2020)),
            ColourCase(
                "AVIF in Display P3", heif(chart, 8, 1, full: true, primaries: 12, avif: true),
                chart.seen(by: p3)),
            ColourCase(
                "grey HEIC", heif(Chart.patches(1), 8, 6, full: true, grey: true),
                Chart.patches(1).seenPlainly),
        ]
    }()

    static let others: [ColourCase] = {
        let chart = Chart.patches(3)
        let veiled = Chart.patches(4)
        let ramps = Chart.ramps(4)
        let through = { (index: Int) in Float(veiled.samples[index * 4 + 3]) / 255 }
        return [
            ColourCase(
                "JPEG of plain RGB", chart.picture.jpeg(quality: 100, subsampling: 1, rgb: true),
                chart.seenPlainly),
            ColourCase(
                "WebP with alpha", veiled.picture.webp(lossless: true),
                veiled.seenPlainly.onWhite(through)),
            ColourCase(
                "HEIC with alpha", ramps.picture.heif(alpha: true),
                ramps.seenPlainly.onWhite { Float(ramps.samples[$0 * 4 + 3]) / 255 }),
            ColourCase("WebP with losses", Chart.ramps(3).picture.webp(), Chart.ramps(3).seenPlainly),
        ]
    }()

    private static func alpha(_ index: Int) -> UInt8 { UInt8(index / 5 % 256) }
}
