import CompanionRules
import DeviceIntake
import Testing

@Suite("The diary by the contract's examples")
struct CompanionDiaryExamplesTests {
    @Test(
        "events and the texts of day 1",
        arguments: [
            (
                "1 08:00 open, 1 09:00 bypass ×4 every 60 min",
                "welcome 1 08:00, band.80 1 12:00, nightly 2 01:00"
            ),
            ("1 09:00 bypass, 1 20:59 open, 1 21:00 open", "welcome 1 20:59, nightly 1 21:00"),
            ("1 09:00 bypass, 2 00:59 open", "nightly 2 00:59"),
            ("2 00:30 open", ""),
            (
                "1 08:00 bypass ×20 every 30 min, 1 22:00 open",
                "band.80 1 09:30, band.60 1 11:30, band.40 1 13:30, band.20 1 15:30, band.10 1 16:30, "
                    + "terminal 1 17:30, welcome 1 22:00"
            ),
            (
                "1 11:00 bypass ×19 every 30 min, 1 21:30 open, 1 22:00 bypass",
                "band.80 1 12:30, band.60 1 14:30, band.40 1 16:30, band.20 1 18:30, band.10 1 19:30, "
                    + "welcome 1 21:30, nightly 1 21:30, band.0 1 22:00"
            ),
        ])
    func texts(events: String, wanted: String) {
        var replay = CompanionReplay(days: [Berlin.figures(1), Berlin.figures(2)], cooldown: 10)
        for event in exampleEvents(events) {
            if event.kind == "open" {
                replay.open(at: event.at, now: event.at)
            } else {
                #expect(replay.bypass(event.device, at: event.at, now: event.at) == "accepted")
            }
        }
        replay.settle(now: Berlin.instant(3, "00:00"))
        let found = replay.diary.filter { $0.figures.day == Berlin.firstDay }
        #expect(found.map { "\($0.kind.drawWord) \(Self.text($0.at))" }.joined(separator: ", ") == wanted)
    }

    private static func text(_ time: Instant) -> String {
        let seconds = time - Berlin.midnight(of: 1)
        let minutes = seconds % secondsPerDay / 60
        let digits = [minutes / 60, minutes % 60].map { String("\(100 + $0)".dropFirst()) }
        return "\(seconds / secondsPerDay + 1) \(digits.joined(separator: ":"))"
    }

    @Test("an open up to 1 h after the end writes the summary of the day before, its welcome, and no more")
    func lateOpen() {
        var before = Berlin.figures(1)
        before.hasEvents = true
        let today = Berlin.figures(2)
        func texts(_ time: Instant) -> [DueText] {
            textsWritten(byOpenAt: time, on: today, dayBefore: before)
        }
        let welcome = DueText(day: today.day, kind: .welcome)
        let nightly = DueText(day: before.day, kind: .nightly)
        #expect(texts(Berlin.instant(2, "00:59:59")) == [nightly, welcome])
        #expect(texts(Berlin.instant(2, "01:00")) == [welcome])
        before.hasSummary = true
        #expect(texts(Berlin.instant(2, "00:59:59")) == [welcome])
    }

