/// The streaks of a user's local day.
package struct DayStreaks: Hashable, Sendable {
    package let day: DayNumber
    /// By end.
    package let streaks: [Streak]

    package init(day: DayNumber, streaks: [Streak]) {
        self.day = day
        self.streaks = streaks.sorted { $0.ended < $1.ended }
    }

    /// The figures of the day.
    /// - Parameter counted: the number of longest streaks whose points count (`focus.counted_streaks`); 0: all.
    package func figures(counted: Int) -> DayFigures {
        let longest = streaks.map(\.seconds).sorted(by: >)
        let paid = counted == 0 ? longest[...] : longest.prefix(counted)
        return DayFigures(
            points: paid.reduce(0) { $0 + streakPoints(seconds: $1) },
            streakCount: streaks.count,
            longestStreak: longest.first ?? 0,
            isEstimated: streaks.contains(where: \.isEstimated))
    }

    /// Whether each streak counts, in the order of ``streaks``. Among equal ones the earlier end goes first.
    package func areCounted(_ counted: Int) -> [Bool] {
        guard counted > 0, counted < streaks.count else { return streaks.map { _ in true } }
        let order = streaks.indices.sorted { left, right in
            (streaks[right].seconds, left) < (streaks[left].seconds, right)
        }
        var result = streaks.map { _ in false }
        for index in order.prefix(counted) { result[index] = true }
        return result
    }
}
