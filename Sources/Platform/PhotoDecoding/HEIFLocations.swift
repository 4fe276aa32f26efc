/// The places of the items' data (ISO/IEC 14496-12, 8.11.3).
struct HEIFLocations {
    /// A part of the file.
    struct Extent {
        let offset: Int
        let count: Int
    }

    /// Where an item's entry stands in the box, and how it is to be read.
    private struct Entry {
        let method: Int
        let isElsewhere: Bool
        let base: Int
        let position: Int
        let count: Int
    }

    /// The body of the box `idat`, to which places may refer.
    var data: Bytes?
    var file: Bytes?
    private var body: Bytes?
    private var entries: [Int: Entry] = [:]
    private var indexBytes = 0
    private var offsetBytes = 0
    private var lengthBytes = 0

    mutating func read(_ body: Bytes) throws(WorkerFailure) {
        guard let version = body[0], let sizes = body.uint16(at: 4),
            let count = body.identifier(at: 6, bytes: version < 2 ? 2 : 4)
        else { throw .unreadable }
        if count > WorkerLimits.maxItems { throw .tooLarge }
        self.body = body
        (offsetBytes, lengthBytes) = (sizes >> 12, sizes >> 8 & 15)
        let baseBytes = sizes >> 4 & 15
        indexBytes = version > 0 ? sizes & 15 : 0
        let idBytes = version < 2 ? 2 : 4
        var position = 6 + idBytes
        for _ in 0..<count {
            guard let id = body.identifier(at: position, bytes: idBytes) else { throw .unreadable }
            position += idBytes
            var method = 0
            if version > 0 {
                guard let number = body.uint16(at: position) else { throw .unreadable }
                method = number & 15
                position += 2
            }
            guard let source = body.uint16(at: position),
                let base = body.number(at: position + 2, bytes: baseBytes),
                let extents = body.uint16(at: position + 2 + baseBytes)
            else { throw .unreadable }
            position += 4 + baseBytes
            entries[id] = Entry(
                method: method, isElsewhere: source != 0, base: base, position: position, count: extents)
            position += extents * (indexBytes + offsetBytes + lengthBytes)
        }
    }

    /// The parts of the file that an item's data consist of.
    ///
    /// - Throws: `.unreadable` when one is not completely in the file; `.unsupported` when the data are in another file or
    ///   another item.
    func extents(of item: Int) throws(WorkerFailure) -> [Extent] {
        guard let entry = entries[item], let body, let file else { throw .unreadable }
        if entry.isElsewhere || entry.method > 1 { throw .unsupported }
        guard let source = entry.method == 0 ? file : data, let start = source.offset(in: file),
            entry.count <= WorkerLimits.maxExtents
        else { throw .unreadable }
        var extents: [Extent] = []
        for index in 0..<entry.count {
            let position = entry.position + index * (indexBytes + offsetBytes + lengthBytes) + indexBytes
            guard let offset = body.number(at: position, bytes: offsetBytes),
                let length = body.number(at: position + offsetBytes, bytes: lengthBytes),
                let part = source.from(entry.base + offset)
            else { throw .unreadable }
            // A length of 0 means all that is left.
            guard length <= part.count else { throw .unreadable }
            extents.append(
                Extent(offset: start + entry.base + offset, count: length == 0 ? part.count : length))
        }
        return extents
    }
}

extension Bytes {
    /// A number of 0, 4 or 8 bytes; nil when it is not inside, has another size or is too large for any place in a file.
    func number(at offset: Int, bytes: Int) -> Int? {
        switch bytes {
        case 0: return 0
        case 4: return uint32(at: offset)
        case 8:
            guard let high = uint32(at: offset), let low = uint32(at: offset + 4), high < 1 << 20 else {
                return nil
            }
            return high << 32 | low
        default: return nil
        }
    }
}
