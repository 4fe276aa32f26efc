/// The items of a HEIF that its primary picture is made of, with the properties that decide how they look. Everything else
/// that phones write into a HEIF (gain maps, depth, thumbnails, metadata, other pictures) is left out, however it refers to
/// the primary picture.
struct HEIFSelection {
    struct Picture {
        /// `hvc1`, `av01`, `jpeg`, `grid` or `iovl`.
        let type: String
        /// In the order in which a reader applies them.
        let properties: [HEIFMeta.Association]
        let extents: [HEIFLocations.Extent]
        /// The numbers of the pictures that this one is made of.
        let parts: [Int]
        var alpha: Int?
        var isPremultiplied = false
    }

    /// A picture's number is its place here plus 1.
    private(set) var pictures: [Picture] = []
    private(set) var primary = 0
    let meta: HEIFMeta
    private let limits: WorkerLimits
    /// The numbers of the items that were taken as they are.
    private var numbers: [Int: Int] = [:]
    private var sizes: [Int: Int] = [:]

    static let transforms: Set<String> = ["irot", "imir", "clap"]

    /// - Throws: `.unsupported` for a codec that is switched off or that no accepted format has; `.tooLarge` for too many
    ///   items or tiles, a picture that is too big, or one whose tiles have more than twice the pixel limit together (tiles
    ///   may overlap the edge and share a file); `.unreadable` when data are missing, or a picture is derived from itself:
    ///   the decoder would recurse until its stack ends.
    init(of meta: HEIFMeta, limits: WorkerLimits) throws(WorkerFailure) {
        self.meta = meta
        self.limits = limits
        guard let item = meta.primary else { throw .unreadable }
        primary = try add(item, turnedBy: [], depth: 0, mayHaveAlpha: true)
    }

    /// Takes an item and all that it is made of, and gives its number.
    ///
    /// - Parameter turns: the transforms of the items that are derived from this one without change.
    private mutating func add(
        _ item: Int, turnedBy turns: [HEIFMeta.Association], depth: Int, mayHaveAlpha: Bool
    ) throws(WorkerFailure) -> Int {
        if turns.isEmpty, let number = numbers[item] { return number }
        if depth > WorkerLimits.maxDerivations { throw .unreadable }
        guard let type = meta.types[item] else { throw .unreadable }
        let own = (meta.associations[item] ?? []).filter { has($0, Self.transforms) }
        // An identity shows its source, and so does a tone map to whoever shows no high dynamic range.
        if type == "iden" || type == "tmap" {
            guard let source = meta.parts[item]?.first else { throw .unreadable }
            let kept = type == "iden" || !isTurned(source) ? own + turns : turns
            let number = try add(source, turnedBy: kept, depth: depth + 1, mayHaveAlpha: mayHaveAlpha)
            if mayHaveAlpha { try addAlpha(of: item, to: number, turnedBy: turns, depth: depth) }
            return number
        }
        let properties = try needed(of: item) + turns
        let parts = try parts(of: item, type: type, depth: depth)
        if pictures.count == WorkerLimits.maxItems { throw .tooLarge }
        pictures.append(
            Picture(
                type: type == "hev1" ? "hvc1" : type, properties: properties,
                extents: try meta.locations.extents(of: item), parts: parts))
        let number = pictures.count
        if turns.isEmpty { numbers[item] = number }
        if mayHaveAlpha { try addAlpha(of: item, to: number, turnedBy: turns, depth: depth) }
        return number
    }

    private mutating func parts(of item: Int, type: String, depth: Int) throws(WorkerFailure) -> [Int] {
        switch type {
        case "hvc1" where limits.allows(.heif), "hev1" where limits.allows(.heif): return []
        case "av01" where limits.allows(.avif), "jpeg" where limits.allows(.jpeg): return []
        case "grid", "iovl": break
        default: throw .unsupported
        }
        guard let items = meta.parts[item], !items.isEmpty else { throw .unreadable }
        var parts: [Int] = []
        var pixels = 0
        for part in items {
            pixels += try self.pixels(of: part)
            if pixels > limits.maxPixels * 2 { throw .tooLarge }
        }
        for part in items {
            parts.append(try add(part, turnedBy: [], depth: depth + 1, mayHaveAlpha: type == "iovl"))
        }
        return parts
    }

    /// Takes the item that holds a picture's alpha. One of an unknown codec costs the picture its alpha only.
    private mutating func addAlpha(
        of item: Int, to number: Int, turnedBy turns: [HEIFMeta.Association], depth: Int
    ) throws(WorkerFailure) {
        guard pictures[number - 1].alpha == nil,
            let source = meta.auxiliaries[item]?.first(where: isAlpha)
        else { return }
        do {
            let alpha = try add(source, turnedBy: turns, depth: depth + 1, mayHaveAlpha: false)
            if alpha == number { return }
            pictures[number - 1].alpha = alpha
            pictures[number - 1].isPremultiplied = meta.premultiplied.contains(item)
        } catch .unsupported {}
    }

    /// The properties that say how an item is coded, what its values mean and how it is turned. Some encoders write the size
    /// before the transforms, others the size after them behind them, so the file's order stays. Refuses a size above the
    /// limits.
    private mutating func needed(of item: Int) throws(WorkerFailure) -> [HEIFMeta.Association] {
        var found: [HEIFMeta.Association] = []
        for association in meta.associations[item] ?? [] {
            let property = meta.properties[association.property]
            switch property.type {
            case "ispe": _ = try pixels(of: item)
            case "hvcC", "av1C", "jpgC", "auxC", "irot", "imir", "clap": break
            case "colr":
                let isKnown = ["nclx", "rICC", "prof"].contains(property.body.type(at: 0))
                guard isKnown, property.body.count >= 11 else { continue }
            default: continue
            }
            found.append(association)
        }
        return found
    }

    private mutating func pixels(of item: Int) throws(WorkerFailure) -> Int {
        if let pixels = sizes[item] { return pixels }
        var pixels = 0
        for association in meta.associations[item] ?? [] where has(association, ["ispe"]) {
            let body = meta.properties[association.property].body
            guard let width = body.uint32(at: 4), let height = body.uint32(at: 8) else { throw .unreadable }
            try limits.check(width: width, height: height)
            pixels = width * height
        }
        sizes[item] = pixels
        return pixels
    }

    private func isAlpha(_ item: Int) -> Bool {
        (meta.associations[item] ?? []).contains { association in
            let property = meta.properties[association.property]
            guard property.type == "auxC" else { return false }
            return property.body.starts(with: "urn:mpeg:hevc:2015:auxid:1\0", at: 4)
                || property.body.starts(with: "urn:mpeg:avc:2015:auxid:1\0", at: 4)
                || property.body.starts(with: "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", at: 4)
        }
    }

    private func isTurned(_ item: Int) -> Bool {
        (meta.associations[item] ?? []).contains { has($0, Self.transforms) }
    }

    private func has(_ association: HEIFMeta.Association, _ types: Set<String>) -> Bool {
        types.contains(meta.properties[association.property].type)
    }
}
