/// The times of a schedule by the clock.
package struct ScheduleTimes: Hashable, Sendable {
    /// In minutes since midnight.
    package let from: Int
    /// In minutes since midnight. A time that is not after `from` is on the next day.
    package let to: Int
    /// The weekdays on which it begins, from 1 for Monday to 7 for Sunday.
    package let weekdays: Set<Int>

    package init(from: Int, to: Int, weekdays: Set<Int>) {
        self.from = from
        self.to = to
        self.weekdays = weekdays
    }

    private static let minutesPerDay = 1_440
    private static let minutesPerWeek = 10_080

    package var minutes: Int { to - from + (endsNextDay ? Self.minutesPerDay : 0) }

    package var hasValidLength: Bool { (20...720).contains(minutes) }

    /// Whether the end lies on the day after the date.
    package var endsNextDay: Bool { to <= from }

    /// The last date on which a session of the schedule may end.
    package func endDate(of date: DayNumber) -> DayNumber { endsNextDay ? date + 1 : date }

    package func begins(on date: DayNumber) -> Bool { weekdays.contains(weekday(of: date)) }

    /// Whether the clocks of both meet on any weekday, midnight and Sunday night included.
    package func overlaps(_ other: ScheduleTimes) -> Bool {
        starts.contains { start in
            other.starts.contains { otherStart in
                let ahead = (otherStart - start + Self.minutesPerWeek) % Self.minutesPerWeek
                return ahead < minutes || Self.minutesPerWeek - ahead < other.minutes
            }
        }
    }

    /// In minutes since Monday 00:00.
    private var starts: [Int] { weekdays.map { ($0 - 1) * Self.minutesPerDay + from } }
}

/// The goal of a session of a schedule: the whole minutes that really pass until its end.
package func scheduledGoalMinutes(startedAt: Instant, endsAt: Instant) -> Int {
    (endsAt - startedAt) / 60
}
