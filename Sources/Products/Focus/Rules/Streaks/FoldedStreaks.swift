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

    /// The days that change, in order, given all stored days from ``firstDay`` on.
    package func changed(_ stored: [DayStreaks]) -> [DayChange] {
        var parts = parts.sorted { $0.day < $1.day }[...]
        var stored = stored.sorted { $0.day < $1.day }[...]
        var changes: [DayChange] = []
        while let day = Self.least(parts.first?.day, stored.first?.day) {
            let old = stored.first?.day == day ? stored.removeFirst().streaks : []
            var new: [Streak] = []
            while let part = parts.first, part.day == day { new += parts.removeFirst().streaks }
            let kept = replacedFrom.map { from in old.prefix { $0.ended < from } } ?? old[...]
            let replaced = old[kept.endIndex...]
            if !replaced.elementsEqual(new) {
                changes.append(DayChange(day, kept: kept, replaced: replaced, by: new))
            }
        }
        return changes
    }

    /// The streaks, cut where the day changes. A change of zone may lead back to a day.
    private var parts: [(day: DayNumber, streaks: ArraySlice<Streak>)] {
        var (parts, start) = ([(day: DayNumber, streaks: ArraySlice<Streak>)](), 0)
        for index in streaks.indices where streaks[index].day != streaks[start].day {
            parts.append((streaks[start].day, streaks[start..<index]))
            start = index
        }
        if let last = streaks.last { parts.append((last.day, streaks[start...])) }
        return parts
    }

    private static func least(_ left: DayNumber?, _ right: DayNumber?) -> DayNumber? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }
}

/// A day whose streaks have changed.
package struct DayChange: Hashable, Sendable {
    package let after: DayStreaks
    /// The streaks that the day has now and had not before.
    package let added: [Streak]
    /// The streaks that the day had before and has no more.
    package let removed: [Streak]

    init(_ day: DayNumber, kept: ArraySlice<Streak>, replaced old: ArraySlice<Streak>, by new: [Streak]) {
        after = DayStreaks(day: day, sorted: kept.isEmpty ? new : kept + new)
        guard !old.isEmpty else {
            (added, removed) = (new, [])
            return
        }
        let (before, now) = (Set(old), Set(new))
        added = new.filter { !before.contains($0) }
        removed = old.filter { !now.contains($0) }
    }
}
