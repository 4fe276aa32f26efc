import Testing

@testable import Imaging

@Suite("Damage")
struct TruncationTests {
    static func files() -> [(String, [UInt8])] {
        let picture = TestPicture.textured(240, 160)
        return [
            ("JPEG", picture.jpeg()), ("progressive JPEG", picture.jpeg(progressive: true)),
            ("JPEG with restarts", picture.jpeg(restartRows: 1)), ("PNG", picture.png()),
            ("interlaced PNG", picture.png(interlaced: true)), ("WebP", picture.webp()),
            ("lossless WebP", picture.webp(lossless: true)), ("HEIC", picture.heif()),
            ("AVIF", picture.heif(avif: true)),
        ]
    }

    @Test("a picture that is cut off anywhere is unreadable, never half a picture", arguments: files())
    func truncated(name: String, file: [UInt8]) async {
        #expect(await outcome(of: file).error == nil)
        let cuts = stride(from: 2, to: 100, by: 4).map { file.count * $0 / 100 }
        for cut in cuts.filter({ $0 > 32 }) + [file.count - 16, file.count - 2, file.count - 1] {
            let error = await outcome(of: Array(file[..<cut])).error
            #expect(error == .unreadable, "\(name) cut to \(cut) of \(file.count)")
        }
    }

    @Test("flipped bits give a picture or an error, and never trouble", arguments: files())
    func flipped(name: String, file: [UInt8]) async {
        for step in 1...20 {
            var damaged = file
            damaged[file.count * step / 21] ^= 1 << (step % 8)
            switch await outcome(of: damaged) {
            case .success(let image):
                #expect([image.width, image.height] == [240, 160], "\(name), step \(step)")
            case .failure(let error):
                #expect(
                    [.unreadable, .unsupportedFormat, .tooLarge].contains(error), "\(name), step \(step)")
            }
        }
    }

    @Test("a HEIF is cut off too when its pixels are all there and a later box is not")
    func lateBox() async {
        let file =
            TestPicture.quarters(64, 64).heif() + FileSurgery.box("free", [UInt8](repeating: 0, count: 99))
        #expect(await outcome(of: file).error == nil)
        #expect(await outcome(of: Array(file.dropLast(1))).error == .unreadable)
    }

    @Test("bytes that do no harm are no damage")
    func harmless() async {
        let file = TestPicture.quarters(64, 64).jpeg()
        // Fill bytes and stray bytes between segments, which some cameras write.
        let padded = Array(file[..<2]) + [0xFF, 0xFF] + Array(file[2..<20]) + [0, 0, 0] + Array(file[20...])
        #expect(await outcome(of: padded).error == nil)
        #expect(await outcome(of: file + [0, 0, 0, 0]).error == nil)
    }

    @Test("a JPEG whose data ends early and that goes on to its end marker is unreadable")
    func shortScan() async {
        let file = TestPicture.textured(240, 160).jpeg()
        let short = Array(file[..<(file.count * 2 / 3)]) + [0xFF, 0xD9]
        #expect(await outcome(of: short).error == .unreadable)
    }
}
