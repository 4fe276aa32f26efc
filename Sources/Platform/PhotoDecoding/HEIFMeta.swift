/// The contents of a HEIF's `meta` box (ISO/IEC 14496-12, 8.11; 23008-12, 9): items, their properties, their references and
/// the places of their data. It says nothing about which of them count.
struct HEIFMeta {
    struct Property {
        let type: String
        let body: Bytes
    }

    struct Association {
        /// The property's place in `properties`.
        let property: Int
        let isEssential: Bool
    }

    private(set) var primary: Int?
    /// The types of the items. If several entries have one identifier, the first one counts.
    private(set) var types: [Int: String] = [:]
    private(set) var properties: [Property] = []
    private(set) var associations: [Int: [Association]] = [:]
    /// The items that each derived picture is made of.
    private(set) var parts: [Int: [Int]] = [:]
    /// The auxiliary pictures of each picture.
    private(set) var auxiliaries: [Int: [Int]] = [:]
    /// The pictures whose colours are multiplied with their alpha.
    private(set) var premultiplied: Set<Int> = []
    private(set) var locations = HEIFLocations()

    /// - Throws: `.tooLarge` for too many items, `.unreadable` when a box is damaged.
    init(_ body: Bytes, in file: Bytes) throws(WorkerFailure) {
        guard let children = body.from(4) else { throw .unreadable }
        var boxes = HEIFBoxes(children)
        while let box = try boxes.next() {
            switch box.type {
            case "pitm": primary = box.body.identifier(at: 4, bytes: box.body[0] == 0 ? 2 : 4)
            case "iinf": try readItems(box.body)
            case "iref": try readReferences(box.body)
            case "iprp": try readProperties(box.body)
            case "iloc": try locations.read(box.body)
            case "idat": locations.data = box.body
            default: break
            }
        }
        locations.file = file
    }

    /// Entries of old versions, which no picture has, are left out.
    private mutating func readItems(_ body: Bytes) throws(WorkerFailure) {
        guard let count = body[0] == 0 ? body.uint16(at: 4) : body.uint32(at: 4),
            let entries = body.from(body[0] == 0 ? 6 : 8)
        else { throw .unreadable }
        if count > WorkerLimits.maxItems { throw .tooLarge }
        var boxes = HEIFBoxes(entries)
        while let entry = try boxes.next() {
            guard entry.type == "infe", let version = entry.body[0], version >= 2 else { continue }
            let idBytes = version == 2 ? 2 : 4
            guard let id = entry.body.identifier(at: 4, bytes: idBytes),
                let type = entry.body.type(at: 6 + idBytes)
            else { continue }
            if types[id] == nil { types[id] = type }
            if types.count > WorkerLimits.maxItems { throw .tooLarge }
        }
    }

    private mutating func readReferences(_ body: Bytes) throws(WorkerFailure) {
        guard let children = body.from(4) else { throw .unreadable }
        let idBytes = body[0] == 0 ? 2 : 4
        var boxes = HEIFBoxes(children)
        var references = 0
        while let box = try boxes.next() {
            guard let from = box.body.identifier(at: 0, bytes: idBytes),
                let count = box.body.uint16(at: idBytes)
            else { throw .unreadable }
            references += 1
            if max(count, references) > WorkerLimits.maxItems { throw .tooLarge }
            var to: [Int] = []
            for index in 0..<count {
                let offset = idBytes + 2 + index * idBytes
                guard let item = box.body.identifier(at: offset, bytes: idBytes) else { throw .unreadable }
                to.append(item)
            }
            switch box.type {
            case "dimg" where parts[from] == nil: parts[from] = to
            case "auxl": for item in Set(to) { auxiliaries[item, default: []].append(from) }
            case "prem": premultiplied.insert(from)
            default: break
            }
        }
    }

    private mutating func readProperties(_ body: Bytes) throws(WorkerFailure) {
        var boxes = HEIFBoxes(body)
        while let box = try boxes.next() {
            guard box.type == "ipco" else { continue }
            var children = HEIFBoxes(box.body)
            while let property = try children.next() {
                properties.append(Property(type: property.type, body: property.body))
            }
        }
        boxes = HEIFBoxes(body)
        while let box = try boxes.next() { if box.type == "ipma" { try readAssociations(box.body) } }
    }

    private mutating func readAssociations(_ body: Bytes) throws(WorkerFailure) {
        guard let version = body[0], let flags = body[3], let items = body.uint32(at: 4) else {
            throw .unreadable
        }
        if items > WorkerLimits.maxItems { throw .tooLarge }
        let idBytes = version == 0 ? 2 : 4
        let isWide = flags & 1 == 1
        var position = 8
        for _ in 0..<items {
            guard let item = body.identifier(at: position, bytes: idBytes),
                let count = body[position + idBytes]
            else { throw .unreadable }
            position += idBytes + 1
            for _ in 0..<count {
                guard let entry = isWide ? body.uint16(at: position) : body[position].map(Int.init) else {
                    throw .unreadable
                }
                position += isWide ? 2 : 1
                let essential = isWide ? 0x8000 : 0x80
                let property = (entry & (essential - 1)) - 1
                guard properties.indices.contains(property) else { continue }
                associations[item, default: []].append(
                    Association(property: property, isEssential: entry & essential != 0))
            }
        }
    }
}
