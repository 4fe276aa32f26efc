import CImageFixtures
import PhotoDecoding
import Testing

@testable import PhotoWorkers

@Suite("True colours")
struct ColourProofTests {
    @Test("CIEDE2000 is what its authors say", arguments: published)
    func judge(one: [Double], other: [Double], expected: Double) {
        #expect(abs(fixture_ciede2000(one, other) - expected) < 0.00006)
        #expect(abs(fixture_ciede2000(other, one) - expected) < 0.00006)
    }

    /// Guard: alpha is composed over white after conversion to sRGB (`colour_converter_is_first`,
    /// `colour_converter_row`)
    /// Guard: a matrix profile's colours are converted (`shaper.c`)
    /// Guard: every way to state a colour is read: profiles, H.273 numbers, PNG's gamma and primaries, ink
    /// (CImageCodecs `read_colours`, PhotoDecoding `Kernels`)
    @Test("before encoding, colours are those of Little CMS in floating point", arguments: ColourCase.all)
    func before(sample: ColourCase) throws {
        let seen = try decoded(sample.file)
        try #require(seen.count * 3 == sample.expected.count * 4)
        let difference = fixture_compare(sample.expected, seen, seen.count / 4)
        #expect(difference.mean < 1, "worst \(difference.worst)")
    }

    @Test("the stored photo has not visibly shifted", arguments: ColourCase.all)
    func after(sample: ColourCase) async throws {
        let stored = TestPicture(jpeg: try await outcome(of: sample.file).get().photo)
        let difference = fixture_compare(sample.expected, stored.pixels, stored.pixels.count / 4)
        #expect(difference.mean < 2, "worst \(difference.worst)")
    }

    /// From table 1 of Sharma, Wu and Dalal (2005): the pairs that tell wrong implementations apart.
    static let published: [([Double], [Double], Double)] = [
        ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425),
        ([50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0000),
        ([50, 0, 0], [50, -1, 2], 2.3669),
        ([50, 2.4900, -0.0010], [50, -2.4900, 0.0009], 7.1792),
        ([50, 2.4900, -0.0010], [50, -2.4900, 0.0011], 7.2195),
        ([50, -0.0010, 2.4900], [50, 0.0011, -2.4900], 4.7461),
        ([50, 2.5, 0], [73, 25, -18], 27.1492),
        ([50, 2.5, 0], [56, -27, -3], 31.9030),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ]
}

/// The pixels before encoding, RGBA.
func decoded(_ file: [UInt8], threads: Int = 1) throws -> [UInt8] {
    let limits = try #require(
        WorkerLimits(arguments: ["50000000", "16384", "50", "2048", "480", "80"]))
    return try file.withUnsafeBytes { bytes in
        let pipeline = PhotoPipeline(limits: limits, threads: threads)
        let picture = try pipeline.picture(of: Bytes(bytes)) { _, _ in }
        return Array(UnsafeBufferPointer(start: picture.pixels, count: picture.byteCount))
    }
}
