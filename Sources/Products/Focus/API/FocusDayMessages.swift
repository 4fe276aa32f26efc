import DaylyAPI
import Foundation

/// The sums of a week: `GET /v1/focus/weeks`.
public struct FocusWeek: Codable, Sendable {
    /// The date of the week's Monday.
    public var week: String
    public var points: Double
    public var streakCount: Int
    /// In seconds.
    public var longestStreak: Int
    /// Whether a beginning of one of the streaks was derived, because a phone reports no locks.
    public var estimated: Bool
    /// The seven days, in the answer about a single week alone.
    public var days: [FocusDay]?

    public init(
        week: String, points: Double, streakCount: Int, longestStreak: Int, estimated: Bool,
        days: [FocusDay]? = nil
    ) {
        self.week = week
        self.points = points
        self.streakCount = streakCount
        self.longestStreak = longestStreak
        self.estimated = estimated
        self.days = days
    }

    enum CodingKeys: String, CodingKey {
        case week
        case points
        case streakCount = "streak_count"
        case longestStreak = "longest_streak"
        case estimated
        case days
    }
}

/// `GET /v1/focus/weeks`: the weeks with streaks, newest first.
public struct FocusWeekPage: Codable, Sendable {
    public var weeks: [FocusWeek]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(weeks: [FocusWeek], cursor: String?) {
        self.weeks = weeks
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// A local day of the caller: `GET /v1/focus/days/{day}`, and the days of a week.
public struct FocusDay: Codable, Sendable {
    public var day: String
    public var points: Double
    public var streakCount: Int
    public var longestStreak: Int
    public var estimated: Bool
    /// By end; null for days that are older than 90 days. The days of a week leave the member out.
    public var streaks: Nullable<[FocusStreak]>?
    /// The largest report of the day's screen time.
    @Nullable public var minutes: Int?
    @Nullable public var score: Double?
    @Nullable public var usagePoints: Int?
    /// Whether further reports about the day are ignored.
    public var closed: Bool
    /// `up` or `down`.
    @Nullable public var rating: String?

    public init(
        day: String, points: Double, streakCount: Int, longestStreak: Int, estimated: Bool,
        streaks: Nullable<[FocusStreak]>?, minutes: Int?, score: Double?, usagePoints: Int?, closed: Bool,
        rating: String?
    ) {
        self.day = day
        self.points = points
        self.streakCount = streakCount
        self.longestStreak = longestStreak
        self.estimated = estimated
        self.streaks = streaks
        self._minutes = Nullable(wrappedValue: minutes)
        self._score = Nullable(wrappedValue: score)
        self._usagePoints = Nullable(wrappedValue: usagePoints)
        self.closed = closed
        self._rating = Nullable(wrappedValue: rating)
    }

    enum CodingKeys: String, CodingKey {
        case day
        case points
        case streakCount = "streak_count"
        case longestStreak = "longest_streak"
        case estimated
        case streaks
        case minutes
        case score
        case usagePoints = "usage_points"
        case closed
        case rating
    }
}

/// A time in which all of the user's phones were left alone.
public struct FocusStreak: Codable, Sendable {
    public var beganAt: Date
    public var endedAt: Date
    public var seconds: Int
    public var points: Double
    public var estimated: Bool
    /// Whether the streak is one of the day's longest, which make its points.
    public var counted: Bool

    public init(
        beganAt: Date, endedAt: Date, seconds: Int, points: Double, estimated: Bool, counted: Bool
    ) {
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.seconds = seconds
        self.points = points
        self.estimated = estimated
        self.counted = counted
    }

    enum CodingKeys: String, CodingKey {
        case beganAt = "began_at"
        case endedAt = "ended_at"
        case seconds
        case points
        case estimated
        case counted
    }
}

/// `PUT /v1/focus/days/{day}/rating`.
public struct FocusRating: Codable, Sendable {
    /// `up` or `down`.
    public var rating: String

    public init(rating: String) {
        self.rating = rating
    }
}

/// `GET /v1/focus/quips`: a short text for the moment at which today's screen time passes a threshold.
public struct FocusQuip: Codable, Sendable {
    public var day: String
    public var minutes: Int
    public var number: Int
    public var text: String

    public init(day: String, minutes: Int, number: Int, text: String) {
        self.day = day
        self.minutes = minutes
        self.number = number
        self.text = text
    }
}
