import Foundation

/// Days and weeks of UTC.
package enum FakeDay {
    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }

    package static func of(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let text = [parts.month, parts.day].map { part in
            let digits = String(part ?? 0)
            return digits.count < 2 ? "0" + digits : digits
        }
        return "\(parts.year ?? 0)-" + text.joined(separator: "-")
    }

    package static func date(_ day: String) -> Date? {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        return calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2]))
    }

    package static func monday(of date: Date) -> String {
        of(calendar.dateInterval(of: .weekOfYear, for: date)?.start ?? date)
    }

    /// The seven days of a week.
    package static func week(_ monday: String) -> [String] {
        guard let start = date(monday) else { return [] }
        return (0..<7).map { of(start.addingTimeInterval(Double($0) * 86_400)) }
    }
}
