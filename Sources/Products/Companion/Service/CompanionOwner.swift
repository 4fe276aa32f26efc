import CompanionRules
import FeatureKit

/// An account that has joined, after everything that was due has been done.
struct CompanionOwner: Sendable, Equatable {
    let user: UserID
    /// The account's time zone: a name from `pg_timezone_names`.
    let zone: String
    /// PostgreSQL's `now()`, cut to a whole second.
    let now: Instant
    let joinedAt: Instant
    /// The name of the running day.
    var day: DayNumber
    /// The bounds of the running day.
    var dayTimes: DayTimes
    var limit: DailyLimit
    /// The cooldown of the next bypass.
    let cooldownMinutes: Int
    /// nil: the shields are always up.
    let schedule: ShieldSchedule?
    /// Whether the owner wants the push message before the end of a day.
    let wantsNightly: Bool
    let hasPet: Bool

    /// The running day, as its end depends on it.
    var runningDay: RunningDay {
        RunningDay(day: day, beganAt: dayTimes.beginsAt, isFirst: dayTimes.beginsAt == joinedAt)
    }
}

/// A day that has ended.
struct CompanionEndedDay: Sendable, Equatable {
    let day: DayNumber
    let endsAt: Instant
}

/// The ends of an account's days, oldest first. The owner is as after them.
struct CompanionEndedDays: Sendable, Equatable {
    let owner: CompanionOwner
    let days: [CompanionEndedDay]
}
