import CivilTime

/// A whole second, counted from the beginning of 1970 in UTC.
package typealias Instant = Int

/// A day of the calendar, counted from 1970-01-01.
package typealias DayNumber = Int

package let secondsPerDay = 86_400

/// The day of an instant in UTC. The days of other zones are PostgreSQL's to compute.
package func utcDay(of instant: Instant) -> DayNumber {
    instant >= 0 ? instant / secondsPerDay : -((-instant + secondsPerDay - 1) / secondsPerDay)
}

/// A day as `2026-03-02`.
package func isoText(day: DayNumber) -> String {
    let date = CivilDate(daysSince1970: day)
    return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
}

/// An instant as `2026-03-02T09:00:00Z`.
package func isoText(instant: Instant) -> String {
    let day = utcDay(of: instant)
    let second = instant - day * secondsPerDay
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
    return "\(isoText(day: day))T\(clock)Z"
}

private func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
