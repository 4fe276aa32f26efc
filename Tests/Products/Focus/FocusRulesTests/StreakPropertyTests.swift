import DaylyTesting
import DeviceIntake
import FocusRules
import Testing

@Suite("Streaks of any events")
struct StreakPropertyTests {
    private static let start = instant("2026-03-02T00:00:00Z")
    private static let end = instant("2026-03-08T12:00:00Z")

    /// Events of a device by time, many of them at the same instants as those of other devices.
    private static func events(_ numbers: inout SeededNumbers) -> [FocusEvent] {
        let contents: [FocusEvent.Content] = [
            .lock(.automatic), .lock(.manual), .unlock(.automatic, verifies: false), .open(intention: 0),
            .unlock(.shortcut, verifies: false), .unlock(.verification, verifies: true),
            .unlock(.manual, verifies: false), .usage(day: 20_515, minutes: 90, isFinal: false),
        ]
        let steps = [0, 1, 60, 61, 180, 181, 600, 3_600, 40_000, 86_400, 86_401]
        var (at, seq, events) = (start, 0, [FocusEvent]())
        while true {
            at += steps.randomElement(using: &numbers) ?? 0
            seq += Int.random(in: 1...3, using: &numbers)
            guard at <= end, events.count < 60 else { return events }
            let day = utcDay(of: at) + Int.random(in: -1...1, using: &numbers)
            let content = contents.randomElement(using: &numbers) ?? .lock(.automatic)
            events.append(FocusEvent(seq: seq, at: at, day: day, content: content))
        }
    }

    /// The days after the devices' events have come in batches of at most this size, in a random order of the devices.
    private static func days(
        _ devices: [[FocusEvent]], batch: Int, _ numbers: inout SeededNumbers
    ) throws -> (days: [DayStreaks], refolds: Int) {
        var store = StreakStore()
        var rest = devices.enumerated().map { (number: $0.offset + 1, events: $0.element[...]) }
        for number in 1...devices.count { store.countsFrom[number] = number }
        while let next = rest.indices.filter({ !rest[$0].events.isEmpty }).randomElement(using: &numbers) {
            let size = Int.random(in: 1...batch, using: &numbers)
            try store.sync(Array(rest[next].events.prefix(size)), from: rest[next].number, now: end)
            rest[next].events = rest[next].events.dropFirst(size)
        }
        return (try store.days(), store.refolds)
    }

