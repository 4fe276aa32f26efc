import Foundation

/// A compiled time zone (TZif, RFC 8536), read without help from PostgreSQL or Foundation: what days are checked
/// against. Knows the changes that the file spells out, which Debian's files do until 2037.
struct ZoneFile {
    /// From `start` on clocks are so many seconds ahead of UTC, until the next one starts.
    struct Period {
        let start: Int
        let offset: Int
    }

    let periods: [Period]

    /// Nil for another kind of file.
    init?(name: String) {
        guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)") else {
            return nil
        }
        let bytes = Array(data)
        guard bytes.count > 88, bytes.starts(with: Array("TZif".utf8)), bytes[4] >= UInt8(ascii: "2") else {
            return nil
        }
        func number(_ at: Int, _ width: Int) -> Int {
            let raw = bytes[at..<at + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return width == 4 ? Int(Int32(truncatingIfNeeded: raw)) : Int(Int64(bitPattern: raw))
        }
        func counts(_ header: Int) -> [Int] { (0..<6).map { number(header + 20 + 4 * $0, 4) } }
        // The first block is for readers of 32-bit times.
        let old = counts(0)
        let header = 44 + old[3] * 5 + old[4] * 6 + old[5] + old[2] * 8 + old[1] + old[0]
        let (times, types) = (counts(header)[3], header + 44 + counts(header)[3] * 9)
        periods =
            [Period(start: .min / 2, offset: number(types, 4))]
            + (0..<times).map { index in
                let type = Int(bytes[header + 44 + times * 8 + index])
                return Period(
                    start: number(header + 44 + index * 8, 8), offset: number(types + type * 6, 4))
            }
    }

    /// The moments at which the offset changes, in seconds since 1970.
    func changes(in range: Range<Int>) -> [Int] {
        zip(periods, periods.dropFirst()).filter { $0.offset != $1.offset }.map(\.1.start).filter(
            range.contains)
    }

    /// Days since 1970-01-01 on the wall's calendar.
    func day(at moment: Int) -> Int {
        let offset = periods.last { $0.start <= moment }?.offset ?? 0
        return Int((Double(moment + offset) / 86_400).rounded(.down))
    }

    /// The first moment of a later day: in each period the one at which its clocks reach midnight, or its start where
    /// they are past it.
    func end(ofDay day: Int) -> Int? {
        let midnight = (day + 1) * 86_400
        let ends = periods.dropFirst().map(\.start) + [.max]
        return zip(periods, ends).compactMap { period, end in
            let candidate = max(period.start, midnight - period.offset)
            return candidate < end ? candidate : nil
        }.min()
    }

    /// The same with the periods that matter from 2006 to 2028 only.
    var recent: ZoneFile {
        let first = periods.lastIndex { $0.start < 1_136_073_600 } ?? 0
        return ZoneFile(periods: periods[first...].prefix { $0.start < 1_830_297_600 })
    }

    private init(periods: ArraySlice<Period>) {
        self.periods = Array(periods)
    }
}
