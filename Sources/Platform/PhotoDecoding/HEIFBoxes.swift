/// A sequence of boxes in some bytes (ISO/IEC 14496-12).
struct HEIFBoxes {
    struct Box {
        let type: String
        let body: Bytes
    }

    private let bytes: Bytes
    private var position = 0

    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    mutating func next() throws(WorkerFailure) -> Box? {
        guard let short = bytes.uint32(at: position), let type = bytes.type(at: position + 4) else {
            return nil
        }
        var size = short
        var headerCount = 8
        if short == 1 {
            guard let high = bytes.uint32(at: position + 8), let low = bytes.uint32(at: position + 12),
                high < 0x7FFF_FFFF
            else { throw .unreadable }
            size = high << 32 | low
            headerCount = 16
        } else if short == 0 {
            size = bytes.count - position
        }
        guard size >= headerCount,
            let body = bytes.part(at: position + headerCount, count: size - headerCount)
        else {
            // Trailing bytes may look like a truncated box. Only a truncated box of a known type is an error.
            if Self.known.contains(type) { throw .unreadable }
            return nil
        }
        position += size
        return Box(type: type, body: body)
    }

    private static let known: Set<String> = [
        "ftyp", "meta", "mdat", "idat", "moov", "free", "skip", "iinf", "iloc", "iprp", "ipco", "iref",
        "ispe",
    ]
}

extension Bytes {
    func identifier(at offset: Int, bytes: Int) -> Int? {
        bytes == 2 ? uint16(at: offset) : uint32(at: offset)
    }

    /// A box's or an item's type.
    func type(at offset: Int) -> String? {
        part(at: offset, count: 4).map { part in
            String(decoding: (0..<4).map { part[$0] ?? 0 }, as: UTF8.self)
        }
    }
}
