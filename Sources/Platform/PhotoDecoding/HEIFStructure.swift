/// Checks the boxes of a HEIF file (ISO/IEC 14496-12, 23008-12) before the decoder reads them, because Debian's libheif
/// has no limits of its own.
struct HEIFStructure {
    private let limits: WorkerLimits
    /// The number of pixels of each size property, in the order of the properties.
    private var propertyPixels: [Int] = []
    private var itemPixels: [Int: Int] = [:]
    /// The bodies of properties that configure an HEVC decoder, by the property's index.
    private var configurations: [Int: Bytes] = [:]
    private var itemConfigurations: [Int: Bytes] = [:]
    /// Quarter turns by the property's index, and their sum for each item.
    private var turns: [Int: Int] = [:]
    private var itemTurns: [Int: Int] = [:]
    /// The properties that crop or mirror, and the items that have one.
    private var reshaping: Set<Int> = []
    private var reshapedItems: Set<Int> = []
    private var items = HEIFItems()
    private var primaryItem: Int?
    /// The parts of each derived picture.
    private var parts: [(of: Int, items: [Int])] = []

    /// - Throws: `.unsupported` for a codec that is switched off or that no accepted format has; `.tooLarge` for too many
    ///   items or tiles, a picture that is too big, or one whose tiles have more than twice the pixel limit together (tiles
    ///   may overlap the edge and share a file); `.unreadable` when a box extends beyond the end of the file, or a picture
    ///   is derived from itself: the decoder would recurse until its stack ends.
    static func check(_ bytes: Bytes, limits: WorkerLimits) throws(WorkerFailure) -> Contents {
        var boxes = HEIFBoxes(bytes)
        var contents: Contents?
        while let box = try boxes.next() {
            guard box.type == "meta", let children = box.body.from(4) else { continue }
            var structure = HEIFStructure(limits: limits)
            try structure.read(children, in: bytes)
            try structure.checkCodecs()
            try structure.checkParts()
            try structure.checkNesting()
            // The decoder alone knows which of several descriptions counts.
            let grid = contents == nil ? structure.primaryGrid : nil
            contents = Contents(colours: contents?.colours ?? structure.primaryColours, grid: grid)
        }
        return contents ?? Contents()
    }

    /// The facts about the primary picture that the decoder does not give.
    struct Contents {
        /// The colours in its bitstream, or in its first tile's.
        var colours: HEVCColours?
        var grid: HEIFGrid?
    }

    private init(limits: WorkerLimits) {
        self.limits = limits
    }

    private mutating func read(_ meta: Bytes, in file: Bytes) throws(WorkerFailure) {
        var boxes = HEIFBoxes(meta)
        while let box = try boxes.next() {
            switch box.type {
            case "iinf":
                let items = box.body[0] == 0 ? box.body.uint16(at: 4) : box.body.uint32(at: 4)
                if items ?? 0 > WorkerLimits.maxItems { throw .tooLarge }
                self.items = try HEIFItems(box.body, in: file)
            case "pitm":
                primaryItem = box.body.identifier(at: 4, bytes: box.body[0] == 0 ? 2 : 4)
            case "iref":
                try readReferences(box.body)
            case "iprp":
                try readProperties(box.body)
            default:
                break
            }
        }
    }

    private mutating func readReferences(_ body: Bytes) throws(WorkerFailure) {
        guard let children = body.from(4) else { throw .unreadable }
        let idBytes = body[0] == 0 ? 2 : 4
        var boxes = HEIFBoxes(children)
        while let box = try boxes.next() {
            guard let count = box.body.uint16(at: idBytes) else { throw .unreadable }
            if count > WorkerLimits.maxItems { throw .tooLarge }
            guard box.type == "dimg" else { continue }
            guard let derived = box.body.identifier(at: 0, bytes: idBytes) else { throw .unreadable }
            var items: [Int] = []
            for index in 0..<count {
                let offset = idBytes + 2 + index * idBytes
                guard let item = box.body.identifier(at: offset, bytes: idBytes) else { throw .unreadable }
                items.append(item)
            }
            parts.append((derived, items))
            if parts.count > WorkerLimits.maxItems { throw .tooLarge }
        }
    }

    private mutating func readProperties(_ body: Bytes) throws(WorkerFailure) {
        var boxes = HEIFBoxes(body)
        while let box = try boxes.next() { if box.type == "ipco" { try readSizes(box.body) } }
        boxes = HEIFBoxes(body)
        while let box = try boxes.next() { if box.type == "ipma" { try readAssociations(box.body) } }
    }

