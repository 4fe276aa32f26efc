import Testing

@testable import PhotoWorkers

/// Guard: damage is an error, at every place (`photo-worker`, `CImageCodecs`)
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

    @Test(
        "a picture that is cut off at any hundredth is unreadable, never half a picture",
        arguments: NamedFile.list(files()))
    func truncated(named: NamedFile) async throws {
        let (name, file) = (named.name, named.bytes)
        let cuts = (1...99).map { file.count * $0 / 100 }.filter { $0 > 32 }
        // Behind a PNG's last row are 12 bytes, and behind a JPEG's two.
        let ends =
            [file.count - 20] + (name.hasSuffix("PNG") || name.contains("JPEG") ? [] : [file.count - 1])
        let intact = TestPicture(jpeg: try await outcome(of: file).get().photo)
        await outcomes(of: (cuts + ends).map { Array(file[..<$0]) }) { result, index in
            // Between two scans that only refine others, a progressive picture is complete.
            if name == "progressive JPEG", let photo = try? result.get().photo {
                #expect(
                    Self.meanDifference(TestPicture(jpeg: photo), intact) < 8, "cut at \(index + 1) of 100")
            } else {
                #expect(result.error == .unreadable, "\(name) cut at \(index + 1) of 100")
            }
        }
    }

    private static func meanDifference(_ one: TestPicture, _ other: TestPicture) -> Int {
        let sum = zip(one.pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return one.pixels.count == other.pixels.count ? sum / one.pixels.count : .max
    }

    @Test(
        "a flipped bit at any hundredth gives a whole picture or an error, and never trouble",
        arguments: NamedFile.list(files()))
    func flipped(named: NamedFile) async throws {
        let (name, file) = (named.name, named.bytes)
        let intact = try await outcome(of: file).get()
        #expect(Self.filledIn(TestPicture(jpeg: intact.photo)).isEmpty)
        let damaged = (1...100).map { step in
            var damaged = file
            damaged[file.count * step / 101] ^= 1 << (step % 8)
            return damaged
        }
        await outcomes(of: damaged) { result, index in
            switch result {
            case .success(let image):
                #expect([image.width, image.height] == [240, 160], "\(name), step \(index)")
                // PNG's checksums detect every change.
                #expect(image.photo == intact.photo || !name.hasSuffix("PNG"), "\(name), step \(index)")
                let filled = Self.filledIn(TestPicture(jpeg: image.photo))
                #expect(filled.isEmpty, "\(name), step \(index)")
            case .failure(let error):
                #expect(
                    [.unreadable, .unsupportedFormat, .tooLarge].contains(error), "\(name), step \(index)")
            }
        }
    }

    /// The tenths of a picture, from top to bottom, that are flat and of the grey that decoders fill in.
    private static func filledIn(_ picture: TestPicture) -> [Int] {
        (0..<10).filter { tenth in
            let rows = picture.height * tenth / 10..<picture.height * (tenth + 1) / 10
            let bytes = rows.lowerBound * picture.width * 4..<rows.upperBound * picture.width * 4
            return bytes.allSatisfy { $0 % 4 == 3 || (125...131).contains(picture.pixels[$0]) }
        }
    }

    /// The result of each file, some at a time.
    private func outcomes(
        of files: [[UInt8]], judge: (Result<ProcessedImage, PhotoWorkerError>, Int) -> Void
    ) async {
        await withTaskGroup(of: (Result<ProcessedImage, PhotoWorkerError>, Int).self) { group in
            for (index, file) in files.enumerated() {
                group.addTask { (await outcome(of: file), index) }
            }
            for await (result, index) in group { judge(result, index) }
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
