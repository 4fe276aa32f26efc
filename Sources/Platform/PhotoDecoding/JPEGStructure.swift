import Glibc

/// Facts from the markers of a JPEG, found without decoding a pixel and with libjpeg's own rules for skipping.
struct JPEGStructure {
    private(set) var scans = 0
    private(set) var orientation: Int?
    /// The number of bytes up to the end marker. Phones and scanners leave the marker out and write other things behind the
    /// picture: where no marker of a picture's can follow, it ends. The decoder must find every scan complete.
    private(set) var count = 0
    private(set) var hasEndMarker = false

    /// - Throws: `.tooLarge` for more than `maxScans` scans, `.unreadable` when no scan begins.
    init(of bytes: Bytes, maxScans: Int) throws(WorkerFailure) {
        var position = 2
        while let marker = Self.nextMarker(in: bytes, from: position) {
            count = marker.start
            position = marker.body
            if marker.code == 0xD9 {
                hasEndMarker = true
                count = position
                return
            }
            if Self.standsAlone(marker.code) {
                if marker.code == 0xD8, scans > 0 { return }
                continue
            }
            guard let length = bytes.uint16(at: position), length >= 2,
                let segment = bytes.part(at: position + 2, count: length - 2),
                scans == 0 || Self.mayFollowScan(marker.code, segment)
            else {
                if scans > 0 { return }
                throw .unreadable
            }
            position += length
            if marker.code == 0xDA {
                scans += 1
                if scans > maxScans { throw .tooLarge }
            } else if marker.code == 0xE1, orientation == nil, segment.starts(with: "Exif\0\0") {
                orientation = segment.from(6).flatMap(ExifOrientation.find)
            }
        }
        if scans == 0 { throw .unreadable }
        count = bytes.count
    }

    private static func standsAlone(_ marker: UInt8) -> Bool {
        (0xD0...0xD8).contains(marker) || marker == 0x01
    }

    /// Whether a segment is one that belongs between scans (ITU-T T.81, B.2), and is not bytes behind the picture that look
    /// like a marker.
    private static func mayFollowScan(_ marker: UInt8, _ segment: Bytes) -> Bool {
        switch marker {
        case 0xDA: segment[0].map { (1...4).contains($0) && segment.count == 4 + 2 * Int($0) } ?? false
        case 0xC4: holdsTables(segment, bytes: codeBytes)
        case 0xDB: holdsTables(segment) { _, _, id in id >> 4 == 0 ? 64 : 128 }
        case 0xDC, 0xDD: segment.count == 2
        case 0xCC, 0xE0...0xEF, 0xFE: true
        default: false
        }
    }

    /// Whether a segment is a row of tables, each with a class of 0 or 1 and a number from 0 to 3.
    private static func holdsTables(_ segment: Bytes, bytes: (Bytes, Int, UInt8) -> Int?) -> Bool {
        var position = 0
        while let id = segment[position] {
            guard id >> 4 <= 1, id & 15 <= 3, let count = bytes(segment, position + 1, id) else {
                return false
            }
            position += 1 + count
        }
        return position == segment.count
    }

    /// The bytes of a table of Huffman codes: 16 counts, and so many values.
    private static func codeBytes(_ segment: Bytes, _ position: Int, _ id: UInt8) -> Int? {
        guard let counts = segment.part(at: position, count: 16) else { return nil }
        let values = (0..<16).reduce(0) { $0 + Int(counts[$1] ?? 0) }
        return values <= 256 ? 16 + values : nil
    }

    private struct Marker {
        let code: UInt8
        let start: Int
        /// The start of its segment.
        let body: Int
    }

    /// 0xFF before 0 is a stuffed byte, and 0xFF before 0xFF a fill byte.
    private static func nextMarker(in bytes: Bytes, from position: Int) -> Marker? {
        var position = position
        while let rest = bytes.from(position), let start = rest.start, rest.count > 0 {
            guard let found = memchr(start, 0xFF, rest.count) else { return nil }
            position += UnsafeRawPointer(found) - UnsafeRawPointer(start)
            let first = position
            while bytes[position] == 0xFF { position += 1 }
            guard let code = bytes[position] else { return nil }
            position += 1
            if code != 0 { return Marker(code: code, start: first, body: position) }
        }
        return nil
    }
}