    private mutating func readSizes(_ body: Bytes) throws(WorkerFailure) {
        var properties = HEIFBoxes(body)
        while let property = try properties.next() {
            switch property.type {
            case "hvcC": configurations[propertyPixels.count] = property.body
            case "irot": turns[propertyPixels.count] = Int((property.body[0] ?? 0) & 3)
            case "imir", "clap": reshaping.insert(propertyPixels.count)
            default: break
            }
            guard property.type == "ispe" else {
                propertyPixels.append(0)
                continue
            }
            guard let width = property.body.uint32(at: 4), let height = property.body.uint32(at: 8)
            else { throw .unreadable }
            try limits.check(width: width, height: height)
            propertyPixels.append(width * height)
        }
    }

    private mutating func readAssociations(_ body: Bytes) throws(WorkerFailure) {
        guard let version = body[0], let flags = body[3], let items = body.uint32(at: 4) else {
            throw .unreadable
        }
        if items > WorkerLimits.maxItems { throw .tooLarge }
        let idBytes = version == 0 ? 2 : 4
        var position = 8
        for _ in 0..<items {
            guard let item = body.identifier(at: position, bytes: idBytes),
                let count = body[position + idBytes]
            else { throw .unreadable }
            position += idBytes + 1
            for _ in 0..<count {
                let wide = flags & 1 == 1
                guard let entry = wide ? body.uint16(at: position) : body[position].map(Int.init) else {
                    throw .unreadable
                }
                position += wide ? 2 : 1
                let index = entry & (wide ? 0x7FFF : 0x7F)
                if let turn = turns[index - 1] { itemTurns[item, default: 0] += turn }
                if reshaping.contains(index - 1) { reshapedItems.insert(item) }
                if let configuration = configurations[index - 1] { itemConfigurations[item] = configuration }
                if index > 0, index <= propertyPixels.count, propertyPixels[index - 1] > 0 {
                    itemPixels[item] = propertyPixels[index - 1]
                }
            }
        }
    }

    /// The colours in the primary picture's bitstream. A derived picture has none of its own, so its first part counts.
    private var primaryColours: HEVCColours? {
        var item = primaryItem
        for _ in 0...WorkerLimits.maxDerivations {
            guard let current = item else { return nil }
            if let configuration = itemConfigurations[current] {
                return HEVCColours(configuration: configuration)
            }
            item = parts.first { $0.of == current }?.items.first
        }
        return nil
    }

    /// The tiles of the primary picture; nil unless it is a plain grid of HEVC pictures.
    private var primaryGrid: HEIFGrid? {
        let grids = parts.filter { $0.of == primaryItem }
        guard let primary = primaryItem, items[primary]?.type == "grid", !reshapedItems.contains(primary),
            let tiles = grids.first?.items, grids.count == 1,
            tiles.allSatisfy({ items[$0]?.type == "hvc1" })
        else { return nil }
        return HEIFGrid(tiles: tiles, of: items, quarters: itemTurns[primary] ?? 0)
    }

    /// The decoder goes by the types of the items, whatever brand the file claims.
    private func checkCodecs() throws(WorkerFailure) {
        for type in items.types {
            let isAllowed =
                switch type {
                case "hvc1", "hev1": limits.allows(.heif)
                case "av01": limits.allows(.avif)
                case "jpeg": limits.allows(.jpeg)
                case "vvc1", "evc1", "avc1", "j2k1", "unci": false
                default: true
                }
            if !isAllowed { throw .unsupported }
        }
    }

    private func checkParts() throws(WorkerFailure) {
        for part in parts {
            let pixels = part.items.reduce(0) { $0 + (itemPixels[$1] ?? 0) }
            if pixels > limits.maxPixels * 2 { throw .tooLarge }
        }
    }

    /// Refuses pictures that are derived more than `maxDerivations` levels deep. The deepest real case is a tone-mapped
    /// picture of a grid of tiles; anything deeper is a cycle.
    private func checkNesting() throws(WorkerFailure) {
        var depths: [Int: Int] = [:]
        for _ in 0...WorkerLimits.maxDerivations {
            var changed = false
            for part in parts {
                let depth = 1 + (part.items.map { depths[$0] ?? 0 }.max() ?? 0)
                if depth > depths[part.of] ?? 0 {
                    depths[part.of] = depth
                    changed = true
                }
            }
            if !changed { return }
        }
        throw .unreadable
    }
}
