/// Looks through the boxes of a HEIF file (ISO/IEC 14496-12, 23008-12) before its decoder does: Debian's has no
/// limits of its own.
enum HEIFStructure {
    /// Throws `.tooLarge` for too many items or tiles, or a picture in it that is too big; `.unreadable` when a
    /// box goes on beyond the file's end.
    static func check(_ bytes: Bytes, limits: WorkerLimits) throws(WorkerFailure) {
        var boxes = Boxes(bytes)
        while let box = try boxes.next() {
            if box.type == "meta", let children = box.body.from(4) { try checkMeta(children, limits: limits) }
        }
    }

    private static func checkMeta(_ bytes: Bytes, limits: WorkerLimits) throws(WorkerFailure) {
        var boxes = Boxes(bytes)
        while let box = try boxes.next() {
            switch box.type {
            case "iinf":
                let items = box.body[0] == 0 ? box.body.uint16(at: 4) : box.body.uint32(at: 4)
                if items ?? 0 > WorkerLimits.maxItems { throw .tooLarge }
            case "iref":
                try checkReferences(box.body)
            case "iprp":
                try checkProperties(box.body, limits: limits)
            default:
                break
            }
        }
    }

    private static func checkReferences(_ body: Bytes) throws(WorkerFailure) {
        guard let children = body.from(4) else { throw .unreadable }
        var boxes = Boxes(children)
        while let box = try boxes.next() {
            let count = box.body.uint16(at: body[0] == 0 ? 2 : 4)
            if count ?? 0 > WorkerLimits.maxItems { throw .tooLarge }
        }
    }

    private static func checkProperties(_ body: Bytes, limits: WorkerLimits) throws(WorkerFailure) {
        var boxes = Boxes(body)
        while let box = try boxes.next() {
            guard box.type == "ipco" else { continue }
            var properties = Boxes(box.body)
            while let property = try properties.next() {
                guard property.type == "ispe" else { continue }
                guard let width = property.body.uint32(at: 4), let height = property.body.uint32(at: 8)
                else { throw .unreadable }
                try limits.check(width: width, height: height)
            }
        }
    }
}

/// The boxes that lie one after the other in some bytes.
private struct Boxes {
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
        guard let header = bytes.part(at: position, count: 8), let short = header.uint32(at: 0) else {
            return nil
        }
        let type = String(decoding: (4..<8).map { header[$0] ?? 0 }, as: UTF8.self)
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
            // Bytes after the last box are no box: only what is one may not be cut short.
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
