import DeviceIntake

/// The streaks that a fold has found.
package struct FoldedStreaks: Hashable, Sendable {
    /// Streaks that ended at this instant or later were folded anew: those stored before are void. nil: none is.
    package let replacedFrom: Instant?
    /// By end.
    package let streaks: [Streak]

    /// The first local day that can change; nil if no day does. The store reads the days from this one on.
    package var firstDay: DayNumber? {
        // Local days lie at most one day beside those of UTC.
        let replaced = replacedFrom.map { utcDay(of: $0) - 1 }
        let added = streaks.lazy.map(\.day).min()
        guard let replaced, let added else { return replaced ?? added }
        return min(replaced, added)
    }

    /// The days that change, given all stored days from ``firstDay`` on.
    package func changed(_ stored: [DayStreaks]) -> [DayChange] {
        var days: [DayNumber: [Streak]] = [:]
        for day in stored {
            days[day.day] = day.streaks.filter { streak in replacedFrom.map { streak.ended < $0 } ?? true }
        }
        for streak in streaks { days[streak.day, default: []].append(streak) }
        let before = Dictionary(uniqueKeysWithValues: stored.map { ($0.day, $0.streaks) })
        return days.keys.sorted().compactMap { day in
            let old = before[day] ?? []
            let new = DayStreaks(day: day, streaks: days[day] ?? [])
            return new.streaks == old ? nil : DayChange(after: new, before: old)
        }
    }
}

/// A day whose streaks have changed.
package struct DayChange: Hashable, Sendable {
    package let after: DayStreaks
    /// The streaks that the day has now and had not before.
    package let added: [Streak]
    /// The streaks that the day had before and has no more.
    package let removed: [Streak]

    init(after: DayStreaks, before: [Streak]) {
        self.after = after
        let (old, new) = (Set(before), Set(after.streaks))
        added = after.streaks.filter { !old.contains($0) }
        removed = before.filter { !new.contains($0) }
    }
}
