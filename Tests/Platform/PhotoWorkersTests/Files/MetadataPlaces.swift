import CImageFixtures
import Foundation

/// Places in files that may hold metadata of their owner, each with a secret in it.
struct MetadataPlace {
    let name: String
    let file: [UInt8]
    /// Compressed, so that the secret is not visible in the file.
    var isHidden = false

    /// Too unusual to occur by chance.
    static let secret = "K7zQ-gps-52.5163N-13.3777E-Xw9"
    static let bytes = Array(secret.utf8)
    static let picture = TestPicture.quarters(304, 208)

    init(_ name: String, _ file: [UInt8], isHidden: Bool = false) {
        self.name = name
        self.file = file
        self.isHidden = isHidden
    }

    static let made = segments + scans + trailers + chunks + boxes + riff

    static let profile = fixture_profile_with_text(secret).take()
    static let carrier = FileSurgery.jpeg(
        TestPicture.quarters(16, 16).jpeg(), inserting: FileSurgery.segment(0xFE, bytes))
    private static let xmp =
        Array(
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
                .utf8) + bytes + Array("</rdf:RDF></x:xmpmeta>".utf8)
    private static let gainMap =
        Array(
            "<rdf:Description xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0' note='"
                .utf8)
        + bytes + Array("'/>".utf8)

    /// JPEG's segments.
    private static let segments: [MetadataPlace] = {
        let file = picture.jpeg()
        func with(_ marker: UInt8, _ start: String, _ more: [UInt8] = bytes) -> [UInt8] {
            FileSurgery.jpeg(file, inserting: FileSurgery.segment(marker, Array(start.utf8) + more))
        }
        let makerNote = FileSurgery.exif(orientation: 1, tail: Array("Nikon\0\u{2}\u{10}\0\0".utf8) + bytes)
        let places = [
            ("beyond Exif's directories", with(0xE1, "Exif\0\0", makerNote)),
            ("extended XMP", with(0xE1, "http://ns.adobe.com/xmp/extension/\0")),
            ("gain map's XMP", with(0xE1, "http://ns.adobe.com/xap/1.0/\0", gainMap)),
            ("profile's texts", with(0xE2, "ICC_PROFILE\0\u{1}\u{1}", profile)),
            ("profile that is none", with(0xE2, "ICC_PROFILE\0\u{1}\u{1}")),
            ("MPF", with(0xE2, "MPF\0II*\0")), ("FlashPix", with(0xE2, "FPXR\0")),
            ("JFXX thumbnail", with(0xE0, "JFXX\0\u{10}", carrier)),
            ("CIFF", with(0xE0, "II\u{1A}\0\0\0HEAPJPGM")), ("AVI1", with(0xE0, "AVI1")),
            ("FLIR", with(0xE1, "FLIR\0\u{1}\0\0")),
            ("Photoshop's thumbnail", with(0xED, "Photoshop 3.0\08BIM")),
            ("beyond Adobe's marker", with(0xEE, "Adobe\0d\0\0\0\0\u{1}")),
            ("comment", with(0xFE, "")),
            ("unused quantisation table", with(0xDB, "\u{3}", Array((bytes + bytes + bytes).prefix(64)))),
            ("bytes between segments", Array(file[..<20]) + bytes + Array(file[20...])),
        ]
        let private_ = (3...15).filter { $0 != 13 && $0 != 14 }.map {
            ("APP\($0)", with(0xE0 + UInt8($0), "Private\0"))
        }
        return (places + private_).map { MetadataPlace($0, $1) }
    }()

    /// Between JPEG's scans.
    private static let scans: [MetadataPlace] = {
        let progressive = picture.jpeg(progressive: true)
        let restarts = picture.jpeg(restartRows: 1)
        let comment = FileSurgery.segment(0xFE, bytes)
        let last = progressive.indices.dropLast().last {
            progressive[$0] == 0xFF && progressive[$0 + 1] == 0xDA
        }
        let restart = restarts.indices.dropLast().first { restarts[$0] == 0xFF && restarts[$0 + 1] == 0xD0 }
        return [
            MetadataPlace("between scans", inserting(comment, into: progressive, at: last)),
            MetadataPlace("before a restart", inserting(bytes, into: restarts, at: restart)),
            MetadataPlace("comment at the end", Array(restarts.dropLast(2)) + comment + [0xFF, 0xD9]),
        ]
    }()

