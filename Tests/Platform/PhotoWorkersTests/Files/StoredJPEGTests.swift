import NIOCore
import Testing

@testable import PhotoWorkers

/// Guard: a worker's answer is validated: sizes, dimensions, markers (`WorkerAnswer`, `StoredJPEG`)
@Suite("The remains of a worker")
struct StoredJPEGTests {
    static let sound = TestPicture.quarters(64, 48).jpeg()

    static func unsound() -> [(String, [UInt8])] {
        [
            ("empty", []), ("no JPEG", Array("not a picture at all".utf8)),
            ("cut off", Array(sound.dropLast(2))), ("more after the end", sound + [0]),
            ("a second end", sound + [0xFF, 0xD9]),
            (
                "Exif",
                FileSurgery.jpeg(sound, inserting: FileSurgery.exifSegment(FileSurgery.exif(orientation: 1)))
            ),
            ("a comment", insertingAfterHeader(FileSurgery.segment(0xFE, [1, 2, 3]))),
            ("a profile", insertingAfterHeader(FileSurgery.profileSegment([1, 2, 3]))),
            ("a second header", insertingAfterHeader(Array(sound[2..<20]))),
            ("another size", FileSurgery.jpeg(sound, claiming: 64, 49)),
            ("progressive", TestPicture.quarters(64, 48).jpeg(progressive: true)),
            ("full chroma", TestPicture.quarters(64, 48).jpeg(subsampling: 1)),
            ("grey", TestPicture.quarters(64, 48).jpeg(channels: 1)),
            ("restarts", TestPicture.quarters(64, 48).jpeg(restartRows: 1)),
            ("a header with density", changing(0xE0) { $0[9] = 72 }),
            ("a header with a thumbnail's size", changing(0xE0) { $0[12] = 1 }),
            ("a divisor of nothing", changing(0xDB) { $0[5] = 0 }),
            ("a table that nothing uses", changing(0xDB) { $0[0] = 2 }),
            ("a table of sixteen bits", changing(0xDB) { $0[0] = 0x10 }),
            ("a table twice", insertingAfterHeader(segment(0xDB))),
            ("half a table", changing(0xDB) { $0.removeLast() }),
            ("a fourth component", changing(0xC0) { $0[5] = 4 }),
            ("twelve bits", changing(0xC0) { $0[0] = 12 }),
            ("components of one name", changing(0xC0) { $0[9] = 1 }),
            ("a component with a table that is not there", changing(0xC0) { $0[8] = 3 }),
            ("codes with something behind them", changing(0xC4) { $0.append(7) }),
            ("codes of which some are missing", changing(0xC4) { $0.removeLast() }),
            (
                "more codes than there can be",
                changing(0xC4) {
                    $0[1] += 3
                    $0 += [0, 1, 2]
                }
            ),
            (
                "codes that leave none free",
                changing(0xC4) { $0 = [0, 2] + [UInt8](repeating: 0, count: 15) + [0, 1] }
            ),
            ("codes that nothing uses", changing(0xC4) { $0[0] = 3 }),
            ("a code for what cannot be", changing(0xC4) { $0[17] = 12 }),
            ("a scan of one component", changing(0xDA) { $0 = [1, 1, 0, 0, 63, 0] }),
            ("a scan by other codes", changing(0xDA) { $0[2] = 0x11 }),
            ("a scan of some coefficients", changing(0xDA) { $0[8] = 5 }),
        ]
    }

    /// The body of the first segment of a kind.
    private static func body(_ marker: UInt8) -> Range<Int> {
        var position = 2
        while sound[position + 1] != marker {
            position += 2 + Int(sound[position + 2]) << 8 + Int(sound[position + 3])
        }
        return position + 4..<position + 2 + Int(sound[position + 2]) << 8 + Int(sound[position + 3])
    }

    private static func segment(_ marker: UInt8) -> [UInt8] {
        Array(sound[body(marker).lowerBound - 4..<body(marker).upperBound])
    }

    /// Replaces the body, and its length, of the first segment of a kind.
    private static func changing(_ marker: UInt8, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        let old = body(marker)
        var new = Array(sound[old])
        change(&new)
        return Array(sound[..<(old.lowerBound - 4)]) + FileSurgery.segment(marker, new)
            + Array(sound[old.upperBound...])
    }

    @Test("a file of the one stored kind is believed")
    func isSound() {
        #expect(StoredJPEG.isSound(ByteBuffer(bytes: Self.sound), width: 64, height: 48))
        #expect(!StoredJPEG.isSound(ByteBuffer(bytes: Self.sound), width: 48, height: 64))
    }

    @Test("anything else is not", arguments: NamedFile.list(unsound()))
    func isUnsound(named: NamedFile) {
        let (name, file) = (named.name, named.bytes)
        #expect(!StoredJPEG.isSound(ByteBuffer(bytes: file), width: 64, height: 48), "\(name)")
    }

    private static func insertingAfterHeader(_ segment: [UInt8]) -> [UInt8] {
        Array(sound[..<20]) + segment + Array(sound[20...])
    }
}
