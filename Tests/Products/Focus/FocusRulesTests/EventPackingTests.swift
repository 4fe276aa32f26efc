import DaylyTesting
import DeviceIntake
import FocusRules
import Testing

@Suite("Packed events")
struct EventPackingTests {
    private static let day = 20_514
    private static let midnight = day * secondsPerDay

    private static var contents: [FocusEvent.Content] {
        LockSource.allCases.map { .lock($0) }
            + UnlockSource.allCases.map { .unlock($0, verifies: false) }
            + [.unlock(.shortcut, verifies: true), .unlock(.verification, verifies: true)]
            + [.open(intention: 0), .open(intention: 300)]
            + [0, 7].flatMap { back in
                [0, 1_440].map { .usage(day: day - back, minutes: $0, isFinal: back == 7) }
            }
    }

    @Test("every kind of event comes back as it was, after any pause and on any local day")
    func roundTrips() {
        for content in Self.contents {
            for (at, localDay) in [(0, 0), (1, -1), (255, 1), (256, 0), (65_536, -3), (86_399, 2)] {
                // A report is about its own day or one before.
                var content = content
                if case .usage(let reported, let minutes, let isFinal) = content {
                    content = .usage(day: reported + localDay, minutes: minutes, isFinal: isFinal)
                }
                let event = FocusEvent(
                    seq: 1 << 52, at: Self.midnight + at, day: Self.day + localDay, content: content)
                let bytes = EventPacking.packed([event], day: Self.day, afterSeq: event.seq - 1, at: 0)
                #expect(EventPacking.unpacked(bytes, day: Self.day, firstSeq: event.seq) == [event])
            }
        }
    }

    /// A day of a busy user: 200 events, some of whose numbers are left out.
    private static func busyDay(_ numbers: inout SeededNumbers, offset: Int) -> [FocusEvent] {
        var (seq, at) = (1_000, midnight)
        return (0..<200).map { _ in
            seq += Int.random(in: 0..<20, using: &numbers) == 0 ? 1_000 : 1
            at += Int.random(in: 0...860, using: &numbers)
            let isLate = at - midnight + offset >= secondsPerDay
            return FocusEvent(
                seq: seq, at: min(at, midnight + secondsPerDay - 1), day: day + (isLate ? 1 : 0),
                content: contents.randomElement(using: &numbers) ?? .lock(.automatic))
        }
    }

    @Test("a day takes at most five bytes for each event, and comes back as it was", arguments: [0, 43_200])
    func isSmall(offset: Int) throws {
        var numbers = SeededNumbers(seed: 3)
        let events = Self.busyDay(&numbers, offset: offset).map { event in
            guard case .usage(_, let minutes, let isFinal) = event.content else { return event }
            let content = FocusEvent.Content.usage(day: event.day, minutes: minutes, isFinal: isFinal)
            return FocusEvent(seq: event.seq, at: event.at, day: event.day, content: content)
        }
        let bytes = EventPacking.packed(events, day: Self.day, afterSeq: events[0].seq - 1, at: 0)
        #expect(bytes.count <= 5 * events.count)
        #expect(EventPacking.unpacked(bytes, day: Self.day, firstSeq: events[0].seq) == events)
    }

    @Test("the bytes of later events are appended to those of earlier ones")
    func appends() {
        var numbers = SeededNumbers(seed: 4)
        let events = Self.busyDay(&numbers, offset: 3_600)
        let whole = EventPacking.packed(events, day: Self.day, afterSeq: events[0].seq - 1, at: 0)
        let first = EventPacking.packed(events[..<70], day: Self.day, afterSeq: events[0].seq - 1, at: 0)
        let rest = EventPacking.packed(
            events[70...], day: Self.day, afterSeq: events[69].seq, at: events[69].at)
        #expect(first + rest == whole)
    }

    /// Guard: packed bytes that end too early are refused (`EventPacking.unpacked`, `StreakHistory`)
    @Test("bytes that end too early or are of no kind are refused")
    func refusesOtherBytes() {
        let event = FocusEvent(
            seq: 1, at: Self.midnight + 70_000, day: Self.day, content: .open(intention: 5))
        let bytes = EventPacking.packed([event], day: Self.day, afterSeq: 0, at: 0)
        for length in 1..<bytes.count {
            #expect(EventPacking.unpacked(bytes.prefix(length), day: Self.day, firstSeq: 1) == nil)
        }
        #expect(EventPacking.unpacked([15], day: Self.day, firstSeq: 1) == nil)
    }

    @Test("streaks of a day come back as they were, and bytes that end too early are refused")
    func packsStreaks() {
        let streaks = [(-40_000, -1_000, true), (-1_000, 70_000, false), (71_000, 90_000, true)].map {
            Streak(
                began: Self.midnight + $0.0, ended: Self.midnight + $0.1, day: Self.day, isEstimated: $0.2)
        }
        let day = DayStreaks(day: Self.day, streaks: streaks)
        #expect(DayStreaks(day: Self.day, packed: day.packed) == day)
        #expect(DayStreaks(day: Self.day, packed: day.packed.dropLast()) == nil)
        #expect(DayStreaks(day: Self.day, packed: []) == DayStreaks(day: Self.day, streaks: []))
    }
}
