import CImageFixtures
import Testing

@testable import PhotoWorkers

@Suite("Orientation")
struct OrientationTests {
    /// The stored quarter that is visible in each place: upper left, upper right, lower left, lower right.
    static let upright: [(Int, [Int])] = [
        (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]),
        (5, [0, 2, 1, 3]), (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]),
    ]

    @Test("a JPEG is turned as its Exif says, in either byte order", arguments: upright)
    func jpeg(orientation: Int, places: [Int]) async throws {
        let file = TestPicture.quarters(160, 96).jpeg()
        for littleEndian in [true, false] {
            let exif = FileSurgery.exif(orientation: orientation, littleEndian: littleEndian)
            try await expect(
                FileSurgery.jpeg(file, inserting: FileSurgery.exifSegment(exif)), places, orientation)
        }
    }

    /// Guard: an orientation counts as SHORT and as LONG (`ExifOrientation`)
    @Test("an orientation that is stored as a LONG counts as a SHORT does", arguments: upright)
    func long(orientation: Int, places: [Int]) async throws {
        let file = TestPicture.quarters(160, 96).jpeg()
        for littleEndian in [true, false] {
            let exif = FileSurgery.exif(orientation: orientation, littleEndian: littleEndian, isLong: true)
            try await expect(
                FileSurgery.jpeg(file, inserting: FileSurgery.exifSegment(exif)), places, orientation)
        }
    }

    @Test("a JPEG that is scaled during decoding is turned too", arguments: upright)
    func largeJPEG(orientation: Int, places: [Int]) async throws {
        let file = TestPicture.quarters(2200, 1100).jpeg()
        let exif = FileSurgery.exifSegment(FileSurgery.exif(orientation: orientation))
        let image = try await outcome(of: FileSurgery.jpeg(file, inserting: exif)).get()
        #expect(max(image.width, image.height) <= 2048)
        check(image, places, orientation)
    }

    @Test("PNG and WebP are turned by their Exif", arguments: upright)
    func others(orientation: Int, places: [Int]) async throws {
        let picture = TestPicture.quarters(160, 96)
        let exif = FileSurgery.exif(orientation: orientation)
        try await expect(
            FileSurgery.png(picture.png(), inserting: FileSurgery.chunk("eXIf", exif)), places, orientation)
        let webp = picture.webp(lossless: true)
        let chunks = Array(webp[12...]) + FileSurgery.riff("EXIF", exif)
        try await expect(
            FileSurgery.webp(webp, flags: 0x08, width: 160, height: 96, chunks), places, orientation)
    }

    @Test("a HEIF is turned by its own properties", arguments: upright)
    func heif(orientation: Int, places: [Int]) async throws {
        let file = TestPicture.quarters(160, 96).heif(orientation: Int32(orientation))
        try await expect(file, places, orientation)
    }

    @Test("a HEIF's turn and reflection are done in the order in which it names them")
    func order() async throws {
        for (orientation, other) in [(5, 7), (7, 5)] {
            var file = TestPicture.quarters(160, 96).heif(orientation: Int32(orientation))
            let properties = HEIFSurgery.properties(of: file)
            let turn = try #require(properties.firstIndex(of: "irot")) + 1
            let reflection = try #require(properties.firstIndex(of: "imir")) + 1
            let associations = try #require(FileSurgery.find("ipma", in: file))
            let place = try #require(
                (associations..<associations + 60).first {
                    Set([file[$0] & 0x7F, file[$0 + 1] & 0x7F]) == [UInt8(turn), UInt8(reflection)]
                })
            file.swapAt(place, place + 1)
            try await expect(file, Self.upright[other - 1].1, other)
        }
    }

    @Test("a HEIF's Exif orientation is ignored")
    func heifExif() async throws {
        let turned = TestPicture.quarters(160, 96).heif(
            orientation: 6, exif: FileSurgery.exif(orientation: 3))
        try await expect(turned, Self.upright[5].1, 6)
        let file = TestPicture.quarters(160, 96).heif(exif: FileSurgery.exif(orientation: 6))
        try await expect(file, [0, 1, 2, 3], 1)
    }

    @Test(
        "an Exif block that makes no sense turns nothing",
        arguments: [
            [], [0x4D, 0x4D], FileSurgery.exif(orientation: 0), FileSurgery.exif(orientation: 9),
            FileSurgery.exif(orientation: 0x1_0006, isLong: true),
            Array("MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF], Array("MM\0*".utf8) + [0, 0, 0, 8, 0xFF, 0xFF],
        ] as [[UInt8]])
    func nonsense(exif: [UInt8]) async throws {
        let file = TestPicture.quarters(160, 96).jpeg()
        try await expect(FileSurgery.jpeg(file, inserting: FileSurgery.exifSegment(exif)), [0, 1, 2, 3], 1)
    }

    private func expect(_ file: [UInt8], _ places: [Int], _ orientation: Int) async throws {
        let image = try await outcome(of: file).get()
        #expect([image.width, image.height] == (orientation < 5 ? [160, 96] : [96, 160]))
        check(image, places, orientation)
    }

    private func check(_ image: ProcessedImage, _ places: [Int], _ orientation: Int) {
        for part in [image.photo, image.thumbnail] {
            let seen = TestPicture(jpeg: part).quarterColours
            for (colour, place) in zip(seen, places) {
                let expected = TestPicture.colours[place].map(Int.init)
                #expect(
                    distance(colour, expected) < 20, "orientation \(orientation): \(colour) for \(expected)")
            }
        }
    }
}
