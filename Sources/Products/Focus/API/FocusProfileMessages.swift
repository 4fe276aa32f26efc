import DaylyAPI
import Foundation

/// The caller's part in Focus, the game of time away from the phone: `GET` and the answer of `PUT /v1/focus/profile`.
public struct FocusProfile: Codable, Sendable {
    /// The version of the consent text to which the user agreed.
    public var consent: String
    @Nullable public var nickname: String?
    /// Whether the boards of the user's groups list the user.
    public var boards: Bool
    public var leagues: Bool
    /// Whether followers see the user's streaks and weeks.
    public var feed: Bool
    /// Whether the user wants the evening prompt about tomorrow's morning.
    public var morning: Bool
    /// The goal in force today, in minutes of screen time a day.
    @Nullable public var goalMinutes: Int?
    /// The higher goal that holds from tomorrow on.
    @Nullable public var goalFromTomorrow: Int?
    public var joinedAt: Date
    /// The token that the user's purchases in the App Store must carry.
    public var appAccountToken: ResourceID

    public init(
        consent: String, nickname: String?, boards: Bool, leagues: Bool, feed: Bool, morning: Bool,
        goalMinutes: Int?, goalFromTomorrow: Int?, joinedAt: Date, appAccountToken: ResourceID
    ) {
        self.consent = consent
        self._nickname = Nullable(wrappedValue: nickname)
        self.boards = boards
        self.leagues = leagues
        self.feed = feed
        self.morning = morning
        self._goalMinutes = Nullable(wrappedValue: goalMinutes)
        self._goalFromTomorrow = Nullable(wrappedValue: goalFromTomorrow)
        self.joinedAt = joinedAt
        self.appAccountToken = appAccountToken
    }

    enum CodingKeys: String, CodingKey {
        case consent
        case nickname
        case boards
        case leagues
        case feed
        case morning
        case goalMinutes = "goal_minutes"
        case goalFromTomorrow = "goal_from_tomorrow"
        case joinedAt = "joined_at"
        case appAccountToken = "app_account_token"
    }
}

/// `PUT /v1/focus/profile`. It replaces: a member that is nil takes its default.
public struct FocusProfileSettings: Codable, Sendable {
    /// `"1"`, the version of the consent text.
    public var consent: String
    public var nickname: String?
    public var boards: Bool?
    public var leagues: Bool?
    public var feed: Bool?
    public var morning: Bool?
    /// The wanted goal. A higher one than today's holds from tomorrow on.
    public var goalMinutes: Int?

    public init(
        consent: String = "1", nickname: String? = nil, boards: Bool? = nil, leagues: Bool? = nil,
        feed: Bool? = nil, morning: Bool? = nil, goalMinutes: Int? = nil
    ) {
        self.consent = consent
        self.nickname = nickname
        self.boards = boards
        self.leagues = leagues
        self.feed = feed
        self.morning = morning
        self.goalMinutes = goalMinutes
    }

    enum CodingKeys: String, CodingKey {
        case consent
        case nickname
        case boards
        case leagues
        case feed
        case morning
        case goalMinutes = "goal_minutes"
    }
}
