import Glibc

/// Facts from the markers of a JPEG, found without decoding a pixel and with libjpeg's own rules for skipping.
struct JPEGStructure {
    private(set) var scans = 0
    private(set) var orientation: Int?

    /// - Throws: `.tooLarge` for more than `maxScans` scans, `.unreadable` when the end marker is missing.
    init(of bytes: Bytes, maxScans: Int) throws(WorkerFailure) {
        var position = 2
        while true {
            guard let (marker, body) = Self.nextMarker(in: bytes, from: position) else { throw .unreadable }
            position = body
            if marker == 0xD9 { return }
            if Self.standsAlone(marker) { continue }
            guard let length = bytes.uint16(at: body), length >= 2,
                let segment = bytes.part(at: body + 2, count: length - 2)
            else { throw .unreadable }
            position = body + length
            if marker == 0xDA {
                scans += 1
                if scans > maxScans { throw .tooLarge }
            } else if marker == 0xE1, orientation == nil, segment.starts(with: "Exif\0\0") {
                orientation = segment.from(6).flatMap(ExifOrientation.find)
            }
        }
    }

    private static func standsAlone(_ marker: UInt8) -> Bool {
        (0xD0...0xD8).contains(marker) || marker == 0x01
    }

    /// The next marker and the start of its segment. 0xFF before 0 is a stuffed byte, and 0xFF before 0xFF a fill byte.
    private static func nextMarker(in bytes: Bytes, from position: Int) -> (marker: UInt8, body: Int)? {
        var position = position
        while let rest = bytes.from(position), let start = rest.start, rest.count > 0 {
            guard let found = memchr(start, 0xFF, rest.count) else { return nil }
            position += UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
            while bytes[position] == 0xFF { position += 1 }
            guard let marker = bytes[position] else { return nil }
            position += 1
            if marker != 0 { return (marker, position) }
        }
        return nil
    }
}
