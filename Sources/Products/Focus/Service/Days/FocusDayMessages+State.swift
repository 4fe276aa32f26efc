import FocusAPI
import CivilTime
import DaylyAPI
import DeviceIntake
import FocusRules
import Foundation

extension Double {
    /// Points as answers give them: with at most two decimals.
    init(points: Hundredths) { self = Double(points) / 100 }
}

extension FocusNow {
    init(_ state: FocusNowState) {
        let (member, figures, today) = (state.member, state.today.figures, state.member.today)
        let goal = state.usage.goal
        self.init(
            status: state.status.rawValue,
            streak: state.streak.map {
                Streak(since: Date(instant: $0.began), estimated: $0.isEstimated)
            },
            day: Day(
                day: isoText(day: today), points: Double(points: figures.points),
                streakCount: figures.streakCount, longestStreak: figures.longestStreak,
                minutes: state.today.minutes),
            week: Week(
                week: isoText(day: monday(of: today)), points: Double(points: state.week.points),
                streakCount: state.week.streakCount, longestStreak: state.week.longestStreak),
            session: state.parts.session,
            goal: Goal(
                minutes: goal.inForce(on: today), fromTomorrow: goal.waiting(on: today)?.value,
                streak: state.usage.goalDays.streak, lives: state.usage.goalDays.lives(on: today)),
            freeze: Freeze(available: state.parts.canFreeze, frozenToday: state.parts.isFrozenToday),
            xp: state.parts.xp, coins: state.parts.coins, tier: state.tier.rawValue,
            tutorial: state.parts.tutorial.rawValue, proUntil: member.proUntil.map(Date.init(instant:)))
    }
}

extension FocusWeek {
    init(_ week: DayNumber, _ figures: DayFigures, days: [FocusDay]? = nil) {
        self.init(
            week: isoText(day: week), points: Double(points: figures.points),
            streakCount: figures.streakCount,
            longestStreak: figures.longestStreak, estimated: figures.isEstimated, days: days)
    }
}

extension FocusDay {
    /// - Parameters:
    ///   - streaks: nil: the member is left out.
    init(_ day: FocusDayState, closedThrough: DayNumber?, streaks: Nullable<[FocusStreak]>? = nil) {
        let score = day.minutes.map { ScreenTimeScore(minutes: $0) }
        self.init(
            day: isoText(day: day.day), points: Double(points: day.figures.points),
            streakCount: day.figures.streakCount, longestStreak: day.figures.longestStreak,
            estimated: day.figures.isEstimated, streaks: streaks, minutes: day.minutes, score: score?.score,
            usagePoints: score?.usagePoints, closed: closedThrough.map { day.day <= $0 } ?? false,
            rating: day.isRatedUp.map { $0 ? "up" : "down" })
    }
}

extension FocusStreak {
    /// The streaks of a day, by end.
    static func all(of day: DayStreaks, counted: Int) -> [FocusStreak] {
        zip(day.streaks, day.areCounted(counted)).map { streak, isCounted in
            FocusStreak(
                beganAt: Date(instant: streak.began), endedAt: Date(instant: streak.ended),
                seconds: streak.seconds, points: Double(points: streak.points), estimated: streak.isEstimated,
                counted: isCounted)
        }
    }
}
