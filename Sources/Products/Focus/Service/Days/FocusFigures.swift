import DeviceIntake
import FeatureKit
import FocusRules
import Postgres

/// The days and weeks of a user as a change of streaks or of screen time leaves them.
struct FocusFigures: Sendable {
    struct Week: Sendable {
        let week: DayNumber
        let figures: DayFigures
        /// Points of the days of screen time that have just closed.
        let usagePoints: Int
    }

    /// The days to be written, in order.
    let days: [FocusDayState]
    /// The weeks to be written, in order.
    let weeks: [Week]
    /// The days whose streaks have changed.
    let changes: [DayChange]
    let today: FocusDayState
    /// The sums of the current week.
    let currentWeek: DayFigures

    /// Reads the days that may change and those of the current week, and computes the change.
    ///
    /// - Parameters:
    ///   - reports: minutes of screen time by day.
    ///   - closed: the days of screen time that have closed, with their minutes.
    init(
        _ tx: PostgresTransaction, of member: FocusMember, folded: FoldedStreaks,
        reports: [DayNumber: Int] = [:], closed: [FocusUsageState.Report] = [], counted: Int
    ) throws {
        let touched = Self.touched(folded, of: member) + reports.keys + closed.map(\.day)
        let (first, last) = (touched.min() ?? member.today, touched.max() ?? member.today)
        let known = try FocusDayStore.days(
            tx, of: member.user, from: monday(of: first), through: monday(of: last) + 6,
            streaksFrom: folded.firstDay)
        changes = Self.changes(folded, known)
        let byDay = Self.days(known, changes, reports, counted: counted)
        days = Set(changes.map(\.after.day)).union(reports.keys).sorted().compactMap { byDay[$0] }
        weeks = Self.weeks(changes, closed, byDay)
        today = byDay[member.today] ?? FocusDayState(day: member.today)
        currentWeek = Self.sum(of: monday(of: member.today), byDay)
    }

    /// Today, and the first and the last day that may have streaks of the fold. After a journey to the west days after today may
    /// have streaks. No event lies more than a minute after now, and no local day more than one day beside that of UTC.
    private static func touched(_ folded: FoldedStreaks, of member: FocusMember) -> [DayNumber] {
        [member.today] + (folded.firstDay.map { [$0, utcDay(of: member.now + 60) + 1] } ?? [])
    }

    private static func changes(_ folded: FoldedStreaks, _ known: [FocusDayState]) -> [DayChange] {
        let first = folded.firstDay ?? .max
        return folded.changed(
            known.filter { $0.day >= first }.map { $0.streaks ?? DayStreaks(day: $0.day, streaks: []) })
    }

    private static func days(
        _ known: [FocusDayState], _ changes: [DayChange], _ reports: [DayNumber: Int], counted: Int
    ) -> [DayNumber: FocusDayState] {
        var days = Dictionary(uniqueKeysWithValues: known.map { ($0.day, $0) })
        for change in changes {
            var day = days[change.after.day] ?? FocusDayState(day: change.after.day)
            day.streaks = change.after
            day.figures = change.after.figures(counted: counted)
            days[day.day] = day
        }
        for (number, minutes) in reports {
            var day = days[number] ?? FocusDayState(day: number)
            day.minutes = max(day.minutes ?? 0, minutes)
            days[number] = day
        }
        return days
    }

    private static func weeks(
        _ changes: [DayChange], _ closed: [FocusUsageState.Report], _ days: [DayNumber: FocusDayState]
    ) -> [Week] {
        let all = Set((changes.map(\.after.day) + closed.map(\.day)).map { monday(of: $0) })
        return all.sorted().map { week in
            let reports = closed.filter { monday(of: $0.day) == week }
            return Week(
                week: week, figures: sum(of: week, days),
                usagePoints: reports.reduce(0) { $0 + ScreenTimeScore(minutes: $1.minutes).usagePoints })
        }
    }

    private static func sum(of week: DayNumber, _ days: [DayNumber: FocusDayState]) -> DayFigures {
        DayFigures(weekOf: (week..<week + 7).compactMap { days[$0]?.figures })
    }
}
