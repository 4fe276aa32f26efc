import DaylyAPI
import Foundation

/// The caller's part in Companion: `GET` and the answer of `PUT /v1/companion/settings`.
public struct CompanionPreferences: Codable, Sendable, Equatable {
    /// The version of the consent text to which the user agreed.
    public var consent: String
    /// As set last: the limit of tomorrow, in minutes of phone use a day.
    public var limitMinutes: Int
    public var limitMinutesToday: Int
    /// The minutes for which a bypass opens the shielded apps.
    public var cooldownMinutes: Int
    /// The times at which the shields are up; nil: always.
    @Nullable public var schedule: CompanionShieldTimes?
    /// Whether the user wants a push message before the end of a day.
    public var nightly: Bool
    public var joinedAt: Date

    public init(
        consent: String, limitMinutes: Int, limitMinutesToday: Int, cooldownMinutes: Int,
        schedule: CompanionShieldTimes?, nightly: Bool, joinedAt: Date
    ) {
        self.consent = consent
        self.limitMinutes = limitMinutes
        self.limitMinutesToday = limitMinutesToday
        self.cooldownMinutes = cooldownMinutes
        self._schedule = Nullable(wrappedValue: schedule)
        self.nightly = nightly
        self.joinedAt = joinedAt
    }

    enum CodingKeys: String, CodingKey {
        case consent
        case limitMinutes = "limit_minutes"
        case limitMinutesToday = "limit_minutes_today"
        case cooldownMinutes = "cooldown_minutes"
        case schedule
        case nightly
        case joinedAt = "joined_at"
    }
}

/// The times at which the shields are up, by the clock of the user's time zone.
public struct CompanionShieldTimes: Codable, Sendable, Equatable {
    /// Such as `22:00`.
    public var from: String
    /// Excluded. At or before ``from`` it is on the next day; equal times are 24 hours.
    public var to: String
    /// The weekdays on which they begin; 1 is Monday.
    public var weekdays: [Int]

    public init(from: String, to: String, weekdays: [Int]) {
        self.from = from
        self.to = to
        self.weekdays = weekdays
    }
}

/// `PUT /v1/companion/settings`, which joins. It replaces: a member that is nil takes its default.
public struct CompanionPreferencesRequest: Codable, Sendable {
    /// `"1"`, the version of the consent text.
    public var consent: String
    /// From 15 to 960. A lower limit than today's holds at once, a higher one from tomorrow on.
    public var limitMinutes: Int
    /// 10, 20, 30, 45 or 60; nil: 30.
    public var cooldownMinutes: Int?
    /// nil: the shields are always up.
    public var schedule: CompanionShieldTimes?
    /// nil: true.
    public var nightly: Bool?

    public init(
        consent: String = "1", limitMinutes: Int, cooldownMinutes: Int? = nil,
        schedule: CompanionShieldTimes? = nil, nightly: Bool? = nil
    ) {
        self.consent = consent
        self.limitMinutes = limitMinutes
        self.cooldownMinutes = cooldownMinutes
        self.schedule = schedule
        self.nightly = nightly
    }

    enum CodingKeys: String, CodingKey {
        case consent
        case limitMinutes = "limit_minutes"
        case cooldownMinutes = "cooldown_minutes"
        case schedule
        case nightly
    }
}
