import FocusRules
import Testing

@Suite("Screen time")
struct FocusScreenTimeTests {
    @Test(
        "U1: score and usage points of a day",
        arguments: [
            (0, 1_000, 100), (59, 941, 100), (60, 940, 75), (95, 905, 75), (120, 880, 60), (180, 820, 50),
            (240, 760, 40), (300, 700, 30), (360, 640, 20), (479, 521, 10), (480, 520, 0), (500, 500, 0),
            (1_000, 0, 0), (1_440, 0, 0),
        ])
    func scores(minutes: Int, tenths: Int, points: Int) {
        let score = ScreenTimeScore(minutes: minutes)
        #expect(score.tenths == tenths)
        #expect(score.score == Double(tenths) / 10)
        #expect(score.usagePoints == points)
    }

    /// Guard: Sundays give lives, at most three (`GoalDays.lives`)
    @Test(
        "U2: goal and lives",
        arguments: [
            ("2026-03-03", 1, [170, 180, 200, 100], [1, 1, 0, 1], [1, 0, 0, 0]),
            ("2026-03-07", 0, [200, 200, 200], [0, 0, 0], [0, 0, 0]),
            ("2026-03-07", 1, [170, 200, 200, 200], [1, 1, 1, 0], [1, 1, 0, 0]),
            ("2026-03-07", 3, [170, 170, 200], [1, 2, 2], [3, 3, 2]),
            ("2026-03-07", 0, [170, nil, 200], [1, 1, 1], [0, 1, 0]),
        ] as [(String, Int, [Int?], [Int], [Int])])
    func lives(first: String, lives: Int, minutes: [Int?], streaks: [Int], after: [Int]) {
        let joined = day(first)
        var goal = GoalDays(streak: 0, lives: lives, livesThrough: joined)
        for (index, minutes) in minutes.enumerated() {
            if let minutes { goal.judge(joined + index, minutes: minutes, goal: 180) }
            #expect(goal.streak == streaks[index])
            #expect(goal.lives(on: joined + index) == after[index])
        }
    }

    /// Guard: Sundays give lives, at most three (`GoalDays.lives`)
    @Test("a user begins with one life, and Sundays give at most three")
    func sundays() {
        let goal = GoalDays(joined: day("2026-03-01"))
        #expect(goal.lives(on: day("2026-03-07")) == 1)
        #expect(goal.lives(on: day("2026-03-08")) == 2)
        #expect(goal.lives(on: day("2026-03-15")) == 3)
        #expect(goal.lives(on: day("2026-06-01")) == 3)
    }

    @Test("a report is about its event's day or one of the seven before")
    func rejects() {
        #expect(ScreenTimeDays.rejection(of: 100, eventDay: 100) == nil)
        #expect(ScreenTimeDays.rejection(of: 93, eventDay: 100) == nil)
        #expect(ScreenTimeDays.rejection(of: 92, eventDay: 100) == .tooOld)
        #expect(ScreenTimeDays.rejection(of: 101, eventDay: 100) == .badClock)
    }

    /// Guard: a report closes the days before its own; a closed day takes no report (`ScreenTimeDays.take`)
    @Test("a report closes the days before its own, and a final one of a later day its own too")
    func closes() {
        var days = ScreenTimeDays()
        var effect = days.take(12, isFinal: true, eventDay: 12, from: 10)
        #expect(effect.counts && effect.closesBefore == 10..<12 && effect.closesAfter.isEmpty)
        effect = days.take(12, isFinal: true, eventDay: 13, from: 10)
        #expect(effect.counts && effect.closesBefore.isEmpty && effect.closesAfter == 12..<13)
        effect = days.take(12, isFinal: false, eventDay: 13, from: 10)
        #expect(!effect.counts && effect.closesBefore.isEmpty && effect.closesAfter.isEmpty)
        effect = days.take(11, isFinal: true, eventDay: 13, from: 10)
        #expect(!effect.counts)
        #expect(days.closedThrough == 12)
        effect = days.take(15, isFinal: false, eventDay: 15, from: 10)
        #expect(effect.counts && effect.closesBefore == 13..<15)
        #expect(days.closedThrough == 14)
    }

    @Test(
        "Q1: the number of a quip",
        arguments: [("2026-03-02", 30, 1), ("2026-03-02", 60, 0), ("2026-03-03", 960, 1)])
    func quips(date: String, minutes: Int, number: Int) {
        #expect(Quips.number(user: exampleUser, day: day(date), minutes: minutes) == number)
    }
}
