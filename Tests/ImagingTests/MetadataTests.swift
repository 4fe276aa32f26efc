import NIOCore
import Testing

@testable import Imaging

@Suite("Nothing is carried over")
struct MetadataTests {
    /// Found nowhere by chance.
    static let secret = "K7zQ-gps-52.5163N-13.3777E-Xw9"
    static let bytes = Array(secret.utf8)

    static func jpegs() -> [(String, [UInt8])] {
        let file = TestPicture.quarters(300, 200).jpeg()
        func with(_ marker: UInt8, _ start: String) -> [UInt8] {
            FileSurgery.jpeg(file, inserting: FileSurgery.segment(marker, Array(start.utf8) + bytes))
        }
        let thumbnail = TestPicture.quarters(16, 16).jpeg()
        return [
            (
                "Exif",
                FileSurgery.jpeg(
                    file,
                    inserting: FileSurgery.exifSegment(
                        FileSurgery.exif(orientation: 1, tail: bytes + thumbnail)))
            ),
            ("XMP", with(0xE1, "http://ns.adobe.com/xap/1.0/\0")),
            ("extended XMP", with(0xE1, "http://ns.adobe.com/xmp/extension/\0")),
            ("IPTC", with(0xED, "Photoshop 3.0\08BIM")),
            ("profile", with(0xE2, "ICC_PROFILE\0\u{1}\u{1}")),
            ("MPF", with(0xE2, "MPF\0")),
            ("JFXX", with(0xE0, "JFXX\0\u{10}")),
            ("comment", with(0xFE, "")),
            ("private", with(0xEF, "private")),
            ("after the end", file + bytes),
            (
                "second picture after the end",
                file
                    + FileSurgery.jpeg(
                        thumbnail, inserting: FileSurgery.segment(0xFE, bytes))
            ),
        ]
    }

    static func others() -> [(String, [UInt8])] {
        let picture = TestPicture.quarters(300, 200)
        let png = picture.png()
        let webp = picture.webp(lossless: true)
        func with(_ type: String, _ start: String) -> [UInt8] {
            FileSurgery.png(png, inserting: FileSurgery.chunk(type, Array(start.utf8) + bytes))
        }
        return [
            ("tEXt", with("tEXt", "Comment\0")),
            ("iTXt", with("iTXt", "XML:com.adobe.xmp\0\0\0\0\0")),
            (
                "eXIf",
                FileSurgery.png(
                    png, inserting: FileSurgery.chunk("eXIf", FileSurgery.exif(orientation: 1, tail: bytes)))
            ),
            ("unknown chunk", with("prVt", "")),
            ("after PNG's end", png + bytes),
            (
                "WebP Exif and XMP",
                FileSurgery.webp(
                    webp, flags: 0x0C, width: 300, height: 200,
                    Array(webp[12...])
                        + FileSurgery.riff("EXIF", FileSurgery.exif(orientation: 1, tail: bytes))
                        + FileSurgery.riff("XMP ", bytes))
            ),
            ("HEIF Exif", picture.heif(exif: FileSurgery.exif(orientation: 1, tail: bytes))),
            ("box after HEIF", picture.heif() + FileSurgery.box("uuid", bytes)),
            ("after HEIF", picture.heif() + bytes),
        ]
    }

    @Test("no byte of an original's metadata is in what is stored", arguments: jpegs() + others())
    func isGone(place: String, file: [UInt8]) async throws {
        #expect(FileSurgery.find(Self.secret, in: file) != nil)
        let image = try await outcome(of: file).get()
        for part in [image.photo, image.thumbnail] {
            let stored = Array(part.readableBytesView)
            #expect(FileSurgery.find(Self.secret, in: stored) == nil)
            #expect(FileSurgery.find("K7zQ", in: stored) == nil)
            #expect(markers(of: stored) == [0xE0, 0xDB, 0xC0, 0xC4, 0xDA])
        }
    }

    /// The distinct markers before the pixels, in order of appearance.
    private func markers(of file: [UInt8]) -> [UInt8] {
        var found: [UInt8] = []
        var position = 2
        while position + 4 < file.count, file[position] == 0xFF, found.last != 0xDA {
            if !found.contains(file[position + 1]) { found.append(file[position + 1]) }
            position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
        }
        return found
    }
}
