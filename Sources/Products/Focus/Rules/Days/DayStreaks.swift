/// The streaks of a user's local day.
package struct DayStreaks: Hashable, Sendable {
    package let day: DayNumber
    /// By end.
    package let streaks: [Streak]

    package init(day: DayNumber, streaks: [Streak]) {
        self.init(day: day, sorted: streaks.sorted { $0.ended < $1.ended })
    }

    init(day: DayNumber, sorted streaks: [Streak]) {
        self.day = day
        self.streaks = streaks
    }

    /// The figures of the day.
    /// - Parameter counted: the number of longest streaks whose points count (`focus.counted_streaks`); 0: all.
    package func figures(counted: Int) -> DayFigures {
        var longest = LongestNumbers(most: counted == 0 ? streaks.count : counted)
        var isEstimated = false
        for streak in streaks {
            longest.take(streak.seconds)
            if streak.isEstimated { isEstimated = true }
        }
        return DayFigures(
            points: longest.numbers.reduce(0) { $0 + streakPoints(seconds: $1) }, streakCount: streaks.count,
            longestStreak: longest.numbers.first ?? 0, isEstimated: isEstimated)
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

/// The greatest of some numbers, the greatest first. Most numbers of a day are not among them and move nothing.
private struct LongestNumbers {
    let most: Int
    private(set) var numbers: [Int] = []

    init(most: Int) {
        self.most = most
        numbers.reserveCapacity(most)
    }

    mutating func take(_ number: Int) {
        if numbers.count < most {
            numbers.append(number)
        } else {
            guard let last = numbers.last, number > last else { return }
            numbers[most - 1] = number
        }
        var index = numbers.count - 1
        while index > 0, numbers[index - 1] < number {
            numbers[index] = numbers[index - 1]
            index -= 1
        }
        numbers[index] = number
    }
}
