/// Writes the boxes `ftyp` and `meta` of a HEIF that consists of selected items only. The old file follows them, so its data
/// need not be copied. libheif 1.15 gives up a whole file for one reference that it does not expect; this one has none, and
/// a single form of each box.
struct HEIFHead {
    private let selection: HEIFSelection
    /// The properties in use, in their new order.
    private var properties: [Int] = []
    private var places: [Int: Int] = [:]

    static func bytes(for selection: HEIFSelection) -> [UInt8] {
        var head = HEIFHead(selection: selection)
        for picture in selection.pictures { head.use(picture.properties) }
        let start = box("ftyp", text("mif1") + number(0, 4) + text("mif1heicavif"))
        let count = start.count + head.meta(fileAt: 0).count + 8
        // The old file is inside a box of its own, so nothing in it is read as a box again.
        let rest = selection.meta.locations.file?.count ?? 0
        return start + head.meta(fileAt: count) + number(rest + 8, 4) + text("mdat")
    }

    private init(selection: HEIFSelection) {
        self.selection = selection
    }

    private mutating func use(_ associations: [HEIFMeta.Association]) {
        for association in associations where places[association.property] == nil {
            properties.append(association.property)
            places[association.property] = properties.count
        }
    }

    private func meta(fileAt start: Int) -> [UInt8] {
        let handler = number(0, 4) + text("pict") + number(0, 4) + number(0, 4) + number(0, 4) + [0]
        let references = self.references
        return full(
            "meta",
            full("hdlr", handler) + full("pitm", number(selection.primary, 2)) + items
                + (references.isEmpty ? [] : full("iref", references))
                + Self.box("iprp", Self.box("ipco", container) + associations) + locations(fileAt: start))
    }

    private var items: [UInt8] {
        var entries: [UInt8] = []
        for (index, picture) in selection.pictures.enumerated() {
            entries += full("infe", number(index + 1, 2) + [0, 0] + text(picture.type) + [0], version: 2)
        }
        return full("iinf", number(selection.pictures.count, 2) + entries)
    }

    private var references: [UInt8] {
        var boxes: [UInt8] = []
        for (index, picture) in selection.pictures.enumerated() {
            func reference(_ type: String, from: Int, to items: [Int]) -> [UInt8] {
                Self.box(type, number(from, 2) + number(items.count, 2) + items.flatMap { number($0, 2) })
            }
            if !picture.parts.isEmpty { boxes += reference("dimg", from: index + 1, to: picture.parts) }
            guard let alpha = picture.alpha else { continue }
            boxes += reference("auxl", from: alpha, to: [index + 1])
            if picture.isPremultiplied { boxes += reference("prem", from: index + 1, to: [alpha]) }
        }
        return boxes
    }

    private var container: [UInt8] {
        var boxes: [UInt8] = []
        for index in properties {
            let property = selection.meta.properties[index]
            boxes += Self.box(property.type, property.body.array)
        }
        return boxes
    }

    private var associations: [UInt8] {
        var entries = number(selection.pictures.count, 4)
        for (index, picture) in selection.pictures.enumerated() {
            let used = picture.properties.prefix(255)
            entries += number(index + 1, 2) + [UInt8(used.count)]
            for association in used {
                entries += number(
                    (places[association.property] ?? 0) | (association.isEssential ? 0x8000 : 0), 2)
            }
        }
        return full("ipma", entries, flags: 1)
    }

    private func locations(fileAt start: Int) -> [UInt8] {
        var entries = [0x44, 0] + number(selection.pictures.count, 2)
        for (index, picture) in selection.pictures.enumerated() {
            entries += number(index + 1, 2) + [0, 0] + number(picture.extents.count, 2)
            for extent in picture.extents {
                entries += number(start + extent.offset, 4) + number(extent.count, 4)
            }
        }
        return full("iloc", entries)
    }

    private func full(_ type: String, _ body: [UInt8], version: UInt8 = 0, flags: UInt8 = 0) -> [UInt8] {
        Self.box(type, [version, 0, 0, flags] + body)
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        number(body.count + 8, 4) + text(type) + body
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func number(_ value: Int, _ count: Int) -> [UInt8] { Self.number(value, count) }
    private func text(_ text: String) -> [UInt8] { Self.text(text) }
}
