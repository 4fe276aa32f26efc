/// The times at which the shields are up, by the clock of the owner's zone.
package struct ShieldSchedule: Hashable, Sendable {
    /// In minutes since midnight.
    package let from: Int
    /// In minutes since midnight, not included. A time that is not after `from` is on the next day.
    package let to: Int
    /// The weekdays on which the time begins, from 1 for Monday to 7 for Sunday.
    package let weekdays: Set<Int>

    package init(from: Int, to: Int, weekdays: Set<Int>) {
        self.from = from
        self.to = to
        self.weekdays = weekdays
    }

    /// Whether the shields are up.
    /// - Parameters:
    ///   - weekday: that of the local date.
    ///   - minute: the whole minutes of the local clock since 00:00.
    package func isUp(weekday: Int, minute: Int) -> Bool {
        let dayBefore = weekday == 1 ? 7 : weekday - 1
        if from < to { return weekdays.contains(weekday) && (from..<to).contains(minute) }
        return weekdays.contains(weekday) && minute >= from || weekdays.contains(dayBefore) && minute < to
    }
}
