import CompanionRules
import DeviceIntake
import Testing

/// Events of an example, like `a bypass 22:00, b reshield 00:10 next day, a bypass 08:00 ×21 every 30 min`, as
/// device, kind and time. Devices may be left out, and days may come first: `2 00:30 open`.
func exampleEvents(_ text: String) -> [(device: Int, kind: String, at: Instant)] {
    text.split(separator: ", ").flatMap { event in
        let words = event.split(separator: " ")
        let device = words.contains("b") ? 2 : 1
        let kind = ["bypass", "reshield", "open"].first { words.contains(Substring($0)) } ?? ""
        let time = words.first { $0.contains(":") } ?? "00:00"
        let number = words.first == "2" || words.last == "day" ? 2 : 1
        let count = words.first { $0.hasPrefix("×") }.flatMap { Int($0.dropFirst()) } ?? 1
        let every = words.firstIndex(of: "every").flatMap { Int(words[$0 + 1]) } ?? 0
        let first = Berlin.instant(number, time)
        return (0..<count).map { (device: device, kind: kind, at: first + $0 * every * 60) }
    }
}

@Suite("Health points and windows by the contract's examples")
struct CompanionHPExamplesTests {
    @Test(
        "bands",
        arguments: [
            (0...3, 100, CatState.healthy, CatTone?.none, CatColour.green, 0),
            (4...7, 80, .healthy, .playful, .green, 1),
            (8...11, 60, .concerned, .concerned, .orange, 2),
            (12...15, 40, .tired, .strained, .orange, 3),
            (16...17, 20, .weak, .faint, .red, 4),
            (18...19, 10, .weak, .faint, .red, 5),
            (20...20, 0, .dead, .dead, .red, 6),
        ])
    func bands(
        bypasses: ClosedRange<Int>, band: Int, state: CatState, tone: CatTone?, colour: CatColour, drops: Int
    ) {
        for count in bypasses {
            #expect(dayHP(bypasses: count) == 100 - 5 * count)
            let found = HealthBand(hp: dayHP(bypasses: count))
            #expect(found.rawValue == band)
            #expect(found.state == state)
            #expect(found.tone == tone)
            #expect(found.colour == colour)
            #expect(found.drops == drops)
        }
    }

    @Test(
        "windows",
        arguments: [
            (
                30, "a bypass 22:00, a bypass 22:10, a bypass 23:45", "accepted, window_open, accepted",
                [90, 100], [2_700, 900]
            ),
            (
                30, "a bypass 23:45, a bypass 00:05 next day, a bypass 00:15 next day",
                "accepted, window_open, accepted", [95, 95], [900, 2_700]
            ),
            (
                30, "a bypass 10:00, a bypass 10:29:59, a bypass 10:30", "accepted, window_open, accepted",
                [90, 100], [3_600, 0]
            ),
            (
                30, "a bypass 10:00, b bypass 10:10, a reshield 10:20, a bypass 10:20",
                "accepted, accepted, accepted, accepted", [85, 100], [4_800, 0]
            ),
            (
                10, "a bypass 08:00 ×21 every 30 min, a bypass 00:00 next day",
                String(repeating: "accepted, ", count: 20) + "locked, accepted", [0, 95], [11_400, 600]
            ),
        ])
    func windows(cooldown: Int, events: String, outcomes: String, hp: [Int], openSeconds: [Int]) {
        var replay = CompanionReplay(days: [Berlin.figures(1), Berlin.figures(2)], cooldown: cooldown)
        let found = exampleEvents(events).map { event in
            event.kind == "bypass"
                ? replay.bypass(event.device, at: event.at, now: event.at)
                : replay.reshield(event.device, at: event.at, now: event.at)
        }
        #expect(found.joined(separator: ", ") == outcomes)
        #expect(replay.days.map(\.hp) == hp)
        #expect(replay.days.map(\.openSeconds) == openSeconds)
    }

    @Test("a bypass outside the schedule is refused, but a locked day and an open window are told first")
    func refusals() {
        let open = BypassWindow(opened: 100, closes: 200)
        let refusal = BypassRules.refusal
        #expect(refusal(150, 0, open, false) == .locked)
        #expect(refusal(150, 5, open, false) == .windowOpen)
        #expect(refusal(200, 5, open, false) == .notShielded)
        #expect(refusal(200, 5, open, true) == nil)
    }

    @Test("the windows that are open now tell the last end among them")
    func openUntil() {
        let windows = [
            BypassWindow(opened: 0, closes: 100), BypassWindow(opened: 50, closes: 90),
            BypassWindow(opened: 80, closes: 300),
        ]
        #expect(windows.openUntil(now: 79) == 100)
        #expect(windows.openUntil(now: 80) == 300)
        #expect(windows.openUntil(now: 300) == nil)
    }

    @Test(
        "a reshield outside the window changes nothing",
        arguments: [(99, 200), (100, 100), (150, 150), (200, 200)])
    func reshields(time: Int, closes: Int) {
        var window = BypassWindow(opened: 100, closes: 200)
        let hasChanged = window.reshield(at: time)
        #expect(window.closes == closes)
        #expect(hasChanged == (closes != 200))
    }
}
