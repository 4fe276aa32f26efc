import CompanionRules
import DeviceIntake
import Testing

@Suite("Energy and the survey by the contract's examples")
struct CompanionEnergyExamplesTests {
    @Test(
        "energy of an account's first days",
        arguments: [
            ([120], [60, 90, 180, 0, nil, 0], [75, 56, 0, 38, nil, 75]),
            ([120], [nil, 0], [nil, 75]),
            ([120, 240], [60, 60], [75, 94]),
            ([120], [120, 119, 0], [0, 1, 76]),
        ] as [([Int], [Int?], [Int?])])
    func energy(limits: [Int], reported: [Int?], energy: [Int?]) {
        var replay = CompanionReplay()
        for index in reported.indices {
            replay.days.append(Berlin.figures(index + 1, limit: limits[min(index, limits.count - 1)]))
        }
        for (index, minutes) in reported.enumerated() {
            guard let minutes else { continue }
            let day = replay.days[index]
            let now = day.times.endsAt
            #expect(replay.usage(day.day, minutes: minutes, isFinal: true, now: now) == "accepted")
        }
        #expect(replay.days.map { replay.energy[$0.day] } == energy)
    }

    @Test("a report about a later day closes the days before it, and the largest report counts")
    func closes() {
        var replay = CompanionReplay(days: (1...3).map { Berlin.figures($0) })
        let days = replay.days.map(\.day)
        let noon = { Berlin.instant($0, "12:00") }
        _ = replay.usage(days[0], minutes: 60, isFinal: false, now: noon(1))
        _ = replay.usage(days[0], minutes: 30, isFinal: true, now: noon(1))
        #expect(replay.closedCount == 0, "a final report while the day runs is a plain one")
        _ = replay.usage(days[2], minutes: 0, isFinal: false, now: noon(3))
        #expect(replay.closedCount == 2)
        #expect(replay.energy == [days[0]: 75])
        _ = replay.usage(days[1], minutes: 0, isFinal: true, now: noon(3))
        #expect(replay.energy == [days[0]: 75], "a report about a closed day changes nothing")
    }

    @Test("a day that is closed more than 7 days after its end counts as one without a report")
    func lateClosing() {
        func ratio(_ closedAt: Instant) -> UseRatio? {
            UseRatio(reportedMinutes: 60, limitMinutes: 120, endedAt: 0, closedAt: closedAt)
        }
        #expect(ratio(7 * secondsPerDay) == UseRatio(usedMinutes: 60, limitMinutes: 120))
        #expect(ratio(7 * secondsPerDay + 1) == nil)
    }

    @Test("gamma bends the award", arguments: [(1, 75), (2, 38), (0.5, 106), (1.5, 53)] as [(Double, Int)])
    func gamma(gamma: Double, energy: Int) {
        let half = UseRatio(usedMinutes: 60, limitMinutes: 120)
        #expect(AwardRules(energyMax: 150, gamma: gamma).award(for: half, dayBefore: half) == energy)
    }

    @Test(
        "survey",
        arguments: [
            ([2, 2, 2, 2, 2], SurveyAge.from25, 63, SurveyLevel.high, 10.4),
            ([0, 0, 0, 0, 0], .from55, 0, .low, 0.8),
            ([0, 1, 1, 1, 1], .from18, 25, .mild, 2.5),
            ([4, 3, 3, 3, 3], .under18, 100, .veryHigh, 24),
        ])
    func survey(numbers: [Int], age: SurveyAge, score: Int, level: SurveyLevel, years: Double) throws {
        let answers = try #require(
            SurveyAnswers(
                use: numbers[0], dependence: numbers[1], sleep: numbers[2], withoutPhone: numbers[3],
                idle: numbers[4], age: age))
        #expect(answers.score == score)
        #expect(answers.level == level)
        #expect(answers.years == years)
    }

    @Test(
        "answers out of bounds are refused",
        arguments: [[5, 0, 0, 0, 0], [0, 4, 0, 0, 0], [0, 0, 0, 0, -1]])
    func bounds(numbers: [Int]) {
        let answers = SurveyAnswers(
            use: numbers[0], dependence: numbers[1], sleep: numbers[2], withoutPhone: numbers[3],
            idle: numbers[4], age: .from18)
        #expect(answers == nil)
    }
}
