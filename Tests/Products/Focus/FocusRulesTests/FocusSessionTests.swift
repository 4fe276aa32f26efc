import FocusRules
import Testing

@Suite("Sessions and schedules")
struct FocusSessionTests {
    /// Guard: beast mode refuses an early end (`SessionEnd`)
    @Test(
        "X1: ends of sessions",
        arguments: [
            (25, 1_500, false, .completed, 5, 0), (25, 1_499, false, .gaveUp, 0, 0),
            (5, 7_200, false, .completed, 3, 6_900), (15, 900, true, .completed, 3, 0),
            (16, 960, false, .completed, 5, 0), (91, 5_460, false, .completed, 25, 0),
            (720, 43_200, false, .completed, 25, 0), (60, 10, true, .canceled, 0, 0),
            (60, 11, false, .gaveUp, 0, 0), (60, 11, true, nil, 0, 0),
        ] as [(Int, Int, Bool, SessionState?, Int, Int)])
    func ends(goal: Int, elapsed: Int, isBeastMode: Bool, state: SessionState?, xp: Int, extra: Int) {
        let end = SessionEnd(goalMinutes: goal, elapsedSeconds: elapsed, isBeastMode: isBeastMode)
        #expect(end == state.map { SessionEnd(state: $0, xp: xp, extraSeconds: extra) })
    }

    @Test(
        "a longer goal pays more",
        arguments: [
            (5, 3), (15, 3), (16, 5), (30, 5), (31, 8), (45, 8), (46, 10), (60, 10), (61, 15), (90, 15),
            (91, 25),
        ])
    func xp(goal: Int, xp: Int) {
        #expect(sessionXP(goalMinutes: goal) == xp)
    }

    @Test(
        "C1: the goal of a schedule's session is what really passes",
        arguments: [
            ("2026-03-28T21:00:00Z", "2026-03-29T04:00:00Z", 420),
            ("2026-10-24T20:00:00Z", "2026-10-25T05:00:00Z", 540),
            ("2026-03-29T01:00:00Z", "2026-03-29T04:00:00Z", 180),
            ("2026-10-25T00:30:00Z", "2026-10-25T05:00:00Z", 270),
            ("2026-09-06T03:30:00Z", "2026-09-06T04:00:00Z", 30),
            ("2026-03-02T09:00:00Z", "2026-03-02T09:20:00Z", 20),
            ("2026-03-02T09:00:01Z", "2026-03-02T09:20:00Z", 19),
        ])
    func goals(from: String, to: String, minutes: Int) {
        #expect(scheduledGoalMinutes(startedAt: instant(from), endsAt: instant(to)) == minutes)
    }

    private static func times(_ text: String) -> ScheduleTimes {
        let parts = text.split(separator: " ")
        let hours = parts[0].split(separator: "-").map { clock(String($0)) / 60 }
        return ScheduleTimes(
            from: hours[0], to: hours[1],
            weekdays: Set(parts[1].split(separator: ",").compactMap { Int($0) }))
    }

    /// Guard: schedules overlap over midnight and Sunday night too (`ScheduleTimes.overlaps`)
    @Test(
        "C2: overlap of two schedules",
        arguments: [
            ("22:00-06:00 7", "05:59-07:00 1", true), ("22:00-06:00 7", "06:00-07:00 1", false),
            ("09:00-10:00 1,2", "09:30-11:00 3,4", false), ("09:00-10:00 1,2", "09:30-11:00 2,3", true),
            ("09:00-12:00 5", "10:00-11:00 5", true), ("23:00-01:00 3", "00:30-00:50 4", true),
        ])
    func overlaps(one: String, other: String, overlap: Bool) {
        #expect(Self.times(one).overlaps(Self.times(other)) == overlap)
        #expect(Self.times(other).overlaps(Self.times(one)) == overlap)
        #expect(Self.times(one).overlaps(Self.times(one)))
    }

    @Test(
        "a schedule lasts 20 to 720 minutes by the clock",
        arguments: [
            ("09:00-09:19 1", false), ("09:00-09:20 1", true), ("22:00-10:00 1", true),
            ("22:00-10:01 1", false), ("09:00-09:00 1", false),
        ])
    func lengths(times: String, isValid: Bool) {
        #expect(Self.times(times).hasValidLength == isValid)
    }

    @Test(
        "a schedule begins on its weekdays, and ends on the next date if its end is not after its beginning")
    func dates() {
        let night = Self.times("22:00-06:00 7")
        #expect(night.begins(on: day("2026-03-01")))
        #expect(!night.begins(on: day("2026-03-02")))
        #expect(night.endDate(of: day("2026-03-01")) == day("2026-03-02"))
        #expect(Self.times("09:00-09:00 1").minutes == 1_440)
        #expect(Self.times("09:00-10:00 1").endDate(of: day("2026-03-02")) == day("2026-03-02"))
    }

    @Test(
        "Q2: the tutorial is offered to a share of the users",
        arguments: [(100, true), (27, true), (26, false), (0, false)])
    func tutorial(percent: Int, isOffered: Bool) {
        #expect(isTutorialOffered(user: exampleUser, percent: percent) == isOffered)
    }
}
