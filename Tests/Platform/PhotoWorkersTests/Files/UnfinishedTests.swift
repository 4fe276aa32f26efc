import Testing

@testable import PhotoWorkers

/// Tests files that end before or behind the place where they should.
@Suite("Unfinished files")
struct UnfinishedTests {
    static let picture = TestPicture.textured(240, 160)

    static func jpegs() -> [(String, [UInt8])] {
        [
            ("baseline", picture.jpeg()), ("progressive", picture.jpeg(progressive: true)),
            ("with restarts", picture.jpeg(restartRows: 1)),
            ("grey", picture.jpeg(channels: 1)),
        ]
    }

    /// Bytes that hold every byte and many that look like markers.
    private static let film = (0..<60_000).map { index in
        let number = UInt32(truncatingIfNeeded: index) &* 2_654_435_761
        return index % 7 == 0 ? 0xFF : UInt8(truncatingIfNeeded: number >> 13)
    }

    @Test(
        "a JPEG without its end marker is taken when all of it is there", arguments: NamedFile.list(jpegs()))
    func noEnd(named: NamedFile) async throws {
        let intact = try await outcome(of: named.bytes).get().photo
        let open = Array(named.bytes.dropLast(2))
        let other = Self.picture.jpeg()
        let trailers: [[UInt8]] = [
            [], [0xFF], [0xFF, 0xFF, 0xFF], [UInt8](repeating: 0, count: 500), [0xFF, 0xD9, 0xFF, 0xD9],
            Array("Image_UTC_Data1518003254321 SEFH SEFT".utf8), [0] + Self.film, [0xFF, 0xE2] + Self.film,
            [0xFF, 0xDA, 0x00], [0xFF, 0xDA, 0x00, 0x0C, 0x03, 0x01], [0xFF, 0xC4, 0x00, 0x13, 0x77],
            other, [0, 0] + Array(other.dropLast(2)),
        ]
        for (index, trailer) in trailers.enumerated() {
            let result = await outcome(of: open + trailer)
            #expect(try result.get().photo == intact, "trailer \(index)")
            #expect(await outcome(of: named.bytes + trailer).error == nil, "trailer \(index) behind the end")
        }
        for less in [4, 6, 40] {
            #expect(await outcome(of: Array(named.bytes.dropLast(less))).error == .unreadable, "\(less)")
        }
        let ended = Array(named.bytes.dropLast(200)) + Array("SEFT".utf8)
        #expect(await outcome(of: ended).error == .unreadable, "text in the place of data")
    }

    @Test("of a progressive JPEG without its end, the scans that refine others may be missing, and no others")
    func lastScans() async throws {
        let file = Self.picture.jpeg(progressive: true)
        let starts = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        let last = try #require(starts.last), second = starts[1]
        let image = try await outcome(of: Array(file[..<last])).get()
        #expect([image.width, image.height] == [240, 160])
        #expect(await outcome(of: Array(file[..<second])).error == .unreadable)
        #expect(await outcome(of: Array(file[..<(second + 30)])).error == .unreadable)
        // Its chroma has no scan for anything but its mean; with an end marker this is the encoder's wish.
        let sparse = Self.picture.jpeg(scans: 10)
        #expect(await outcome(of: sparse).error == nil)
        #expect(await outcome(of: Array(sparse.dropLast(2))).error == .unreadable)
    }

    @Test(
        "an arithmetic JPEG without its end marker is unreadable, since its decoder does not see what is missing"
    )
    func arithmetic() async {
        let file = Self.picture.jpeg(arithmetic: true)
        #expect(await outcome(of: file).error == nil)
        for less in [2, 3, 4, 400] {
            #expect(await outcome(of: Array(file.dropLast(less))).error == .unreadable, "\(less)")
        }
    }

    @Test("a JPEG that lacks a scan of one colour is unreadable, with an end marker too")
    func lostComponent() async throws {
        let file = Self.picture.jpeg(rgb: true)
        let start = try #require(FileSurgery.segments(of: file).last?.start)
        // The one scan says that it holds the first component only.
        let scan = FileSurgery.segment(0xDA, [1, file[start + 5], 0, 0, 63, 0])
        let length = 2 + Int(file[start + 2]) << 8 + Int(file[start + 3])
        let grey = Self.picture.jpeg(channels: 1)
        let greyScan = try #require(FileSurgery.segments(of: grey).last?.start)
        let data = Array(grey[(greyScan + 2 + Int(grey[greyScan + 3]))...])
        #expect(length > 0)
        #expect(await outcome(of: Array(file[..<start]) + scan + data).error == .unreadable)
    }

    @Test("a PNG that ends behind its last row is taken, but not with a wrong checksum")
    func png() async throws {
        for file in [Self.picture.png(), Self.picture.png(interlaced: true)] {
            let intact = try await outcome(of: file).get().photo
            for less in [1, 4, 11, 12] {
                #expect(try await outcome(of: Array(file.dropLast(less))).get().photo == intact, "\(less)")
            }
            #expect(await outcome(of: Array(file.dropLast(60))).error == .unreadable)
            #expect(try await outcome(of: file + Self.film).get().photo == intact)
            var wrong = file
            wrong[file.count - 14] ^= 1
            #expect(await outcome(of: wrong).error == .unreadable)
        }
    }

    @Test(
        "a HEIC whose bitstream ends early is unreadable, whatever follows",
        arguments: [20, 200, 0.25, 0.5, 0.9])
    func bitstream(lost: Double) async throws {
        for intact in [Self.picture.heif(), Self.picture.deepHEIC()] {
            #expect(await outcome(of: intact).error == nil)
            let start = try #require(FileSurgery.find("mdat", in: intact)) + 4
            let units = Self.units(of: intact, from: start)
            let unit = try #require(units.last)
            let count = lost < 1 ? Int(Double(unit.count) * lost) : Int(lost)
            let end = unit.start + unit.count
            var zeroed = intact, noisy = intact, shortened = intact
            zeroed.replaceSubrange(end - count..<end, with: [UInt8](repeating: 0, count: count))
            noisy.replaceSubrange(end - count..<end, with: Self.film[..<count].map { $0 | 1 })
            // A unit of filler data takes up the rest.
            shortened.replaceSubrange(
                unit.start - 4..<unit.start, with: FileSurgery.bigEndian(unit.count - count, 4))
            let filler = [0x4C, 1] + [UInt8](repeating: 0xFF, count: count - 7) + [0x80]
            shortened.replaceSubrange(end - count..<end, with: FileSurgery.bigEndian(count - 4, 4) + filler)
            for (name, file) in [("zeroed", zeroed), ("noisy", noisy), ("shortened", shortened)] {
                #expect(await outcome(of: file).error == .unreadable, "\(name), \(count) of \(unit.count)")
            }
        }
    }

    /// The units of an HEVC bitstream (ISO/IEC 14496-15), without their lengths.
    private static func units(of file: [UInt8], from start: Int) -> [(start: Int, count: Int)] {
        var units: [(start: Int, count: Int)] = []
        var position = start
        while position + 4 < file.count {
            let count = HEIFSurgery.number(in: file, at: position, 4)
            units.append((position + 4, count))
            position += 4 + count
        }
        return units
    }
}
