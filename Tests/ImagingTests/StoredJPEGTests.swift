import NIOCore
import Testing

@testable import Imaging

@Suite("What a worker leaves")
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
        ]
    }

    @Test("a file of the one stored kind is believed")
    func isSound() {
        #expect(StoredJPEG.isSound(ByteBuffer(bytes: Self.sound), width: 64, height: 48))
        #expect(!StoredJPEG.isSound(ByteBuffer(bytes: Self.sound), width: 48, height: 64))
    }

    @Test("anything else is not", arguments: unsound())
    func isUnsound(name: String, file: [UInt8]) {
        #expect(!StoredJPEG.isSound(ByteBuffer(bytes: file), width: 64, height: 48), "\(name)")
    }

    private static func insertingAfterHeader(_ segment: [UInt8]) -> [UInt8] {
        Array(sound[..<20]) + segment + Array(sound[20...])
    }
}
