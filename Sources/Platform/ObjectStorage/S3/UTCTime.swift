import CivilTime
import Foundation

/// A second in UTC by its parts, for the formats of HTTP and S3. It needs no calendar, locale or formatter.
struct UTCTime: Sendable, Hashable {
    let day: CivilDate
    let hour, minute, second: Int

    init(_ date: Date) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let inDay = (seconds % 86_400 + 86_400) % 86_400
        day = CivilDate(daysSince1970: (seconds - inDay) / 86_400)
        (hour, minute, second) = (inDay / 3_600, inDay / 60 % 60, inDay % 60)
    }

    /// Nil when a part is out of its range. Second 60 is a leap second.
    init?(_ day: CivilDate, hour: Int, minute: Int, second: Int) {
        guard (1...9_999).contains(day.year), day.exists, (0...23).contains(hour), (0...59).contains(minute),
            (0...60).contains(second)
        else { return nil }
        self.day = day
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    var date: Date {
        let seconds = day.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    /// `20130524`
    var basicDay: String { digits(day.year, 4) + digits(day.month) + digits(day.day) }

    /// `20130524T000000Z`
    var basic: String { "\(basicDay)T\(digits(hour))\(digits(minute))\(digits(second))Z" }

    /// Reads `2009-10-12T17:50:30.000Z`, the form in listings. The fraction is optional and ignored.
    static func parseISO8601(_ text: String) -> Date? {
        let fields = text.split(whereSeparator: { "-T:.Z".contains($0) })
        guard fields.count >= 6, text.hasSuffix("Z") else { return nil }
        let numbers = fields.prefix(6).compactMap { Int($0) }
        guard numbers.count == 6 else { return nil }
        let day = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        return UTCTime(day, hour: numbers[3], minute: numbers[4], second: numbers[5])?.date
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
        let weekday = weekdays[(time.day.daysSince1970 % 7 + 7) % 7]
        let clock = "\(digits(time.hour)):\(digits(time.minute)):\(digits(time.second))"
        let date = "\(digits(time.day.day)) \(months[time.day.month - 1]) \(digits(time.day.year, 4))"
        return "\(weekday), \(date) \(clock) GMT"
    }

    /// Reads the preferred format; no server of today sends the two obsolete ones.
    package static func parse(_ text: String) -> Date? {
        let fields = text.split(whereSeparator: { " :,".contains($0) })
        guard fields.count == 8, fields[7] == "GMT", let day = Int(fields[1]), let year = Int(fields[3]),
            let month = months.firstIndex(of: String(fields[2])), let hour = Int(fields[4]),
            let minute = Int(fields[5]), let second = Int(fields[6])
        else { return nil }
        let date = CivilDate(year: year, month: month + 1, day: day)
        return UTCTime(date, hour: hour, minute: minute, second: second)?.date
    }
}

private func digits(_ number: Int, _ width: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
}
