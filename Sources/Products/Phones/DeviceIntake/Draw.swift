/// A number in [0, 1) that depends on a text alone. Everybody who knows the text, on a server or on a phone, draws the
/// same number.
///
/// The hash is FNV-1a (64 bit) of the UTF-8 bytes. Its upper bits differ little between similar texts, so the finalizer
/// of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators") spreads it over all bits.
package struct Draw: Sendable {
    /// All 64 bits of the draw.
    package let bits: UInt64

    package init(_ text: String) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        hash = (hash ^ hash >> 30) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ hash >> 27) &* 0x94d0_49bb_1331_11eb
        bits = hash ^ hash >> 31
    }

    /// The parts are joined by `|`.
    package init(_ parts: DrawPart...) {
        self.init(parts.map(\.text).joined(separator: "|"))
    }

    /// From 0 (included) to 1 (excluded).
    package var value: Double { Double(bits >> 11) / 9_007_199_254_740_992 }

    /// A whole number from 0 to below `count`.
    package func index(of count: Int) -> Int { Int(Double(count) * value) }
}

/// A part of the text of a ``Draw``.
package enum DrawPart: Sendable {
    /// A word, or an id in lower case.
    case text(String)
    case number(Int)
    case day(DayNumber)
    case instant(Instant)

    var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        case .day(let day): isoText(day: day)
        case .instant(let instant): isoText(instant: instant)
        }
    }
}
