/// The colours in an HEVC bitstream (ITU-T H.265, annex E), as code points of ITU-T H.273.
struct HEVCColours {
    let primaries: Int
    let transfer: Int

    private static let sequenceParameterSet = 33

    /// - Parameter configuration: the body of an `hvcC` box (ISO/IEC 14496-15, 8.3.3.1.2).
    /// Nil when the first sequence parameter set holds no colours or cannot be parsed.
    init?(configuration: Bytes) {
        guard let arrays = configuration[22] else { return nil }
        var position = 23
        for _ in 0..<arrays {
            guard let type = configuration[position], let count = configuration.uint16(at: position + 1)
            else { return nil }
            position += 3
            for _ in 0..<count {
                guard let size = configuration.uint16(at: position),
                    let unit = configuration.part(at: position + 2, count: size)
                else { return nil }
                position += 2 + size
                guard Int(type & 0x3F) == Self.sequenceParameterSet else { continue }
                var reader = ParameterSetReader(unit)
                guard let colours = reader.colours() else { return nil }
                self = colours
                return
            }
        }
        return nil
    }

    fileprivate init(primaries: Int, transfer: Int) {
        self.primaries = primaries
        self.transfer = transfer
    }
}

/// Reads a sequence parameter set (section 7.3.2.2) up to its colours. It reads every element, because the position of an
/// element depends on the elements before it.
private struct ParameterSetReader {
    /// More bytes than any encoder writes. A longer set is read up to this length.
    private static let maxBytes = 4096

    private var bytes: [UInt8] = []
    private var position = 0
    /// Whether a read went beyond the end or an element is not valid. All later reads give 0.
    private var isBroken = false

    /// - Parameter unit: a NAL unit. The reader drops its emulation prevention bytes (section 7.4.2).
    init(_ unit: Bytes) {
        var zeroes = 0
        var index = 2
        while index < Self.maxBytes, let byte = unit[index] {
            index += 1
            if zeroes >= 2, byte == 3 {
                zeroes = 0
                continue
            }
            zeroes = byte == 0 ? zeroes + 1 : 0
            bytes.append(byte)
        }
    }

    mutating func colours() -> HEVCColours? {
        let pictureOrderBits = skipFormat()
        skipNumbers(6)  // sizes of blocks
        skipScalingLists()
        skip(2)
        if flag() {  // pulse code modulation
            skip(8)
            skipNumbers(2)
            skip(1)
        }
        skipShortTermSets()
        if flag() { skip(bounded(number(), 32) * (pictureOrderBits + 1)) }  // long-term pictures
        skip(2)
        return isBroken || !flag() ? nil : usability()
    }

    /// Reads the beginning of vui_parameters (section E.2.1).
    private mutating func usability() -> HEVCColours? {
        if flag(), bits(8) == 255 { skip(32) }  // the pixels' aspect
        if flag() { skip(1) }  // overscan
        guard flag() else { return nil }
        skip(4)
        guard flag() else { return nil }
        let (primaries, transfer) = (bits(8), bits(8))
        return isBroken ? nil : HEVCColours(primaries: primaries, transfer: transfer)
    }

    /// Skips to the picture order count and returns its number of bits.
    private mutating func skipFormat() -> Int {
        skip(4)
        let layers = bits(3)
        skip(1)
        skipProfile(layers)
        skipNumbers(1)
        if number() == 3 { skip(1) }  // 4:4:4
        skipNumbers(2)
        if flag() { skipNumbers(4) }  // cropped
        skipNumbers(2)
        let pictureOrderBits = 4 + bounded(number(), 12)
        skipNumbers(flag() ? 3 * (layers + 1) : 3)
        return pictureOrderBits
    }

    /// Skips profile_tier_level (section 7.3.3).
    private mutating func skipProfile(_ layers: Int) {
        skip(96)
        guard layers > 0 else { return }
        var count = 2 * (8 - layers)
        for _ in 0..<layers { count += (flag() ? 88 : 0) + (flag() ? 8 : 0) }
        skip(count)
    }

    /// Skips scaling_list_data (section 7.3.4).
    private mutating func skipScalingLists() {
        guard flag(), flag() else { return }
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                skipNumbers(flag() ? min(64, 16 << (size * 2)) + (size > 1 ? 1 : 0) : 1)
            }
        }
    }

    /// Skips st_ref_pic_set (section 7.3.7). Only videos have sets that are predicted from other sets; these end the
    /// parse.
    private mutating func skipShortTermSets() {
        for index in 0..<bounded(number(), 64) {
            if index > 0, flag() { isBroken = true }
            let pictures = bounded(number(), 16) + bounded(number(), 16)
            for _ in 0..<pictures {
                skipNumbers(1)
                skip(1)
            }
        }
    }

    // MARK: Elements

    private mutating func bits(_ count: Int) -> Int {
        let start = position
        skip(count)
        guard !isBroken else { return 0 }
        var value = 0
        for index in start..<position {
            let bit = bytes[index >> 3] >> (7 - (index & 7)) & 1
            value = (value << 1) | Int(bit)
        }
        return value
    }

    private mutating func skip(_ count: Int) {
        if count > bytes.count * 8 - position { isBroken = true } else { position += count }
    }

    private mutating func flag() -> Bool { bits(1) == 1 }

    /// Reads ue(v) (section 9.2). An se(v) has the same length.
    private mutating func number() -> Int {
        var zeroes = 0
        while !isBroken, zeroes < 32, !flag() { zeroes += 1 }
        if zeroes == 32 { isBroken = true }
        return isBroken ? 0 : 1 << zeroes - 1 + bits(zeroes)
    }

    private mutating func skipNumbers(_ count: Int) {
        for _ in 0..<count { _ = number() }
    }

    private mutating func bounded(_ value: Int, _ most: Int) -> Int {
        if value > most { isBroken = true }
        return isBroken ? 0 : value
    }
}
