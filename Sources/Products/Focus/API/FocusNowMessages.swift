import DaylyAPI
import Foundation

/// `GET /v1/focus/now`: everything that the app's first screen shows.
public struct FocusNow: Codable, Sendable {
    /// The streak that runs.
    public struct Streak: Codable, Sendable {
        public var since: Date
        public var estimated: Bool

        public init(since: Date, estimated: Bool) {
            self.since = since
            self.estimated = estimated
        }
    }

    public struct Day: Codable, Sendable {
        public var day: String
        public var points: Double
        public var streakCount: Int
        public var longestStreak: Int
        @Nullable public var minutes: Int?

        public init(day: String, points: Double, streakCount: Int, longestStreak: Int, minutes: Int?) {
            self.day = day
            self.points = points
            self.streakCount = streakCount
            self.longestStreak = longestStreak
            self._minutes = Nullable(wrappedValue: minutes)
        }

        enum CodingKeys: String, CodingKey {
            case day
            case points
            case streakCount = "streak_count"
            case longestStreak = "longest_streak"
            case minutes
        }
    }

    public struct Week: Codable, Sendable {
        public var week: String
        public var points: Double
        public var streakCount: Int
        public var longestStreak: Int

        public init(week: String, points: Double, streakCount: Int, longestStreak: Int) {
            self.week = week
            self.points = points
            self.streakCount = streakCount
            self.longestStreak = longestStreak
        }

        enum CodingKeys: String, CodingKey {
            case week
            case points
            case streakCount = "streak_count"
            case longestStreak = "longest_streak"
        }
    }

    public struct Goal: Codable, Sendable {
        /// In force today; null: no goal.
        @Nullable public var minutes: Int?
        @Nullable public var fromTomorrow: Int?
        public var streak: Int
        public var lives: Int

        public init(minutes: Int?, fromTomorrow: Int?, streak: Int, lives: Int) {
            self._minutes = Nullable(wrappedValue: minutes)
            self._fromTomorrow = Nullable(wrappedValue: fromTomorrow)
            self.streak = streak
            self.lives = lives
        }

        enum CodingKeys: String, CodingKey {
            case minutes
            case fromTomorrow = "from_tomorrow"
            case streak
            case lives
        }
    }

    public struct Freeze: Codable, Sendable {
        /// Whether the user may take this week's freeze.
        public var available: Bool
        public var frozenToday: Bool

        public init(available: Bool, frozenToday: Bool) {
            self.available = available
            self.frozenToday = frozenToday
        }

        enum CodingKeys: String, CodingKey {
            case available
            case frozenToday = "frozen_today"
        }
    }

    /// `pending`, `verified` or `broken`.
    public var status: String
    /// Null while a phone is in use or none is locked.
    @Nullable public var streak: Streak?
    public var day: Day
    public var week: Week
    /// The running session.
    @Nullable public var session: FocusSession?
    public var goal: Goal
    public var freeze: Freeze
    public var xp: Int
    public var coins: Int
    public var tier: String
    /// `offered`, `done` or `none`.
    public var tutorial: String
    @Nullable public var proUntil: Date?

    public init(
        status: String, streak: Streak?, day: Day, week: Week, session: FocusSession?, goal: Goal,
        freeze: Freeze, xp: Int, coins: Int, tier: String, tutorial: String, proUntil: Date?
    ) {
        self.status = status
        self._streak = Nullable(wrappedValue: streak)
        self.day = day
        self.week = week
        self._session = Nullable(wrappedValue: session)
        self.goal = goal
        self.freeze = freeze
        self.xp = xp
        self.coins = coins
        self.tier = tier
        self.tutorial = tutorial
        self._proUntil = Nullable(wrappedValue: proUntil)
    }

    enum CodingKeys: String, CodingKey {
        case status
        case streak
        case day
        case week
        case session
        case goal
        case freeze
        case xp
        case coins
        case tier
        case tutorial
        case proUntil = "pro_until"
    }
}
