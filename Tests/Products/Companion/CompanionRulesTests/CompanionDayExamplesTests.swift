import CompanionRules
import DeviceIntake
import Testing

/// A row of the contract's table of bounds. The zones are written as the hours that their clocks are ahead.
struct BoundsExample: Sendable {
    let began: String
    var isFirst = false
    var zoneChangedAt: String?
    /// The midnights of the next four dates in the zone that holds.
    let midnights: [String]
    let ends: String
    let minutes: Int
}

@Suite("Days by the contract's examples")
struct CompanionDayExamplesTests {
    @Test(
        "bounds of days",
        arguments: [
            BoundsExample(
                began: "2026-03-29 00:00 +1",
                midnights: ["2026-03-30 00:00 +2", "2026-03-31 00:00 +2", "2026-04-01 00:00 +2"],
                ends: "2026-03-30 00:00 +2", minutes: 23 * 60),
            BoundsExample(
                began: "2026-10-25 00:00 +2",
                midnights: ["2026-10-26 00:00 +1", "2026-10-27 00:00 +1", "2026-10-28 00:00 +1"],
                ends: "2026-10-26 00:00 +1", minutes: 25 * 60),
            BoundsExample(
                began: "2026-03-02 23:30 +1", isFirst: true,
                midnights: ["2026-03-04 00:00 +1", "2026-03-03 00:00 +1"],
                ends: "2026-03-03 00:00 +1", minutes: 30),
            BoundsExample(
                began: "2026-03-02 00:00 +1", zoneChangedAt: "2026-03-02 10:00 +1",
                midnights: ["2026-03-03 00:00 +13", "2026-03-04 00:00 +13", "2026-03-05 00:00 +13"],
                ends: "2026-03-04 00:00 +13", minutes: 36 * 60),
            BoundsExample(
                began: "2026-03-03 00:00 +13", zoneChangedAt: "2026-03-03 02:00 +13",
                midnights: ["2026-03-04 00:00 -8", "2026-03-05 00:00 -8", "2026-03-06 00:00 -8"],
                ends: "2026-03-04 00:00 -8", minutes: 45 * 60),
            BoundsExample(
                began: "2026-03-02 00:00 -8", zoneChangedAt: "2026-03-02 23:00 -8",
                midnights: ["2026-03-03 00:00 -5", "2026-03-04 00:00 -5", "2026-03-05 00:00 -5"],
                ends: "2026-03-03 02:00 -5", minutes: 23 * 60),
            BoundsExample(
                began: "2026-03-28 00:00 +2",
                midnights: ["2026-03-29 01:00 +3", "2026-03-30 00:00 +3", "2026-03-31 00:00 +3"],
                ends: "2026-03-29 01:00 +3", minutes: 24 * 60),
            BoundsExample(
                began: "2011-12-29 00:00 -10",
                midnights: ["2011-12-31 00:00 +14", "2011-12-31 00:00 +14", "2012-01-01 00:00 +14"],
                ends: "2011-12-31 00:00 +14", minutes: 24 * 60),
        ])
    func bounds(example: BoundsExample) {
        let running = RunningDay(
            day: day(example.began.prefix(10)), beganAt: instant(example.began), isFirst: example.isFirst)
        let midnights = example.midnights.map { Midnight(date: day($0.prefix(10)), at: instant($0)) }
        let end = running.end(among: midnights, zoneChangedAt: example.zoneChangedAt.map(instant))
        #expect(end == instant(example.ends))
        #expect(end.map { $0 - running.beganAt } == example.minutes * 60)
    }

    @Test("a day that is not the first lasts 18 hours, and a midnight at exactly 18 hours ends it")
    func eighteenHours() {
        let running = RunningDay(
            day: day("2026-03-02"), beganAt: instant("2026-03-02 06:00 0"), isFirst: false)
        let midnights = ["2026-03-03 00:00 0", "2026-03-04 00:00 0"]
            .map { Midnight(date: day($0.prefix(10)), at: instant($0)) }
        #expect(running.end(among: midnights) == instant("2026-03-03 00:00 0"))
        let later = RunningDay(
            day: day("2026-03-02"), beganAt: instant("2026-03-02 06:00 0") + 1, isFirst: false)
        #expect(later.end(among: midnights) == instant("2026-03-04 00:00 0"))
    }

    @Test(
        "limits",
        arguments: [
            (120, [240], 120, 240), (120, [90], 90, 90), (120, [240, 90], 90, 90), (120, [90, 120], 90, 120),
        ])
    func limits(inForce: Int, set: [Int], today: Int, tomorrow: Int) {
        var limit = DailyLimit(inForce)
        for minutes in set { limit.set(minutes) }
        #expect(limit == DailyLimit(today: today, tomorrow: tomorrow))
        limit.beginNextDay()
        #expect(limit == DailyLimit(tomorrow))
    }

    @Test(
        "schedule",
        arguments: [
            ("09:00-17:00", Set(1...5), "2026-03-02 09:00", true),
            ("09:00-17:00", Set(1...5), "2026-03-02 17:00", false),
            ("22:00-06:00", [1], "2026-03-03 05:59:59", true),
            ("22:00-06:00", [1], "2026-03-02 05:00", false),
            ("00:00-00:00", [6, 7], "2026-03-07 12:00", true),
            ("00:00-00:00", [6, 7], "2026-03-09 00:00", false),
        ] as [(String, Set<Int>, String, Bool)])
    func schedule(times: String, weekdays: Set<Int>, local: String, isUp: Bool) {
        let ends = times.split(separator: "-").map { clock($0) / 60 }
        let schedule = ShieldSchedule(from: ends[0], to: ends[1], weekdays: weekdays)
        let parts = local.split(separator: " ")
        #expect(schedule.isUp(weekday: weekday(of: day(parts[0])), minute: clock(parts[1]) / 60) == isUp)
    }

    @Test("a schedule over midnight on a Sunday reaches into the Monday")
    func overSundayNight() {
        let schedule = ShieldSchedule(from: 1_320, to: 360, weekdays: [7])
        #expect(schedule.isUp(weekday: 7, minute: 1_320))
        #expect(schedule.isUp(weekday: 1, minute: 359))
        #expect(!schedule.isUp(weekday: 1, minute: 360))
        #expect(!schedule.isUp(weekday: 1, minute: 1_320))
    }

    @Test("a report is about a day that has begun, and that ended at most 7 days ago")
    func reports() {
        let times = Berlin.figures(1).times
        #expect(refusal(ofReportAbout: nil, receivedAt: times.beginsAt) == .unknownDay)
        #expect(refusal(ofReportAbout: times, receivedAt: times.beginsAt) == nil)
        #expect(refusal(ofReportAbout: times, receivedAt: times.endsAt + 7 * secondsPerDay) == nil)
        #expect(refusal(ofReportAbout: times, receivedAt: times.endsAt + 7 * secondsPerDay + 1) == .tooOld)
    }
}
