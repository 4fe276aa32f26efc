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
    private(set) var days: [FocusDayState] = []
    /// The weeks to be written, in order.
    private(set) var weeks: [Week] = []
    /// The days whose streaks have changed.
    private(set) var changes: [DayChange] = []
    private(set) var today: FocusDayState
    /// The sums of the current week.
    private(set) var currentWeek: DayFigures

    /// Reads the days that may change and those of the current week, and computes the change.
    ///
    /// - Parameters:
    ///   - reports: minutes of screen time by day.
    ///   - closed: the days of screen time that have closed, with their minutes.
    init(
        _ tx: PostgresTransaction, _ store: FocusDayStore, of member: FocusMember, folded: FoldedStreaks,
        reports: [DayNumber: Int] = [:], closed: [FocusUsageState.Report] = [], counted: Int
    ) throws {
        let touched = [member.today] + reports.keys + closed.map(\.day) + (folded.firstDay.map { [$0] } ?? [])
        let last = max(touched.max() ?? member.today, folded.streaks.last?.day ?? member.today)
        let known = try store.days(
            tx, of: member.user, from: monday(of: touched.min() ?? member.today),
            through: monday(of: last) + 6, streaksFrom: folded.firstDay)
        var byDay = Dictionary(uniqueKeysWithValues: known.map { ($0.day, $0) })
        let first = folded.firstDay ?? .max
        changes = folded.changed(
            known.filter { $0.day >= first }.map { $0.streaks ?? DayStreaks(day: $0.day, streaks: []) })
        for change in changes {
            byDay[change.after.day, default: FocusDayState(day: change.after.day)].streaks = change.after
            byDay[change.after.day]?.figures = change.after.figures(counted: counted)
        }
        for (day, minutes) in reports {
            let before = byDay[day]?.minutes ?? 0
            byDay[day, default: FocusDayState(day: day)].minutes = max(before, minutes)
        }
        days = Set(changes.map(\.after.day)).union(reports.keys).sorted().compactMap { byDay[$0] }
        weeks = Set((changes.map(\.after.day) + closed.map(\.day)).map(monday)).sorted().map { week in
            Week(
                week: week, figures: Self.sum(of: week, byDay),
                usagePoints: closed.filter { monday(of: $0.day) == week }
                    .reduce(0) { $0 + ScreenTimeScore(minutes: $1.minutes).usagePoints })
        }
        today = byDay[member.today] ?? FocusDayState(day: member.today)
        currentWeek = Self.sum(of: monday(of: member.today), byDay)
    }

    private static func sum(of week: DayNumber, _ days: [DayNumber: FocusDayState]) -> DayFigures {
        DayFigures(weekOf: (week..<week + 7).compactMap { days[$0]?.figures })
    }
}
