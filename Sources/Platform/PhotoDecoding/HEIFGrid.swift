import CImageCodecs

/// The tiles of a HEIF's primary picture, as phones write it: HEVC pictures in a grid, which may be turned by quarters.
struct HEIFGrid {
    let tiles: [UInt32]
    /// The places in the file of the flags that hide the tiles.
    let flags: [Int]
    /// The Exif orientation (TIFF 6.0).
    let orientation: Int

    /// - Parameter quarters: the anticlockwise quarter turns that make the picture upright.
    init(tiles: [Int], of items: HEIFItems, quarters: Int) {
        self.tiles = tiles.map { UInt32($0) }
        flags = Set(tiles.compactMap { items[$0]?.flags }).sorted()
        orientation = [1, 8, 3, 6][quarters % 4]
    }

    /// Calls `body` with the tiles for the codec, which must copy them.
    func withCodecGrid<Result>(_ body: (UnsafePointer<heif_grid>) -> Result) -> Result {
        tiles.withUnsafeBufferPointer { tiles in
            flags.withUnsafeBufferPointer { flags in
                var grid = heif_grid()
                grid.items = tiles.baseAddress
                grid.count = tiles.count
                grid.flags = flags.baseAddress
                grid.flag_count = flags.count
                grid.orientation = Int32(orientation)
                return body(&grid)
            }
        }
    }
}

/// The items of a HEIF: their types, and the places of their flags.
struct HEIFItems {
    struct Item {
        let type: String
        /// The place in the file of the byte whose lowest bit hides the item.
        let flags: Int
    }

    private var items: [Int: Item] = [:]
    /// The types of all entries. If several entries have one identifier, the decoder may choose another one than `subscript`.
    private(set) var types: Set<String> = []

    init() {}

    /// Reads an `iinf` box. Entries of old versions, which no picture has, are left out.
    init(_ body: Bytes, in file: Bytes) throws(WorkerFailure) {
        guard let entries = body.from(body[0] == 0 ? 6 : 8) else { return }
        var boxes = HEIFBoxes(entries)
        while items.count <= WorkerLimits.maxItems, let entry = try boxes.next() {
            guard entry.type == "infe", let version = entry.body[0], version >= 2 else { continue }
            let idBytes = version == 2 ? 2 : 4
            guard let id = entry.body.identifier(at: 4, bytes: idBytes),
                let type = entry.body.type(at: 6 + idBytes), let place = entry.body.offset(in: file)
            else { continue }
            types.insert(type)
            items[id] = Item(type: type, flags: place + 3)
        }
    }

    subscript(id: Int) -> Item? { items[id] }
}