    /// Guard: a late event makes all later events fold again, from a checkpoint (`StreakHistory.firstDay`,
    /// `FoldedStreaks.replacedFrom`)
    @Test("any split and mutual order of the devices' batches gives the same days")
    func orderDoesNotMatter() throws {
        var numbers = SeededNumbers(seed: 1)
        var refolds = 0
        for _ in 0..<150 {
            let devices = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in Self.events(&numbers) }
            let whole = try Self.days(devices, batch: 1_000, &numbers)
            let split = try Self.days(devices, batch: 7, &numbers)
            #expect(split.days.filter { !$0.streaks.isEmpty } == whole.days.filter { !$0.streaks.isEmpty })
            refolds += split.refolds
        }
        #expect(refolds > 150)
    }

    /// Guard: a day counts its longest streaks only (`DayStreaks.figures`)
    @Test("streaks never overlap and lie within the events; a day counts at most its twelve longest")
    func staysWithinTime() throws {
        var numbers = SeededNumbers(seed: 2)
        var streaks = 0
        for _ in 0..<150 {
            let devices = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in Self.events(&numbers) }
            let days = try Self.days(devices, batch: 20, &numbers).days
            let all = days.flatMap(\.streaks).sorted { $0.ended < $1.ended }
            for (before, after) in zip(all, all.dropFirst()) { #expect(before.ended <= after.began) }
            #expect(all.allSatisfy { $0.began >= Self.start && $0.ended <= Self.end && $0.seconds > 60 })
            for day in days {
                let counted = zip(day.streaks, day.areCounted(12)).filter(\.1).map(\.0)
                #expect(counted.count == min(12, day.streaks.count))
                #expect(day.figures(counted: 12).points == counted.reduce(0) { $0 + $1.points })
            }
            streaks += all.count
        }
        #expect(streaks > 500)
    }

    @Test("of equal streaks the earlier one counts")
    func prefersTheEarlier() {
        let streaks = [(0, 100), (200, 300), (400, 700)].map {
            Streak(began: $0.0, ended: $0.1, day: 0, isEstimated: false)
        }
        #expect(DayStreaks(day: 0, streaks: streaks).areCounted(2) == [true, false, true])
        #expect(DayStreaks(day: 0, streaks: streaks).areCounted(0) == [true, true, true])
    }

    @Test("a sync with events after all others folds these alone")
    func foldsNewEventsAlone() {
        var history = StreakHistory()
        _ = history.fold(streakEvents("aL 09:00, aU 10:00"), hold: 180, now: 0)
        #expect(history.firstDay(toFold: streakEvents("+1 aL 09:00")) == nil)
        #expect(history.firstDay(toFold: streakEvents("bL 09:30")) != nil)
        let folded = history.fold(streakEvents("aL 10:30, aU 11:30"), hold: 180, now: 0)
        #expect(folded.replacedFrom == nil)
        #expect(folded.streaks.count == 1)
    }

    @Test(
        "a late event removes the streak that it interrupts, adds what is left of it, and leaves the others alone"
    )
    func replaces() throws {
        var history = StreakHistory()
        let first = streakEvents("aL 08:00, aU 09:00, aL 09:10, aU 11:10")
        let before = history.fold(first, hold: 180, now: 0).changed([]).map(\.after)
        let late = streakEvents("bU 10:00, bL 10:10")
        #expect(history.firstDay(toFold: late) == day("1970-01-02"))
        let folded = history.fold(first + late, hold: 180, now: 0)
        let change = try #require(folded.changed(before).first)
        #expect(change.removed.map(\.seconds) == [7_200])
        #expect(change.added.map(\.seconds) == [3_000, 3_600])
        #expect(change.after.streaks.map(\.seconds) == [3_600, 3_000, 3_600])
        #expect(folded.changed([change.after]).isEmpty)
    }

    /// Guard: checkpoints reach back as far as events may be late, and no further (`StreakHistory.forget`)
    @Test("a history stays small: it keeps eight days")
    func staysSmall() throws {
        var history = StreakHistory()
        var at = Self.start
        for step in 0..<400 {
            at += 21_600
            let effect: StreakEvent.Effect = step % 2 == 0 ? .lock : .heldUnlock
            let event = StreakEvent(at: at, device: step % 3, seq: step, day: utcDay(of: at), effect: effect)
            _ = history.fold([event], hold: 180, now: at)
            #expect(StreakHistory(packed: history.packed) == history)
        }
        #expect(history.packed.count < 300)
        let oldest = StreakEvent(at: at - 604_800, device: 3, seq: 1, day: 0, effect: .lock)
        let first = try #require(history.firstDay(toFold: [oldest]))
        #expect(first == utcDay(of: oldest.at))
    }

    /// Guard: packed bytes that end too early are refused (`EventPacking.unpacked`, `StreakHistory`)
    @Test("a history that is not one is refused")
    func refusesOtherBytes() {
        var history = StreakHistory()
        _ = history.fold(streakEvents("aL 09:00, iU 09:30, +1 aU 10:00, +2 bL 10:00"), hold: 180, now: 0)
        let packed = history.packed
        #expect(StreakHistory(packed: packed) == history)
        for length in packed.indices { #expect(StreakHistory(packed: packed.prefix(length)) == nil) }
        #expect(StreakHistory(packed: packed + [0]) == nil)
    }

    @Test(
        "a running streak is shown once every phone is left alone, and is expected as soon as time alone brings it"
    )
    func runs() {
        var history = StreakHistory()
        let events = streakEvents("aL 09:00, iU 10:00")
        _ = history.fold(events, hold: 180, now: 0)
        let unlock = events[1].at
        #expect(history.running(at: unlock + 179) == nil)
        #expect(history.running(at: unlock + 180) == RunningStreak(began: unlock + 180, isEstimated: true))
        #expect(history.expected == RunningStreak(began: unlock + 180, isEstimated: true))
        _ = history.fold(streakEvents("+1 aU 10:00"), hold: 180, now: 0)
        // The other phone has been in use for exactly a day, and then for more than a day.
        #expect(history.running(at: unlock + 172_800) == nil)
        let later = history.running(at: unlock + 172_801)
        #expect(later == RunningStreak(began: unlock + 172_800, isEstimated: false))
    }
}
