/// The days in a row on which a user has met the goal, and the lives that save this streak.
package struct GoalDays: Hashable, Sendable {
    package private(set) var streak: Int
    /// As of the last judged day: see ``lives(on:)``.
    package private(set) var storedLives: Int
    /// The last judged day; before the first the day of joining.
    package private(set) var livesThrough: DayNumber

    package static let mostLives = 3
    package static let livesAtFirst = 1

    /// The state of a user who has joined on a day.
    package init(joined: DayNumber) {
        self.init(streak: 0, lives: Self.livesAtFirst, livesThrough: joined)
    }

    package init(streak: Int, lives: Int, livesThrough: DayNumber) {
        self.streak = streak
        storedLives = lives
        self.livesThrough = livesThrough
    }

    /// The lives on a day, with one for every Sunday up to it.
    package func lives(on day: DayNumber) -> Int {
        let sundays = max(0, (monday(of: day + 1) - monday(of: livesThrough + 1)) / 7)
        return min(Self.mostLives, storedLives + sundays)
    }

    /// Judges a day that closes with minutes and a goal. Days are judged in order; the others are left out.
    package mutating func judge(_ day: DayNumber, minutes: Int, goal: Int) {
        storedLives = lives(on: day)
        livesThrough = max(livesThrough, day)
        if minutes < goal {
            streak += 1
        } else if storedLives > 0 {
            storedLives -= 1
        } else {
            streak = 0
        }
    }
}
