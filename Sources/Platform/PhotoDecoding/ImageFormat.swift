import CImageCodecs
import CProcess

/// The format of a picture according to its first bytes. File names and content types do not count.
package enum ImageFormat {
    case jpeg, png, webp, heif, avif

    init?(of bytes: Bytes) {
        if bytes[0] == 0xFF, bytes[1] == 0xD8, bytes[2] == 0xFF {
            self = .jpeg
        } else if bytes[0] == 0x89, bytes.starts(with: "PNG\r\n\u{1A}\n", at: 1) {
            self = .png
        } else if bytes.starts(with: "RIFF"), bytes.starts(with: "WEBP", at: 8) {
            self = .webp
        } else if bytes.starts(with: "ftyp", at: 4), let size = bytes.uint32(at: 0),
            let format = Self.brands(of: bytes, upTo: min(size, 256))
        {
            self = format
        } else {
            return nil
        }
    }

    /// Whether the file may need a decoder that uses threads: HEIF and AVIF do, and only they are ISO media files.
    package static func mayNeedThreads(_ bytes: Bytes) -> Bool {
        bytes.starts(with: "ftyp", at: 4)
    }

    /// The major brand counts before the compatible brands. `mif1` alone is a HEIF with any codec.
    private static func brands(of bytes: Bytes, upTo end: Int) -> ImageFormat? {
        for offset in [8] + stride(from: 16, to: end, by: 4) {
            for brand: StaticString in ["avif", "avis"] where bytes.starts(with: brand, at: offset) {
                return .avif
            }
            for brand: StaticString in ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
            where bytes.starts(with: brand, at: offset) {
                return .heif
            }
        }
        return nil
    }

    var code: photo_format {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        case .heif: .heif
        case .avif: .avif
        }
    }
}
