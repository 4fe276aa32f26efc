import CImageFixtures
import NIOCore
import Testing

@testable import PhotoWorkers

/// Compares the resampling with Lanczos-3 on encoded values, the usual method of other programs.
/// Guard: pictures are reduced by Lanczos-3 (CImageCodecs `resampler`)
@Suite("Resampling")
struct ResamplingTests {
    @Test("a picture is reduced as Lanczos-3 in double precision reduces it")
    func reduced() async throws {
        // Enough detail to show the difference to any other filter.
        let detail = TestPicture.textured(3000, 2000)
        let difference = compare(detail, reducedTo: 2048, 1365, with: try decoded(detail.png()))
        #expect(difference.mean < 0.25 && difference.worst < 1.5, "\(difference)")
        let scene = TestPicture.scene(3000, 2000)
        try await expectThumbnail(of: scene, in: scene.png(), 480, 320)
    }

    @Test("a JPEG that is scaled while decoding looks like one that is decoded first and reduced then")
    func scaled() async throws {
        let file = TestPicture.scene(4032, 3024).jpeg()
        let whole = TestPicture(jpeg: ByteBuffer(bytes: file))
        let difference = compare(whole, reducedTo: 2016, 1512, with: try decoded(file))
        #expect(difference.mean < 1, "\(difference)")
        try await expectThumbnail(of: whole, in: file, 480, 360)
    }

    private func expectThumbnail(
        of picture: TestPicture, in file: [UInt8], _ width: Int, _ height: Int
    ) async throws {
        let thumbnail = TestPicture(jpeg: try await outcome(of: file).get().thumbnail)
        try #require([thumbnail.width, thumbnail.height] == [width, height])
        let difference = compare(picture, reducedTo: width, height, with: thumbnail.pixels)
        #expect(difference.mean < 2, "\(difference)")
    }

    private func compare(
        _ picture: TestPicture, reducedTo width: Int, _ height: Int, with seen: [UInt8]
    ) -> fixture_difference {
        let expected = [Float](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
            fixture_resample(
                picture.pixels, Int32(picture.width), Int32(picture.height), Int32(width), Int32(height),
                buffer.baseAddress)
            count = width * height * 3
        }
        guard seen.count == width * height * 4 else { return fixture_difference(mean: 100, worst: 100) }
        return fixture_compare(expected, seen, width * height)
    }
}