    @Test("all three texts of an open come in their order, on a short first day's successor")
    func order() {
        var first = DayFigures(day: 0, times: DayTimes(beginsAt: 0, endsAt: 1_000), limitMinutes: 120)
        first.hasEvents = true
        let second = DayFigures(day: 1, times: DayTimes(beginsAt: 1_000, endsAt: 5_000), limitMinutes: 120)
        #expect(
            textsWritten(byOpenAt: 2_000, on: second, dayBefore: first)
                == [
                    DueText(day: 0, kind: .nightly), DueText(day: 1, kind: .welcome),
                    DueText(day: 1, kind: .nightly),
                ])
    }

    @Test("a late bypass writes the text of its own day that is due and missing")
    func lateBypass() {
        var replay = CompanionReplay(days: [Berlin.figures(1), Berlin.figures(2)], cooldown: 10)
        for index in 0..<20 {
            let time = Berlin.instant(1, "08:00") + index * 1_800
            _ = replay.bypass(1, at: time, now: Berlin.instant(2, index < 10 ? "00:30" : "02:00"))
        }
        // The summary was written at 01:00, so that the fall to 0 is a text of the band.
        #expect(
            replay.diary.map(\.kind.drawWord).suffix(5) == [
                "nightly", "band.40", "band.20", "band.10", "band.0",
            ])
    }

    @Test("hours", arguments: [(2, "0"), (3, "0.1"), (210, "3.5"), (236, "3.9"), (237, "4")])
    func hours(minutes: Int, text: String) {
        #expect(hoursText(minutes: minutes) == text)
    }

    @Test(
        "clock",
        arguments: [
            ("09:30", "9:30 AM", DayPart.morning), ("12:00", "12:00 PM", .afternoon),
            ("16:15", "4:15 PM", .afternoon), ("20:59", "8:59 PM", .evening), ("00:05", "12:05 AM", .night),
            ("04:59", "4:59 AM", .night), ("05:00", "5:00 AM", .morning), ("11:59", "11:59 AM", .morning),
            ("17:00", "5:00 PM", .evening), ("21:00", "9:00 PM", .night),
        ])
    func clockTexts(local: String, text: String, part: DayPart) {
        #expect(clockText(minute: clock(local) / 60) == text)
        #expect(DayPart(minute: clock(local) / 60) == part)
    }

    @Test(
        "summaries",
        arguments: [
            SummaryExample(90, 210, 3_600, .good, "3.5", "4", nil, "0.5"),
            SummaryExample(30, 330, 25_200, .mixed, "5.5", "4", "1.5", nil),
            SummaryExample(0, 360, 34_200, .terminal, "6", "4", "2", nil),
            SummaryExample(15, 200, 30_600, .mixed, "3.3", "4", nil, "0.7"),
            SummaryExample(60, 300, 14_400, .mixed, "5", "4", "1", nil),
            SummaryExample(40, 240, 21_600, .good, "4", "4", nil, nil),
            SummaryExample(40, 242, 21_600, .mixed, "4", "4", nil, nil),
            SummaryExample(95, nil, 1_859, .good, "0.5", "4", nil, "3.5"),
            SummaryExample(100, 300, 0, .mixed, "5", "4", "1", nil),
            SummaryExample(100, nil, 0, .plain, "0", "4", nil, "4"),
        ])
    func summaries(example: SummaryExample) {
        let figures = DayFigures(
            day: 0, times: DayTimes(beginsAt: 0, endsAt: secondsPerDay), limitMinutes: 240,
            bypasses: (100 - example.hp) / 5, openSeconds: example.openSeconds,
            reportedMinutes: example.reported)
        let kind: DiaryKind = example.pool == .terminal ? .terminal : .nightly
        #expect(kind.pool(of: figures) == example.pool)
        let texts = DiaryFigures(
            figures, kind: kind, atMinute: 1_050, firstUseMinute: nil, lastUseMinute: nil)
        #expect(texts.text(of: .phoneUseHours) == example.use)
        #expect(texts.text(of: .goalHours) == example.goal)
        #expect(texts.text(of: .overByHours) == example.over)
        #expect(texts.text(of: .underByHours) == example.under)
        #expect(texts.text(of: .currentHealthBand) == "\(example.hp)")
        #expect(texts.text(of: .terminalAtLocalTime) == (kind == .terminal ? "5:30 PM" : nil))
        #expect(texts.text(of: .firstUseTime) == nil)
    }

    @Test(
        "choice",
        arguments: [
            (DiaryKind.welcome, 20, [], [], 19), (.band(.eighty), 20, [], [], 15),
            (.band(.sixty), 20, [], [], 8), (.terminal, 40, [], [], 3), (.nightly, 40, [], [], 31),
            (.nightly, 40, [], [31, 5, 0, 12], 32), (.nightly, 40, [30, 31, 32], [33, 1], 28),
        ] as [(DiaryKind, Int, [Int], [Int], Int)])
    func choice(kind: DiaryKind, count: Int, without: [Int], lately: [Int], number: Int) {
        let draw = DiaryChoice.draw(user: exampleUser, day: day("2026-03-02"), kind: kind)
        let eligible = (0..<count).filter { !without.contains($0) }
        #expect(DiaryChoice.number(eligible: eligible, lately: lately, draw: draw) == number)
    }

    @Test("if the pool gave all eligible texts lately, all of them stay")
    func allLately() {
        let draw = Draw("a")
        #expect(DiaryChoice.number(eligible: [4, 7], lately: [7, 4, 1], draw: draw) == 4)
        #expect(DiaryChoice.number(eligible: [], lately: [1], draw: draw) == nil)
    }

    @Test("kinds of entries by their words")
    func words() {
        for kind: DiaryKind in [.welcome, .terminal, .nightly, .band(.eighty), .band(.zero)] {
            #expect(DiaryKind(drawWord: kind.drawWord) == kind)
        }
        #expect(DiaryKind(drawWord: "band.100") == nil)
        #expect(DiaryKind.band(.eighty).name == "band")
        #expect(DiaryKind.band(.eighty).band == .eighty)
        #expect(DiaryKind.terminal.band == .zero)
        #expect(DiaryKind.nightly.band == nil)
    }

    @Test("draw(`a`) is that of Focus")
    func draw() {
        #expect(Draw("a").value == 0.010753497314070604)
    }
}

/// A row of the contract's table of summaries, with a limit of 240.
struct SummaryExample: Sendable {
    let hp: Int
    let reported: Int?
    let openSeconds: Int
    let pool: DiaryPool
    let use, goal: String
    let over, under: String?

    init(
        _ hp: Int, _ reported: Int?, _ openSeconds: Int, _ pool: DiaryPool, _ use: String, _ goal: String,
        _ over: String?, _ under: String?
    ) {
        (self.hp, self.reported, self.openSeconds, self.pool) = (hp, reported, openSeconds, pool)
        (self.use, self.goal, self.over, self.under) = (use, goal, over, under)
    }
}
