import DeviceIntake
import FocusRules
import Testing

/// A streak of an example, like `60 min estimated` or `1 min 1 s`.
struct WantedStreak: Hashable {
    let seconds: Int
    let isEstimated: Bool

    init(_ text: Substring) {
        let words = text.split(separator: " ")
        var seconds = 0
        for (number, unit) in zip(words, words.dropFirst()) {
            seconds += (Int(number) ?? 0) * (unit == "min" ? 60 : 1)
        }
        self.seconds = seconds
        isEstimated = words.last == "estimated"
    }

    init(_ streak: Streak) {
        seconds = streak.ended - streak.began
        isEstimated = streak.isEstimated
    }
}

/// The events of an example, like `aL 09:00, +1 iU 10:00`: device, effect and time, from Monday 2026-03-02 on.
func streakEvents(_ text: String) -> [StreakEvent] {
    var today = day("2026-03-02")
    return text.split(separator: ", ").enumerated().map { index, event in
        let words = event.split(separator: " ").map(String.init)
        if words[0].hasPrefix("+") { today = day("2026-03-02") + (Int(words[0].dropFirst()) ?? 0) }
        let name = words[words.count - 2]
        let at = today * secondsPerDay + clock(words[words.count - 1])
        let device = Array("abi").firstIndex(of: name.first ?? "a").map { $0 + 1 } ?? 0
        if name.hasSuffix("X") { return .deletion(of: device, at: at) }
        let effects: [Character: StreakEvent.Effect] = [
            "L": .lock, "M": .unlock, "V": .verifyingUnlock, "U": name.first == "i" ? .heldUnlock : .unlock,
        ]
        return StreakEvent(
            at: at, device: device, seq: index + 1, day: utcDay(of: at),
            effect: effects[name.last ?? "?"] ?? .lock)
    }
}

@Suite("Streaks by the contract's examples")
struct StreakExamplesTests {
    /// Guard: a locked phone stays locked since its first lock; one that is held is locked after the hold;
    /// one that is lost is unknown after a day (`StreakState`)
    /// Guard: a streak that a verifying unlock ends is lost (`StreakState.take`)
    /// Guard: a deletion comes after all events of its instant (`StreakPosition`)
    @Test(
        "S1: events and their streaks",
        arguments: [
            ("aU 09:00, aL 09:10, aU 10:10", "60 min"),
            ("aL 09:00, aL 09:30, aU 10:00", "60 min"),
            ("aL 09:00, aU 10:00, aU 11:00", "60 min"),
            ("iU 09:00, iU 10:03", "60 min estimated"),
            ("iU 09:00, iU 09:02", "none"),
            ("iU 09:00, iU 09:02, iU 10:05", "60 min estimated"),
            ("iU 09:00, iU 09:04", "none"),
            ("iU 09:00, iU 09:04:01", "1 min 1 s estimated"),
            ("iU 09:00, iL 09:01, iU 10:01", "60 min"),
            ("iM 09:00, iU 10:00", "none"),
            ("aL 10:00, bU 10:05, bL 10:20, aU 11:20", "5 min, 60 min"),
            ("aL 10:00, bL 10:30, aU 11:30", "60 min"),
            ("aL 09:58, iU 10:00, iU 11:03", "2 min, 60 min estimated"),
            ("bU 08:00, +1 aL 07:00, +1 aU 08:00", "none"),
            ("bU 08:00, +1 aL 07:00, +1 aU 09:00", "60 min"),
            ("aU 09:00, +1 aU 10:30", "none"),
            ("aL 09:00, iV 10:00, aU 11:03", "60 min estimated"),
            ("aL 09:00, bU 09:30, bX 10:00, aU 11:00", "30 min, 60 min"),
            ("aL 09:00, aX 10:00, bU 11:00", "none"),
            ("+6 aL 23:50, +7 aU 00:10", "20 min"),
            // Beyond the contract's table: a deletion comes after all events of its instant.
            ("aL 09:00, aX 10:00, bU 10:00", "60 min"),
        ])
    func examples(events: String, streaks: String) throws {
        let events = streakEvents(events)
        let wanted = streaks == "none" ? [] : streaks.split(separator: ", ").map { WantedStreak($0) }
        let last = try #require(events.last)
        var history = StreakHistory()
        let folded = history.fold(events, hold: 180, now: last.at)
        #expect(folded.streaks.map { WantedStreak($0) } == wanted)
    }

    @Test("a streak over Sunday night belongs to Monday's week")
    func belongsToItsEnd() {
        var history = StreakHistory()
        let streaks = history.fold(streakEvents("+6 aL 23:50, +7 aU 00:10"), hold: 180, now: 0).streaks
        #expect(streaks.map(\.day) == [day("2026-03-09")])
        #expect(streaks.map { monday(of: $0.day) } == [day("2026-03-09")])
        #expect(streaks.map(\.points) == [2_996])
    }

    /// Guard: a streak without points appears in no figure; a longer one than a week counts as a week
    /// (`StreakState`, `Streak.seconds`)
    @Test(
        "P1: points of one streak",
        arguments: [
            (59, 0), (60, 0), (61, 17), (180, 1_099), (300, 1_609), (1_200, 2_996), (1_800, 3_401),
            (3_600, 4_094),
            (7_200, 4_787), (28_800, 6_174), (86_400, 7_272), (604_800, 9_218), (700_000, 9_218),
        ])
    func points(seconds: Int, points: Hundredths) {
        #expect(streakPoints(seconds: seconds) == points)
    }

    /// Guard: a streak without points appears in no figure; a longer one than a week counts as a week
    /// (`StreakState`, `Streak.seconds`)
    /// Guard: a day counts its longest streaks only (`DayStreaks.figures`)
    @Test(
        "D1: one day",
        arguments: [
            ([(100, 180)], 12, 13_188, 100, 180),
            ([(100, 180)], 0, 109_900, 100, 180),
            ([(1, 28_800), (6, 3_600)], 12, 30_738, 7, 28_800),
            ([(1, 60), (1, 61)], 12, 17, 1, 61),
            ([(1, 700_000)], 12, 9_218, 1, 604_800),
        ] as [([(Int, Int)], Int, Int, Int, Int)])
    func figures(streaks: [(Int, Int)], counted: Int, points: Int, count: Int, longest: Int) {
        var (events, at) = ([StreakEvent](), 0)
        for seconds in streaks.flatMap({ Array(repeating: $0.1, count: $0.0) }) {
            at += 1_000_000
            for (time, effect) in [(at, StreakEvent.Effect.lock), (at + seconds, .unlock)] {
                events.append(StreakEvent(at: time, device: 1, seq: events.count, day: 9, effect: effect))
            }
        }
        var history = StreakHistory()
        let days = history.fold(events, hold: 180, now: at).changed([])
        #expect(days.count == 1)
        let figures = days[0].after.figures(counted: counted)
        #expect(
            figures
                == DayFigures(points: points, streakCount: count, longestStreak: longest, isEstimated: false))
    }
}
