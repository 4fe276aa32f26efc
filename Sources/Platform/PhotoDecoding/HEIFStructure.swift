import CImageCodecs

/// The input of a HEIF's decoder: the items of its primary picture, and the facts that the decoder does not find out.
struct HEIFStructure {
    /// The boxes that replace those of the file.
    let head: [UInt8]
    /// The colours in the primary picture's bitstream, or in its first tile's.
    let colours: HEVCColours?
    let grid: HEIFGrid?

    /// Checks the boxes of a HEIF file (ISO/IEC 14496-12, 23008-12) before the decoder reads any, because Debian's libheif
    /// has no limits of its own.
    ///
    /// - Throws: as `HEIFSelection`; `.unreadable` also when a box extends beyond the end of the file, and `.unsupported` for
    ///   a sequence without a still picture.
    init(of file: Bytes, limits: WorkerLimits) throws(WorkerFailure) {
        var boxes = HEIFBoxes(file)
        var meta: HEIFMeta?
        var isSequence = false
        while let box = try boxes.next() {
            if box.type == "moov" { isSequence = true }
            if box.type == "meta", meta == nil { meta = try HEIFMeta(box.body, in: file) }
        }
        guard let meta else { throw isSequence ? .unsupported : .unreadable }
        let selection = try HEIFSelection(of: meta, limits: limits)
        head = HEIFHead.bytes(for: selection)
        grid = HEIFGrid(of: selection)
        colours = Self.colours(in: selection)
    }

    /// A derived picture has no bitstream of its own, so its first part counts.
    private static func colours(in selection: HEIFSelection) -> HEVCColours? {
        var picture = selection.pictures[selection.primary - 1]
        while let part = picture.parts.first { picture = selection.pictures[part - 1] }
        let properties = picture.properties.map { selection.meta.properties[$0.property] }
        return properties.first { $0.type == "hvcC" }.flatMap { HEVCColours(configuration: $0.body) }
    }

    /// The code point of ITU-T H.273 for unspecified colours.
    private static let unspecified = 2

    /// Calls `body` with the same for the codec, which must copy what it points to.
    func withCodecContents<Result>(_ body: (UnsafePointer<heif_contents>) -> Result) -> Result {
        let tiles = grid?.tiles ?? []
        return head.withUnsafeBufferPointer { head in
            tiles.withUnsafeBufferPointer { tiles in
                var contents = heif_contents()
                contents.head = head.baseAddress
                contents.head_count = head.count
                contents.primaries = UInt16(colours?.primaries ?? Self.unspecified)
                contents.transfer = UInt16(colours?.transfer ?? Self.unspecified)
                contents.tiles = tiles.baseAddress
                contents.tile_count = tiles.count
                contents.orientation = Int32(grid?.orientation ?? 1)
                return body(&contents)
            }
        }
    }
}
