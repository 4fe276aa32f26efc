import CompanionAPI
import CompanionRules
import Foundation

extension CompanionShieldTimes {
    /// Whether the shields are up.
    /// - Parameter zone: that of the user's profile.
    public func isUp(at time: Date, zone: TimeZone) -> Bool {
        let (weekday, minute) = Calendar(companion: zone).clock(at: time)
        return ShieldSchedule(from: Self.minutes(from), to: Self.minutes(to), weekdays: Set(weekdays))
            .isUp(weekday: weekday, minute: minute)
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

    /// The weekday from 1 for Monday to 7 for Sunday, and the whole minutes since 00:00.
    func clock(at time: Date) -> (weekday: Int, minute: Int) {
        let parts = dateComponents([.weekday, .hour, .minute], from: time)
        // Foundation counts from Sunday.
        return (((parts.weekday ?? 1) + 5) % 7 + 1, 60 * (parts.hour ?? 0) + (parts.minute ?? 0))
    }
}
