import DeviceIntake
import FocusRules
import Testing

@Suite("Temptations")
struct TemptationChainTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let began: String
        let intensity: TemptationIntensity
        /// The times at which quiet hours begin and end in UTC, as the zone has them on these days.
        let quiet: (from: String, to: String)?
        let isSocialPossible: Bool
        let wanted: String

        var testDescription: String { "\(began), \(intensity), social \(isSocialPossible)" }
    }

    /// The end of the quiet hours `[from, to)`, which reach over midnight, at an instant.
    private static func end(of quiet: (from: String, to: String)?, at: Instant) -> Instant? {
        guard let quiet else { return nil }
        let midnight = utcDay(of: at) * secondsPerDay
        if at < midnight + clock(quiet.to) { return midnight + clock(quiet.to) }
        return at >= midnight + clock(quiet.from) ? midnight + secondsPerDay + clock(quiet.to) : nil
    }

    /// Guard: a due time in quiet hours moves to their end, at most four times; late ones are passed over
    /// (`TemptationChain.next`)
    @Test(
        "R2: due times, types and texts",
        arguments: [
            Example(
                began: "2026-03-02T09:00:00Z", intensity: .medium, quiet: ("22:00", "07:00"),
                isSocialPossible: false,
                wanted: "09:07:15 curiosity 0; 10:02:04 fomo 2; 11:08:33 fomo 0; 12:34:42 taunt 1"),
            Example(
                began: "2026-03-02T09:00:00Z", intensity: .low, quiet: nil, isSocialPossible: false,
                wanted: "09:07:15 curiosity 0; 10:56:54 fomo 2; 13:09:53 fomo 0; 16:02:11 taunt 1"),
            Example(
                began: "2026-03-03T16:00:00Z", intensity: .medium, quiet: nil, isSocialPossible: true,
                wanted: "16:07:11 curiosity 3; 17:22:01 social 1; 18:26:20 taunt 1"),
            Example(
                began: "2026-03-03T16:00:00Z", intensity: .medium, quiet: nil, isSocialPossible: false,
                wanted: "16:07:11 curiosity 3; 17:22:01 fomo 1; 18:26:20 taunt 1"),
            Example(
                began: "2026-03-03T18:00:00Z", intensity: .medium, quiet: nil, isSocialPossible: false,
                wanted:
                    "18:09:55 curiosity 4; 19:08:52 fake_urgency 3; 19:57:07 fake_urgency 4; 20:54:55 fomo 2"),
            // In Berlin 22:00 is 21:00 UTC before summer time begins in this night, and 07:00 is 05:00 UTC after it.
            Example(
                began: "2026-03-28T20:30:00Z", intensity: .medium, quiet: ("21:00", "05:00"),
                isSocialPossible: false,
                wanted: "20:39:35 curiosity 4; 05:02:01 fomo 2; 05:55:07 taunt 3"),
        ])
    func examples(_ example: Example) {
        let chain = TemptationChain(user: exampleUser, streakBegan: instant(example.began))
        var (due, last) = (TemptationChain.Due?.none, TemptationText?.none)
        var found: [String] = []
        for _ in example.wanted.split(separator: ";") {
            due = chain.next(after: due, example.intensity) { Self.end(of: example.quiet, at: $0) }
            guard let due else { break }
            let text = chain.text(of: due, lastSent: last) { example.isSocialPossible }
            let time = isoText(instant: due.at).dropFirst(11).dropLast()
            found.append("\(time) \(text.kind.rawValue) \(text.number)")
            last = text
        }
        #expect(found.joined(separator: "; ") == example.wanted)
    }

    /// Guard: a due time in quiet hours moves to their end, at most four times; late ones are passed over
    /// (`TemptationChain.next`)
    @Test("a chain ends where every time that it moves to is quiet, after four moves")
    func givesUp() {
        let chain = TemptationChain(user: exampleUser, streakBegan: 0)
        var questions = 0
        let due = chain.next(after: nil, .low) { at in
            questions += 1
            return at + 100
        }
        #expect(due == nil)
        #expect(questions == 5)
        var moves = 0
        let fourth = chain.next(after: nil, .low) { at in
            moves += 1
            return moves <= 4 ? at + 100 : nil
        }
        #expect(fourth != nil)
    }

    /// Guard: a due time in quiet hours moves to their end, at most four times; late ones are passed over
    /// (`TemptationChain.next`)
    @Test("those that were due 15 minutes ago or earlier are passed over, and their numbers are used up")
    func passesOver() {
        let chain = TemptationChain(user: exampleUser, streakBegan: instant("2026-03-02T09:00:00Z"))
        let first = instant("2026-03-02T09:07:15Z")
        let quiet: ([Instant]) -> [Instant?] = { $0.map { _ in nil } }
        #expect(chain.next(after: nil, .medium, now: first + 899, quietUntil: quiet)?.number == 0)
        let second = chain.next(after: nil, .medium, now: first + 900, quietUntil: quiet)
        #expect(second == .init(number: 1, at: instant("2026-03-02T10:02:04Z")))
    }

    /// Quiet for the first third of each day of UTC.
    private static func quietEnd(_ at: Instant) -> Instant? {
        let second = at % 86_400
        return second < 28_800 ? at - second + 28_800 : nil
    }

    /// Guard: a chain more than a day late is given up; catching up asks a few times
    /// (`TemptationChain.next(after:_:now:)`)
    @Test("catching up comes to the same temptation as step by step, and asks a few times", arguments: 0..<24)
    func catchesUp(hours: Int) {
        let chain = TemptationChain(user: exampleUser, streakBegan: instant("2026-03-02T09:00:00Z"))
        for intensity in [TemptationIntensity.low, .medium, .high] {
            let now = chain.streakBegan + 600 + hours * 3_600
            var (questions, slow) = (0, chain.next(after: nil, intensity, quietUntil: Self.quietEnd))
            while let passed = slow, passed.at <= now - 900 {
                slow = chain.next(after: passed, intensity, quietUntil: Self.quietEnd)
            }
            let fast = chain.next(after: nil, intensity, now: now) { instants in
                questions += 1
                return instants.map(Self.quietEnd)
            }
            #expect(fast == slow)
            #expect(questions <= 6, "\(intensity) \(hours)")
        }
    }

    /// Guard: a chain more than a day late is given up; catching up asks a few times
    /// (`TemptationChain.next(after:_:now:)`)
    @Test("a chain whose next temptation was due more than a day ago is given up")
    func givenUpLate() {
        let chain = TemptationChain(user: exampleUser, streakBegan: instant("2026-03-02T09:00:00Z"))
        let first = instant("2026-03-02T09:07:15Z")
        for (late, isOver) in [(86_399, false), (86_400, true), (30 * 86_400, true)] {
            let next = chain.next(after: nil, .high, now: first + late) { $0.map { _ in nil } }
            #expect((next == nil) == isOver, "\(late)")
        }
    }

    @Test("a temptation is resisted if the first unlock comes more than five minutes later")
    func resists() {
        #expect(!isResisted(sentAt: 1_000, firstUnlockAt: 1_300))
        #expect(isResisted(sentAt: 1_000, firstUnlockAt: 1_301))
    }
}
