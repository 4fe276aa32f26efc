/// Reads one number of an Exif block: the orientation in its first directory.
enum ExifOrientation {
    private static let orientationTag = 0x0112
    private static let shortType = 3

    /// 1 to 8, or nil. `exif` begins with the TIFF header.
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
            guard exif.uint16(at: entry + 2, littleEndian: littleEndian) == shortType,
                let value = exif.uint16(at: entry + 8, littleEndian: littleEndian), (1...8).contains(value)
            else { return nil }
            return value
        }
        return nil
    }
}
