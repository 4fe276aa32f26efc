/// Reads the orientation from the first directory of an Exif block.
enum ExifOrientation {
    private static let orientationTag = 0x0112
    /// TIFF 6.0 requires SHORT. Some editors write LONG, and viewers accept it.
    private static let shortType = 3
    private static let longType = 4

    /// The orientation, 1 to 8; nil when there is none. `exif` begins with the TIFF header.
    static func find(_ exif: Bytes) -> Int? {
        let littleEndian: Bool
        if exif.starts(with: "II*\0") {
            littleEndian = true
        } else if exif.starts(with: "MM\0*") {
            littleEndian = false
        } else {
            return nil
        }
        guard let directory = exif.uint32(at: 4, littleEndian: littleEndian),
            let entries = exif.uint16(at: directory, littleEndian: littleEndian)
        else { return nil }
        for index in 0..<entries {
            let entry = directory + 2 + index * 12
            guard let tag = exif.uint16(at: entry, littleEndian: littleEndian) else { return nil }
            guard tag == orientationTag else { continue }
            let value = number(in: exif, at: entry, littleEndian: littleEndian)
            return value.flatMap { (1...8).contains($0) ? $0 : nil }
        }
        return nil
    }

    /// The value of a directory's entry, left-justified in its four bytes (TIFF 6.0, section 2).
    private static func number(in exif: Bytes, at entry: Int, littleEndian: Bool) -> Int? {
        switch exif.uint16(at: entry + 2, littleEndian: littleEndian) {
        case shortType: exif.uint16(at: entry + 8, littleEndian: littleEndian)
        case longType: exif.uint32(at: entry + 8, littleEndian: littleEndian)
        default: nil
        }
    }
}
