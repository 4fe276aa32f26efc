/// The days of an intention: its opens today and the days in a row on which its limit was kept.
package struct IntentionDays: Hashable, Sendable {
    package private(set) var limit: RisingLimit
    /// The current day: no event of a later one has come yet.
    package private(set) var day: DayNumber
    /// The opens of the current day.
    package private(set) var used: Int
    /// The limit of the current day was exceeded.
    package private(set) var isExceeded: Bool
    package private(set) var streak: Int
    package private(set) var best: Int

    package init(
        limit: RisingLimit, day: DayNumber, used: Int = 0, isExceeded: Bool = false, streak: Int = 0,
        best: Int = 0
    ) {
        self.limit = limit
        self.day = day
        self.used = used
        self.isExceeded = isExceeded
        self.streak = streak
        self.best = best
    }

    /// Takes the local day of an accepted event of any kind: days before it are closed.
    /// - Parameter isFrozen: whether the user has frozen a day.
    package mutating func reach(_ eventDay: DayNumber, isFrozen: (DayNumber) -> Bool) {
        while day < eventDay {
            if !isFrozen(day) { streak = isExceeded ? 0 : streak + 1 }
            best = max(best, streak)
            day += 1
            used = 0
            isExceeded = false
        }
    }

    /// Takes an open. An open of an earlier day counts for the current one.
    /// - Returns: The streak that the open has broken, of which the partners are told; nil if it has broken none.
    package mutating func open(on eventDay: DayNumber, isFrozen: (DayNumber) -> Bool) -> Int? {
        reach(eventDay, isFrozen: isFrozen)
        used += 1
        guard let most = limit.inForce(on: day), used > most, !isFrozen(day) else { return nil }
        isExceeded = true
        defer { streak = 0 }
        return streak > 0 ? streak : nil
    }

    /// Sets the opens of a day (the local day today, which may be later than the current day).
    package mutating func setLimit(_ opens: Int, on today: DayNumber) {
        limit.set(opens, on: today, used: used(on: today))
    }

    /// The opens of a local day, for an answer.
    package func used(on today: DayNumber) -> Int { today > day ? 0 : used }
}
