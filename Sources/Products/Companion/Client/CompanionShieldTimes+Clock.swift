import CompanionAPI
import DaylyClient
import DaylyAPI
import Foundation

extension CompanionShieldTimes {
    /// Whether the shields are up.
    /// - Parameter zone: that of the user's profile.
    public func isUp(at time: Date, zone: TimeZone) -> Bool {
        let parts = Calendar(companion: zone).dateComponents([.weekday, .hour, .minute], from: time)
        // Foundation counts from Sunday.
        let weekday = ((parts.weekday ?? 1) + 5) % 7 + 1
        return isUp(weekday: weekday, minute: 60 * (parts.hour ?? 0) + (parts.minute ?? 0))
    }

    private func isUp(weekday: Int, minute: Int) -> Bool {
        let (from, to) = (Self.minutes(from), Self.minutes(to))
        let dayBefore = weekday == 1 ? 7 : weekday - 1
        if from < to { return weekdays.contains(weekday) && (from..<to).contains(minute) }
        return weekdays.contains(weekday) && minute >= from || weekdays.contains(dayBefore) && minute < to
    }

    private static func minutes(_ clock: String) -> Int {
        clock.split(separator: ":").compactMap { Int($0) }.reduce(0) { 60 * $0 + $1 }
    }
}

extension Calendar {
    /// The clocks of a zone.
    init(companion zone: TimeZone) {
        self.init(identifier: .gregorian)
        timeZone = zone
    }
}
