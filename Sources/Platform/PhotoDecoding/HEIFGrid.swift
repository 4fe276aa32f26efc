/// The tiles of a HEIF's primary picture, as phones write it: HEVC pictures in a grid, which may be turned by quarters.
struct HEIFGrid {
    /// The tiles' numbers in the selection.
    let tiles: [UInt32]
    /// The Exif orientation (TIFF 6.0).
    let orientation: Int

    /// Nil unless the primary picture is a plain grid.
    init?(of selection: HEIFSelection) {
        let primary = selection.pictures[selection.primary - 1]
        guard primary.type == "grid", primary.alpha == nil,
            primary.parts.allSatisfy({ selection.pictures[$0 - 1].type == "hvc1" })
        else { return nil }
        var quarters = 0
        for association in primary.properties {
            let property = selection.meta.properties[association.property]
            switch property.type {
            case "irot": quarters += Int((property.body[0] ?? 0) & 3)
            case "imir", "clap": return nil
            default: break
            }
        }
        tiles = primary.parts.map { UInt32($0) }
        orientation = [1, 8, 3, 6][quarters % 4]
    }
}
