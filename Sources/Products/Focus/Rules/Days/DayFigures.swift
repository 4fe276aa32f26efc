/// The figures of a day, or the sum of the days of a week.
package struct DayFigures: Hashable, Sendable {
    package var points: Hundredths
    /// All streaks with points.
    package var streakCount: Int
    /// In seconds.
    package var longestStreak: Int
    package var isEstimated: Bool

    package init(points: Hundredths, streakCount: Int, longestStreak: Int, isEstimated: Bool) {
        self.points = points
        self.streakCount = streakCount
        self.longestStreak = longestStreak
        self.isEstimated = isEstimated
    }

    package static let none = DayFigures(points: 0, streakCount: 0, longestStreak: 0, isEstimated: false)

    /// The figures of a week with these days.
    package init(weekOf days: some Sequence<DayFigures>) {
        self = .none
        for day in days {
            points += day.points
            streakCount += day.streakCount
            longestStreak = max(longestStreak, day.longestStreak)
            isEstimated = isEstimated || day.isEstimated
        }
    }
}