    /// After the end of the file.
    private static let trailers: [MetadataPlace] = {
        let file = picture.jpeg()
        let archive = Array("PK\u{3}\u{4}\u{14}\0\0\0\0\0".utf8) + [UInt8](repeating: 0, count: 16) + bytes
        let mpf = FileSurgery.segment(
            0xE2,
            Array("MPF\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0xB0, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0])
        return [
            MetadataPlace("after JPEG's end", file + bytes),
            MetadataPlace("second picture after the end", file + carrier),
            MetadataPlace("MPF's second picture", FileSurgery.jpeg(file, inserting: mpf) + carrier),
            MetadataPlace("archive after the end", file + archive),
            MetadataPlace("after PNG's end", picture.png() + bytes),
            MetadataPlace(
                "chunk after PNG's end", picture.png() + FileSurgery.chunk("tEXt", Array("a\0".utf8) + bytes)),
            MetadataPlace("after HEIF", picture.heif() + bytes),
            MetadataPlace("after AVIF", picture.heif(avif: true) + bytes),
            MetadataPlace("after WebP", picture.webp() + bytes),
        ]
    }()

    /// PNG's chunks.
    private static let chunks: [MetadataPlace] = {
        let png = picture.png()
        let deflated = fixture_deflate(bytes, bytes.count).take()
        let end = png.count - 12
        func with(_ type: String, _ start: String, _ more: [UInt8] = bytes) -> [UInt8] {
            FileSurgery.png(png, inserting: FileSurgery.chunk(type, Array(start.utf8) + more))
        }
        let animation = FileSurgery.png(
            png, inserting: FileSurgery.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]))
        return [
            MetadataPlace("tEXt", with("tEXt", "Comment\0")),
            MetadataPlace("zTXt", with("zTXt", "Comment\0\0", deflated), isHidden: true),
            MetadataPlace("iTXt", with("iTXt", "XML:com.adobe.xmp\0\0\0\0\0", xmp)),
            MetadataPlace("compressed iTXt", with("iTXt", "Comment\0\u{1}\0\0\0", deflated), isHidden: true),
            MetadataPlace("eXIf", with("eXIf", "", FileSurgery.exif(orientation: 1, tail: bytes))),
            MetadataPlace(
                "iCCP's name", with("iCCP", "\(secret)\0\0", fixture_deflate(profile, profile.count).take())),
            MetadataPlace(
                "iCCP's texts", FileSurgery.png(png, inserting: FileSurgery.profileChunk(profile)),
                isHidden: true),
            MetadataPlace("sPLT", with("sPLT", "\(secret)\0\u{8}", [1, 2, 3, 4, 0, 9])),
            MetadataPlace(
                "pCAL", with("pCAL", "\(secret)\0", [0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 109, 0, 49, 0, 50])),
            MetadataPlace("suggested palette", with("PLTE", "")),
            MetadataPlace("private chunk", with("prVt", "")),
            MetadataPlace("content credentials", with("caBX", "")),
            MetadataPlace(
                "chunk after the pixels", inserting(FileSurgery.chunk("prVt", bytes), into: png, at: end)),
            MetadataPlace(
                "text after the pixels",
                inserting(FileSurgery.chunk("tEXt", Array("a\0".utf8) + bytes), into: png, at: end)),
            MetadataPlace(
                "second frame",
                inserting(
                    FileSurgery.chunk("fdAT", [0, 0, 0, 1] + bytes), into: animation, at: animation.count - 12
                )),
        ]
    }()

