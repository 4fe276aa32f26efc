import Foundation

/// A second in UTC, taken apart. The wire formats of HTTP and S3 need no calendar, locale or formatter beyond
/// this. The day arithmetic is Howard Hinnant's `days_from_civil` (proleptic Gregorian calendar).
struct UTCTime: Sendable, Hashable {
    let year, month, day, hour, minute, second: Int

    init(_ date: Date) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let inDay = seconds - days * 86_400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (inDay / 3_600, inDay / 60 % 60, inDay % 60)
    }

    /// `nil` when a field is out of its range.
    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    var date: Date {
        Date(timeIntervalSince1970: TimeInterval(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    /// Days since 1970-01-01.
    var days: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// `20130524`
    var basicDay: String { digits(year, 4) + digits(month) + digits(day) }

    /// `20130524T000000Z`
    var basic: String { "\(basicDay)T\(digits(hour))\(digits(minute))\(digits(second))Z" }

    /// Reads `2009-10-12T17:50:30.000Z`, the form in listings. The fraction is optional and ignored.
    static func parseISO8601(_ text: String) -> Date? {
        let fields = text.split(whereSeparator: { "-T:.Z".contains($0) })
        guard fields.count >= 6, text.hasSuffix("Z") else { return nil }
        let numbers = fields.prefix(6).compactMap { Int($0) }
        guard numbers.count == 6 else { return nil }
        return UTCTime(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])?.date
    }
}

/// Dates in HTTP's form (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package static func format(_ date: Date) -> String {
        let time = UTCTime(date)
        let weekday = weekdays[((time.days % 7) + 7) % 7]
        let clock = "\(digits(time.hour)):\(digits(time.minute)):\(digits(time.second))"
        return
            "\(weekday), \(digits(time.day)) \(months[time.month - 1]) \(digits(time.year, 4)) \(clock) GMT"
    }

    /// Reads the preferred format; no server of today sends the two obsolete ones.
    package static func parse(_ text: String) -> Date? {
        let fields = text.split(whereSeparator: { " :,".contains($0) })
        guard fields.count == 8, fields[7] == "GMT", let day = Int(fields[1]), let year = Int(fields[3]),
            let month = months.firstIndex(of: String(fields[2])), let hour = Int(fields[4]),
            let minute = Int(fields[5]), let second = Int(fields[6])
        else { return nil }
        return UTCTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)?
            .date
    }
}

private func digits(_ number: Int, _ width: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
}
