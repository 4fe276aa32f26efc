import CivilTime
import Foundation

/// Reads and writes timestamps of RFC 3339, section 5.6. It reads nothing else: days and times that exist, an offset, years 1 to 9999.
///
/// A leap second (`23:59:60Z`) is the first second after it, as in PostgreSQL.
package enum RFC3339 {
    /// The seconds since 1970 of 0001-01-01T00:00:00Z up to the end of 9999.
    private static let years: Range<Int> = -62_135_596_800..<253_402_300_800

    /// Nil for anything that is not a timestamp.
    package static func date(_ text: String) -> Date? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let day = reader.day(), reader.skip("Tt"), let time = reader.time(),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let seconds = day * 86_400 + time.seconds - offset
        if time.isLeapSecond, seconds % 86_400 != 0 { return nil }
        guard years.contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// A timestamp in UTC with whole seconds. Times beyond the years 1 to 9999 become the first or last one.
    static func text(secondsSince1970 time: Int) -> String {
        let time = min(max(time, years.lowerBound), years.upperBound - 1)
        let seconds = (time % 86_400 + 86_400) % 86_400
        let date = CivilDate(daysSince1970: (time - seconds) / 86_400)
        let parts =
            [
                (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"), (seconds / 3_600, 2, ":"),
                (seconds / 60 % 60, 2, ":"), (seconds % 60, 2, "Z"),
            ] as [(Int, Int, Unicode.Scalar)]
        return String(unsafeUninitializedCapacity: 20) { buffer in
            var end = 0
            for (number, width, mark) in parts {
                var rest = number
                for place in stride(from: end + width - 1, through: end, by: -1) {
                    buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                buffer[end + width] = UInt8(ascii: mark)
                end += width + 1
            }
            return end
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func skip(_ allowed: String) -> Bool {
            guard position < bytes.count, allowed.utf8.contains(bytes[position]) else { return false }
            position += 1
            return true
        }

        /// A number of exactly that many digits.
        mutating func number(_ width: Int, in range: ClosedRange<Int>) -> Int? {
            guard position + width <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[position..<position + width] {
                guard let digit = Self.digit(byte) else { return nil }
                value = value * 10 + digit
            }
            position += width
            return range.contains(value) ? value : nil
        }

        /// Days since 1970-01-01.
        mutating func day() -> Int? {
            guard let year = number(4, in: 0...9_999), skip("-"), let month = number(2, in: 1...12),
                skip("-"), let day = number(2, in: 1...31)
            else { return nil }
            let date = CivilDate(year: year, month: month, day: day)
            return date.exists ? date.daysSince1970 : nil
        }

        mutating func time() -> (seconds: Int, isLeapSecond: Bool)? {
            guard let hour = number(2, in: 0...23), skip(":"), let minute = number(2, in: 0...59), skip(":"),
                let second = number(2, in: 0...60)
            else { return nil }
            return (hour * 3_600 + minute * 60 + second, second == 60)
        }

        /// Zero where there is none; nil for a point without digits.
        mutating func fraction() -> Double? {
            guard skip(".") else { return 0 }
            let digits = bytes[position...].prefix { Self.digit($0) != nil }
            position += digits.count
            return digits.isEmpty ? nil : Double("0." + String(decoding: digits.prefix(9), as: UTF8.self))
        }

        /// In seconds east of UTC.
        mutating func offset() -> Int? {
            if skip("Zz") { return 0 }
            let sign = skip("+") ? 1 : -1
            guard sign > 0 || skip("-"), let hours = number(2, in: 0...23), skip(":"),
                let minutes = number(2, in: 0...59)
            else { return nil }
            return sign * (hours * 3_600 + minutes * 60)
        }

        private static func digit(_ byte: UInt8) -> Int? {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
        }
    }
}
