/// Inserts boxes into HEIF files.
enum HEIFSurgery {
    /// A HEIF with a box added at the end of `meta` or of a box inside it.
    static func file(_ file: [UInt8], inserting box: [UInt8], into parents: String...) -> [UInt8] {
        var file = file
        guard let innermost = parents.last.flatMap({ FileSurgery.find($0, in: file) }) else { return [] }
        let end = innermost - 4 + number(in: file, at: innermost - 4, 4)
        shiftItems(in: &file, from: end, by: box.count)
        for parent in parents {
            guard let start = FileSurgery.find(parent, in: file) else { return [] }
            let size = number(in: file, at: start - 4, 4) + box.count
            file.replaceSubrange(start - 4..<start, with: FileSurgery.bigEndian(size, 4))
        }
        file.insert(contentsOf: box, at: end)
        return file
    }

    /// Adjusts the item locations (ISO/IEC 14496-12, section 8.11.3) that point beyond a position.
    private static func shiftItems(in file: inout [UInt8], from place: Int, by count: Int) {
        guard let type = FileSurgery.find("iloc", in: file) else { return }
        let version = Int(file[type + 4])
        let offsetSize = Int(file[type + 8] >> 4)
        let lengthSize = Int(file[type + 8] & 15)
        let baseSize = Int(file[type + 9] >> 4)
        let indexSize = version > 0 ? Int(file[type + 9] & 15) : 0
        let idSize = version < 2 ? 2 : 4
        var position = type + 10 + idSize
        for _ in 0..<number(in: file, at: type + 10, idSize) {
            position += idSize + (version > 0 ? 2 : 0) + 2
            let base = number(in: file, at: position, baseSize)
            position += baseSize
            let extents = number(in: file, at: position, 2)
            position += 2
            for _ in 0..<extents {
                position += indexSize
                let offset = number(in: file, at: position, offsetSize)
                if base + offset >= place {
                    let moved = FileSurgery.bigEndian(offset + count, offsetSize)
                    file.replaceSubrange(position..<position + offsetSize, with: moved)
                }
                position += offsetSize + lengthSize
            }
        }
    }

    static func number(in file: [UInt8], at position: Int, _ count: Int) -> Int {
        file[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The types of its properties, in order.
    static func properties(of file: [UInt8]) -> [String] {
        guard let type = FileSurgery.find("ipco", in: file) else { return [] }
        let end = type - 4 + number(in: file, at: type - 4, 4)
        var position = type + 4
        var found: [String] = []
        while position + 8 <= end {
            found.append(String(decoding: file[position + 4..<position + 8], as: UTF8.self))
            position += max(8, number(in: file, at: position, 4))
        }
        return found
    }

    /// The first box of a type, whole.
    static func box(_ type: String, in file: [UInt8]) -> [UInt8] {
        guard let start = FileSurgery.find(type, in: file) else { return [] }
        return Array(file[start - 4..<start - 4 + number(in: file, at: start - 4, 4)])
    }

    /// A HEIF whose picture is a grid (ISO/IEC 23008-12, 6.6.2.3) of coded tiles of one size and configuration, in turn.
    ///
    /// - Parameters:
    ///   - cut: the rightmost columns and lowest rows of pixels that do not belong to the picture.
    ///   - hidden: whether the tiles are hidden items, as phones write them.
    ///   - quarters: the anticlockwise quarter turns that make the picture upright.
    static func grid(
        of coded: [[UInt8]], side: Int, columns: Int, rows: Int, avif: Bool = false, cut: Int = 0,
        hidden: Bool = true, quarters: UInt8? = nil
    ) -> [UInt8] {
        func big(_ value: Int, _ count: Int) -> [UInt8] { FileSurgery.bigEndian(value, count) }
        func full(_ type: String, _ body: [UInt8], version: UInt8 = 0) -> [UInt8] {
            FileSurgery.box(type, [version, 0, 0, 0] + body)
        }
        func size(_ width: Int, _ height: Int) -> [UInt8] { full("ispe", big(width, 4) + big(height, 4)) }
        let count = columns * rows
        let media = coded.map { Array(box("mdat", in: $0).dropFirst(8)) }
        let entries = (1...count + 1).flatMap { id -> [UInt8] in
            let type = id > count ? "grid" : avif ? "av01" : "hvc1"
            let flags: UInt8 = hidden && id <= count ? 1 : 0
            return FileSurgery.box(
                "infe", [2, 0, 0, flags] + big(id, 2) + [0, 0] + Array(type.utf8) + [0])
        }
        let shape =
            [0, 1, UInt8(rows - 1), UInt8(columns - 1)] + big(columns * side - cut, 4)
            + big(rows * side - cut, 4)
        let tiles = big(count + 1, 2) + big(count, 2) + (1...count).flatMap { id -> [UInt8] in big(id, 2) }
        let properties = FileSurgery.box(
            "ipco",
            box(avif ? "av1C" : "hvcC", in: coded[0]) + size(side, side)
                + size(columns * side - cut, rows * side - cut)
                + (quarters.map { FileSurgery.box("irot", [$0]) } ?? []))
        let own: [UInt8] = quarters == nil ? [1, 3] : [2, 3, 0x84]
        let associations = (1...count + 1).flatMap { id -> [UInt8] in
            big(id, 2) + (id > count ? own : [2, 0x81, 2])
        }
        func meta(codedAt offset: Int) -> [UInt8] {
            let starts = media.indices.map { offset + media[..<$0].reduce(0) { $0 + $1.count } }
            let places = (1...count + 1).flatMap { id -> [UInt8] in
                let part = (id - 1) % media.count
                return big(id, 2) + big(id > count ? 1 : 0, 2) + [0, 0, 0, 1]
                    + big(id > count ? 0 : starts[part], 4)
                    + big(id > count ? shape.count : media[part].count, 4)
            }
            return full(
                "meta",
                full("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                    + full("pitm", big(count + 1, 2)) + full("iinf", big(count + 1, 2) + entries)
                    + full("iref", FileSurgery.box("dimg", tiles))
                    + FileSurgery.box(
                        "iprp", properties + full("ipma", big(count + 1, 4) + associations))
                    + full("iloc", [0x44, 0] + big(count + 1, 2) + places, version: 1)
                    + FileSurgery.box("idat", shape))
        }
        let start = FileSurgery.box(
            "ftyp", Array("\(avif ? "avif" : "heic")\0\0\0\0mif1\(avif ? "avif" : "heic")".utf8))
        let offset = start.count + meta(codedAt: 0).count + 8
        return start + meta(codedAt: offset) + FileSurgery.box("mdat", media.flatMap { $0 })
    }
}