    /// HEIF's boxes and items.
    private static let boxes: [MetadataPlace] = {
        let exif = FileSurgery.exif(orientation: 1, tail: bytes)
        let heic = picture.heif()
        let udes = FileSurgery.box("udes", [0, 0, 0, 0] + Array("en\0".utf8) + bytes + [0, 0, 0])
        return [
            MetadataPlace("HEIF's Exif", picture.heif(exif: exif)),
            MetadataPlace("HEIF's XMP", picture.heif(xmp: xmp)),
            MetadataPlace("HEIF item of an unknown type", picture.heif(item: bytes)),
            MetadataPlace("HEIF's hidden thumbnail", picture.heif(item: bytes, thumbnail: true)),
            MetadataPlace("HEIF's second picture", picture.heif(item: bytes, pictures: 2)),
            MetadataPlace("HEIF's profile", picture.heif(profile: profile)),
            MetadataPlace(
                "HEIF's description property",
                HEIFSurgery.file(heic, inserting: udes, into: "meta", "iprp", "ipco")),
            MetadataPlace(
                "HEIF's item data",
                HEIFSurgery.file(heic, inserting: FileSurgery.box("idat", bytes), into: "meta")),
            MetadataPlace(
                "uuid box in HEIF's meta",
                HEIFSurgery.file(heic, inserting: FileSurgery.box("uuid", bytes), into: "meta")),
            MetadataPlace("uuid box", heic + FileSurgery.box("uuid", bytes)),
            MetadataPlace("free box", heic + FileSurgery.box("free", bytes)),
            MetadataPlace("skip box", heic + FileSurgery.box("skip", bytes)),
            MetadataPlace("AVIF's Exif", picture.heif(avif: true, exif: exif)),
            MetadataPlace("AVIF's XMP", picture.heif(avif: true, xmp: xmp)),
        ]
    }()

    /// WebP's chunks.
    private static let riff: [MetadataPlace] = {
        let image = Array(picture.webp(lossless: true)[12...])
        func with(_ flags: UInt8, before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
            FileSurgery.webp(
                [], flags: flags, width: picture.width, height: picture.height, before + image + after)
        }
        let exif = FileSurgery.exif(orientation: 1, tail: bytes)
        return [
            MetadataPlace("WebP's Exif", with(0x08, after: FileSurgery.riff("EXIF", exif))),
            MetadataPlace("WebP's XMP", with(0x04, after: FileSurgery.riff("XMP ", xmp))),
            MetadataPlace("WebP's profile", with(0x20, before: FileSurgery.riff("ICCP", profile))),
            MetadataPlace("WebP's private chunk", with(0, after: FileSurgery.riff("prVt", bytes))),
        ]
    }()

    private static func inserting(_ bytes: [UInt8], into file: [UInt8], at place: Int?) -> [UInt8] {
        guard let place else { return [] }
        return Array(file[..<place]) + bytes + Array(file[place...])
    }

    /// Tags that ExifTool can write.
    static func written(in folder: String) async throws -> [MetadataPlace] {
        try Data(carrier).write(to: URL(fileURLWithPath: "\(folder)/thumbnail.jpg"))
        let bases = [
            ("jpg", picture.jpeg()), ("png", picture.png()),
            ("heic", picture.heif()), ("avif", picture.heif(avif: true)),
        ]
        var copies: [(copy: String, of: String, tags: [String])] = []
        for (type, file) in bases {
            try Data(file).write(to: URL(fileURLWithPath: "\(folder)/base.\(type)"))
            let tags = type == "jpg" ? everywhere + onlyInJPEG : everywhere
            for (index, arguments) in tags.enumerated() {
                copies.append(("written-\(index).\(type)", "base.\(type)", arguments))
            }
        }
        try await ExifTool.write(copies, in: folder)
        return try copies.map { copy, base, arguments in
            let file = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(copy)"))
            let name = arguments[0].prefix { $0 != "=" && $0 != "<" }
            // In UTF-16.
            return MetadataPlace("\(name) in \(base)", Array(file), isHidden: name.hasPrefix("-Ducky"))
        }
    }

    private static let everywhere: [[String]] = [
        ["-IFD0:ImageDescription=\(secret)"], ["-ExifIFD:UserComment=\(secret)"],
        ["-GPS:GPSAreaInformation=\(secret)", "-GPS:GPSLatitude=52.5163"],
        ["-XMP-dc:Description=\(secret)"],
    ]
    private static let onlyInJPEG: [[String]] = [
        ["-IFD0:Artist=\(secret)"], ["-ExifIFD:LensModel=\(secret)"],
        ["-InteropIFD:InteropIndex#=\(secret)"],
        ["-IFD1:ThumbnailImage<=thumbnail.jpg"],
        ["-XMP-iptcCore:Location=\(secret)"],
        ["-IPTC:Caption-Abstract=\(secret)"], ["-Photoshop:URL=\(secret)"],
        ["-File:Comment=\(secret)"], ["-Ducky:Comment=\(secret)"],
    ]
}
