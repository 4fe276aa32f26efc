import FocusRules
import Testing

@Suite("Limits and intentions")
struct IntentionDaysTests {
    /// Guard: a limit rises tomorrow, and is not lowered below what is used up (`RisingLimit.set`)
    @Test(
        "G1: the figure in force on the days 1, 2 and 3",
        arguments: [
            (180, [(1, 240)], [180, 240, 240]), (180, [(1, 120)], [120, 120, 120]),
            (nil, [(1, 180)], [180, 180, 180]), (180, [(1, nil)], [180, nil, nil]),
            (180, [(1, 240), (1, 200)], [180, 200, 200]), (180, [(1, 240), (1, 180)], [180, 180, 180]),
            (180, [(1, 240), (2, 300)], [180, 240, 300]),
        ] as [(Int?, [(Int, Int?)], [Int?])])
    func limits(inForce: Int?, puts: [(Int, Int?)], days: [Int?]) {
        var limit = RisingLimit(inForce)
        var found: [Int?] = []
        for day in 1...3 {
            for put in puts where put.0 == day { limit.set(put.1, on: day) }
            found.append(limit.inForce(on: day))
        }
        #expect(found == days)
        #expect(limit.waiting(on: 9) == nil)
    }

    @Test("a raised limit waits until its day has come")
    func waits() {
        var limit = RisingLimit(180)
        limit.set(240, on: 1)
        #expect(limit.waiting(on: 1) == .init(value: 240, from: 2))
        #expect(limit.waiting(on: 2) == nil)
    }

    /// Guard: a limit rises tomorrow, and is not lowered below what is used up (`RisingLimit.set`)
    @Test(
        "today's limit is not lowered below what is used up of it",
        arguments: [(0, 1), (2, 2), (3, 3), (5, 3)])
    func keepsWhatIsUsed(used: Int, today: Int) {
        var limit = RisingLimit(3)
        limit.set(1, on: 1, used: used)
        #expect(limit.inForce(on: 1) == today)
        #expect(limit.inForce(on: 2) == 1)
    }

    /// The intention after the steps of an example, and the streaks whose loss partners are told.
    private func run(_ steps: String, opens: Int, streak: Int) -> (IntentionDays, told: [Int]) {
        var intention = IntentionDays(limit: RisingLimit(opens), day: 1, streak: streak, best: streak)
        var (today, frozen, told) = (1, Set<DayNumber>(), [Int]())
        for step in steps.split(separator: ", ") {
            let words = step.split(separator: " ")
            let count = Int(words[0]) ?? 1
            switch words.last {
            case "open", "opens":
                for _ in 0..<count {
                    if let lost = intention.open(on: today, isFrozen: frozen.contains) { told.append(lost) }
                }
            case "midnight", "midnights": today += count
            case "event": intention.reach(today, isFrozen: frozen.contains)
            case "freeze": frozen.insert(today)
            default: intention.setLimit(words.last.flatMap { Int($0) } ?? 0, on: today)
            }
        }
        return (intention, told)
    }

    /// Guard: a frozen day changes no streak, and a freeze mends no break (`IntentionDays.reach`,
    /// `IntentionDays.open`)
    @Test(
        "I1: streaks of intentions",
        arguments: [
            ("3 opens, midnight, event", 5, 0), ("3 opens, midnight", 4, 0), ("4 opens", 0, 1),
            ("6 opens, midnight, event", 0, 1), ("freeze, 5 opens, midnight, event", 4, 0),
            ("4 opens, freeze, midnight, event", 0, 1), ("3 midnights, 1 open", 7, 0),
            ("limit 5, 4 opens", 0, 1), ("limit 5, midnight, 5 opens, midnight, event", 6, 0),
            ("3 opens, limit 2, midnight, event, 3 opens", 0, 1), ("2 opens, limit 1, 1 open", 0, 1),
        ])
    func examples(steps: String, streak: Int, told: Int) {
        let (intention, lost) = run(steps, opens: 3, streak: 4)
        #expect(intention.streak == streak)
        #expect(lost.count == told)
    }

    @Test("the best streak stays, and partners learn of the streak that was lost")
    func keepsTheBest() {
        let (intention, lost) = run("2 midnights, event, 4 opens", opens: 3, streak: 4)
        #expect(intention.best == 6)
        #expect(lost == [6])
        #expect(intention.streak == 0)
    }

    @Test("an open of an earlier day counts for the current day, and a new day has no opens")
    func countsLateOpens() {
        var intention = IntentionDays(limit: RisingLimit(3), day: 5, used: 2)
        let lost = intention.open(on: 4) { _ in false }
        #expect(lost == nil)
        #expect(intention.used(on: 5) == 3)
        #expect(intention.used(on: 6) == 0)
    }
}
