import FocusRules

/// A local day of a user, as its row keeps it. A day without a row has the values of `init(day:)`.
struct FocusDayState: Sendable, Equatable {
    let day: DayNumber
    var figures = DayFigures.none
    /// nil: not read, or too old to be kept.
    var streaks: DayStreaks?
    var minutes: Int?
    /// Whether the user rated the day up; nil: not at all.
    var isRatedUp: Bool?

    init(day: DayNumber) {
        self.day = day
    }
}

/// The screen time of a user: the days that are closed, and the streak of days that kept the goal.
struct FocusUsageState: Sendable, Equatable {
    /// The latest day about which a phone reported, with the largest report. No earlier day is open.
    struct Report: Sendable, Equatable {
        let day: DayNumber
        var minutes: Int
    }

    let goal: RisingLimit
    let joinedOn: DayNumber
    var days: ScreenTimeDays
    var goalDays: GoalDays
    var report: Report?

    /// Takes a report about a day of the user.
    ///
    /// - Returns: the day with its minutes, if the report counts, and the days with minutes that it closed.
    mutating func take(
        _ day: DayNumber, minutes: Int, isFinal: Bool, eventDay: DayNumber
    ) -> (counted: Report?, closed: [Report]) {
        let effect = days.take(day, isFinal: isFinal, eventDay: eventDay, from: joinedOn)
        guard effect.counts else { return (nil, []) }
        var closed = close(effect.closesBefore)
        let known = report.flatMap { $0.day == day ? $0.minutes : nil } ?? 0
        let counted = Report(day: day, minutes: max(known, minutes))
        report = counted
        closed += close(effect.closesAfter)
        return (counted, closed)
    }

    /// Among the days that close, only the one with the latest report can have minutes.
    private mutating func close(_ range: Range<DayNumber>) -> [Report] {
        guard let report, range.contains(report.day) else { return [] }
        if report.day >= joinedOn, let goal = goal.inForce(on: report.day) {
            goalDays.judge(report.day, minutes: report.minutes, goal: goal)
        }
        return [report]
    }
}
