/// Builds HEIFs from items, properties and references in every form that the standard allows (ISO/IEC 14496-12, 23008-12).
struct HEIFBuilder {
    struct Item {
        var id: Int
        var type: String
        var data: [UInt8]
        /// The numbers of its properties, from 1.
        var properties: [Int]
    }

    var major = "heic"
    /// Whole boxes.
    var properties: [[UInt8]]
    var items: [Item]
    var primary = 1
    var references: [(type: String, from: Int, to: [Int])] = []
    /// Whole boxes at the end of `meta`, and behind it.
    var more: [UInt8] = []
    var behind: [UInt8] = []
    /// Whether every number has its largest size.
    var isWide = false
    /// Whether the data are in the box `idat`.
    var isInside = false
    var constructionMethod: Int?
    /// Whether each item's data are in two parts.
    var isSplit = false

    /// A HEIF of one coded picture, with item 1 and the properties 1 (configuration) and 2 (size).
    init(_ picture: TestPicture, avif: Bool = false) {
        let coded = picture.heif(avif: avif)
        properties = [HEIFSurgery.box(avif ? "av1C" : "hvcC", in: coded), HEIFSurgery.box("ispe", in: coded)]
        let data = Array(HEIFSurgery.box("mdat", in: coded).dropFirst(8))
        items = [Item(id: 1, type: avif ? "av01" : "hvc1", data: data, properties: [1, 2])]
        if avif { major = "avif" }
    }

    mutating func add(_ type: String, _ data: [UInt8] = [], properties: [Int] = []) -> Int {
        items.append(Item(id: items.count + 1, type: type, data: data, properties: properties))
        return items.count
    }

    mutating func add(property: [UInt8]) -> Int {
        properties.append(property)
        return properties.count
    }

    static func full(_ type: String, _ body: [UInt8], version: UInt8 = 0, flags: UInt8 = 0) -> [UInt8] {
        FileSurgery.box(type, [version, 0, 0, flags] + body)
    }

    func file() -> [UInt8] {
        let start = FileSurgery.box("ftyp", Array("\(major)\0\0\0\0mif1\(major)".utf8))
        let data = items.flatMap(\.data)
        let offset = isInside ? 0 : start.count + meta(dataAt: 0).count + 8
        return start + meta(dataAt: offset) + (isInside ? [] : FileSurgery.box("mdat", data)) + behind
    }

    private var idBytes: Int { isWide ? 4 : 2 }

    private func id(_ id: Int) -> [UInt8] { FileSurgery.bigEndian(id, idBytes) }

    private func meta(dataAt offset: Int) -> [UInt8] {
        let handler = [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
        let entries = items.flatMap {
            Self.full("infe", id($0.id) + [0, 0] + Array($0.type.utf8) + [0], version: isWide ? 3 : 2)
        }
        let links = references.flatMap { reference in
            FileSurgery.box(
                reference.type,
                id(reference.from) + FileSurgery.bigEndian(reference.to.count, 2) + reference.to.flatMap(id))
        }
        let associations = items.flatMap { item -> [UInt8] in
            id(item.id) + [UInt8(item.properties.count)]
                + item.properties.flatMap { isWide ? [0x80, UInt8($0)] : [UInt8($0) | 0x80] }
        }
        return Self.full(
            "meta",
            Self.full("hdlr", handler) + Self.full("pitm", id(primary), version: isWide ? 1 : 0)
                + Self.full(
                    "iinf", FileSurgery.bigEndian(items.count, idBytes) + entries, version: isWide ? 1 : 0)
                + Self.full("iref", links, version: isWide ? 1 : 0)
                + FileSurgery.box(
                    "iprp",
                    FileSurgery.box("ipco", properties.flatMap { $0 })
                        + Self.full(
                            "ipma", FileSurgery.bigEndian(items.count, 4) + associations,
                            version: isWide ? 1 : 0, flags: isWide ? 1 : 0))
                + locations(dataAt: offset) + (isInside ? FileSurgery.box("idat", items.flatMap(\.data)) : [])
                + more)
    }

    private func locations(dataAt start: Int) -> [UInt8] {
        let bytes = isWide ? 8 : 4
        var place = start
        var entries: [UInt8] = []
        for item in items {
            let method = constructionMethod ?? (isInside ? 1 : 0)
            let middle = isSplit ? item.data.count / 2 : item.data.count
            let parts = [(place, middle)] + (isSplit ? [(place + middle, item.data.count - middle)] : [])
            entries +=
                id(item.id) + [0, UInt8(method), 0, 0] + (isWide ? FileSurgery.bigEndian(0, bytes) : [])
            entries += FileSurgery.bigEndian(parts.count, 2)
            for (offset, count) in parts {
                entries += isWide ? FileSurgery.bigEndian(1, bytes) : []
                entries += FileSurgery.bigEndian(offset, bytes) + FileSurgery.bigEndian(count, bytes)
            }
            place += item.data.count
        }
        let sizes: [UInt8] = isWide ? [0x88, 0x88] : [0x44, 0]
        return Self.full(
            "iloc", sizes + FileSurgery.bigEndian(items.count, idBytes) + entries, version: isWide ? 2 : 1)
    }
}
