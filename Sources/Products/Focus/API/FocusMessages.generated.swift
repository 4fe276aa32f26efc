// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.
// swift-format-ignore-file

import DaylyAPI
import Foundation

/// The caller's part in Focus, the game of time away from the phone. The answer of `GET /v1/focus/profile` and
/// `PUT /v1/focus/profile`.
public struct FocusProfile: Codable, Hashable, Sendable {
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
        consent: String = "1", nickname: String?, boards: Bool, leagues: Bool, feed: Bool, morning: Bool,
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

/// The caller's choices. They replace: a member that is left out takes its default. The body of
/// `PUT /v1/focus/profile`.
public struct FocusProfileSettings: Codable, Hashable, Sendable {
    /// The version of the consent text.
    public var consent: String
    public var nickname: String?
    /// Listed on the boards of the user's groups.
    public var boards: Bool?
    public var leagues: Bool?
    /// Shown in followers' feeds.
    public var feed: Bool?
    /// Wants the evening prompt.
    public var morning: Bool?
    /// A lower goal holds at once, a higher one from tomorrow on. From 15 to 960.
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

/// A phone that reports the user's locks and unlocks. The answer of `GET /v1/focus/devices/{id}` and
/// `PUT /v1/focus/devices/{id}`.
public struct FocusDevice: Codable, Hashable, Sendable, Identifiable {
    /// The client's own id.
    public var id: ResourceID
    /// 1, 2, … in the order of registration. No other of the user's phones ever gets the same number.
    public var number: Int
    /// `ios` or `android`.
    public var platform: String
    /// `not_started`, `in_progress`, `awaiting_verification`, `verified` or `failed`.
    public var setup: String
    /// The reason of a setup that failed. `automation_not_created`, `unknown` or `no_event_received`.
    @Nullable public var reason: String?
    /// `pending`, `verified` or `broken`.
    public var status: String
    /// `never_verified`, `no_recent_unlocks` or `app_open_without_recent_unlock`.
    @Nullable public var issue: String?
    /// The hours since the last unlock, if the phone is broken by them.
    @Nullable public var issueHours: Int?
    /// The first time at which the phone was verified.
    @Nullable public var verifiedAt: Date?
    @Nullable public var lastUnlockAt: Date?
    @Nullable public var syncedAt: Date?

    public init(
        id: ResourceID, number: Int, platform: String, setup: String, reason: String?, status: String,
        issue: String?, issueHours: Int?, verifiedAt: Date?, lastUnlockAt: Date?, syncedAt: Date?
    ) {
        self.id = id
        self.number = number
        self.platform = platform
        self.setup = setup
        self._reason = Nullable(wrappedValue: reason)
        self.status = status
        self._issue = Nullable(wrappedValue: issue)
        self._issueHours = Nullable(wrappedValue: issueHours)
        self._verifiedAt = Nullable(wrappedValue: verifiedAt)
        self._lastUnlockAt = Nullable(wrappedValue: lastUnlockAt)
        self._syncedAt = Nullable(wrappedValue: syncedAt)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case number
        case platform
        case setup
        case reason
        case status
        case issue
        case issueHours = "issue_hours"
        case verifiedAt = "verified_at"
        case lastUnlockAt = "last_unlock_at"
        case syncedAt = "synced_at"
    }
}

/// The user's phones by number. The answer of `GET /v1/focus/devices`.
public struct FocusDeviceList: Codable, Hashable, Sendable {
    public var devices: [FocusDevice]

    public init(devices: [FocusDevice]) {
        self.devices = devices
    }
}

/// Registers a phone, or takes its report. A member that is left out stays as it is. The body of
/// `PUT /v1/focus/devices/{id}`.
public struct FocusDeviceReport: Codable, Hashable, Sendable {
    /// It cannot change. `ios` or `android`.
    public var platform: String
    /// `verified` is for Android alone. `in_progress`, `verified` or `failed`.
    public var setup: String?
    /// Needed with `failed`. `automation_not_created` or `unknown`.
    public var reason: String?
    /// `broken`.
    public var status: String?
    /// `no_recent_unlocks` or `app_open_without_recent_unlock`.
    public var issue: String?

    public init(
        platform: String, setup: String? = nil, reason: String? = nil, status: String? = nil,
        issue: String? = nil
    ) {
        self.platform = platform
        self.setup = setup
        self.reason = reason
        self.status = status
        self.issue = issue
    }
}

/// The time in which the phone's next unlock verifies it, both ends included. The answer of
/// `POST /v1/focus/devices/{id}/verification` and `POST /v1/focus/devices/{id}/verification`.
public struct FocusVerificationWindow: Codable, Hashable, Sendable {
    public var windowStartsAt: Date
    public var windowEndsAt: Date

    public init(windowStartsAt: Date, windowEndsAt: Date) {
        self.windowStartsAt = windowStartsAt
        self.windowEndsAt = windowEndsAt
    }

    enum CodingKeys: String, CodingKey {
        case windowStartsAt = "window_starts_at"
        case windowEndsAt = "window_ends_at"
    }
}

/// An event of a phone. Members that the kind of event does not have are left out.
public struct FocusSyncEvent: Codable, Hashable, Sendable {
    /// Rising within a phone.
    public var seq: Int
    /// `lock`, `unlock`, `open` or `usage`.
    public var kind: String
    /// By the phone's clock.
    public var at: Date
    /// An event that is not an unlock is `automatic` or `manual`. `automatic`, `manual`, `shortcut`, `install` or
    /// `verification`.
    public var source: String?
    /// The intention of an `open`.
    public var intentionID: ResourceID?
    /// The local day that a report of `usage` is about.
    public var day: String?
    /// From 0 to 1,440.
    public var minutes: Int?
    /// Whether no further report about the day follows.
    public var final: Bool?
    public var bootID: String?
    public var uptime: Int?

    public init(
        seq: Int, kind: String, at: Date, source: String? = nil, intentionID: ResourceID? = nil,
        day: String? = nil, minutes: Int? = nil, final: Bool? = nil, bootID: String? = nil,
        uptime: Int? = nil
    ) {
        self.seq = seq
        self.kind = kind
        self.at = at
        self.source = source
        self.intentionID = intentionID
        self.day = day
        self.minutes = minutes
        self.final = final
        self.bootID = bootID
        self.uptime = uptime
    }

    enum CodingKeys: String, CodingKey {
        case seq
        case kind
        case at
        case source
        case intentionID = "intention_id"
        case day
        case minutes
        case final
        case bootID = "boot_id"
        case uptime
    }
}

/// An event of another phone of the user. Members that the kind of event does not have are left out.
public struct FocusOtherEvent: Codable, Hashable, Sendable {
    public var seq: Int
    /// `lock`, `unlock`, `open` or `usage`.
    public var kind: String
    public var at: Date
    /// `automatic`, `manual`, `shortcut`, `install` or `verification`.
    public var source: String?
    public var intentionID: ResourceID?
    public var day: String?
    /// From 0 to 1,440.
    public var minutes: Int?
    public var final: Bool?
    /// The number of the phone.
    public var device: Int

    public init(
        seq: Int, kind: String, at: Date, source: String? = nil, intentionID: ResourceID? = nil,
        day: String? = nil, minutes: Int? = nil, final: Bool? = nil, device: Int
    ) {
        self.seq = seq
        self.kind = kind
        self.at = at
        self.source = source
        self.intentionID = intentionID
        self.day = day
        self.minutes = minutes
        self.final = final
        self.device = device
    }

    enum CodingKeys: String, CodingKey {
        case seq
        case kind
        case at
        case source
        case intentionID = "intention_id"
        case day
        case minutes
        case final
        case device
    }
}

/// A phone's events, and its clocks at the time of sending. The body of `POST /v1/focus/sync`.
public struct FocusSync: Codable, Hashable, Sendable {
    /// The client's own id of the phone. A text that is not an id is answered like an unknown phone.
    public var deviceID: String
    public var clientTime: Date
    /// Identifies the phone's start since which `uptime` counts; both or neither.
    public var bootID: String?
    /// In seconds.
    public var uptime: Int?
    /// By rising `seq`.
    public var events: [FocusSyncEvent]
    /// The last answer's cursor: how far the phone knows the events of the user's other phones.
    public var cursor: String?

    public init(
        deviceID: String, clientTime: Date, bootID: String? = nil, uptime: Int? = nil,
        events: [FocusSyncEvent], cursor: String? = nil
    ) {
        self.deviceID = deviceID
        self.clientTime = clientTime
        self.bootID = bootID
        self.uptime = uptime
        self.events = events
        self.cursor = cursor
    }

    enum CodingKeys: String, CodingKey {
        case deviceID = "device_id"
        case clientTime = "client_time"
        case bootID = "boot_id"
        case uptime
        case events
        case cursor
    }
}

/// An event that the service refused for good.
public struct FocusRejection: Codable, Hashable, Sendable {
    public var seq: Int
    /// `too_many`, `bad_clock`, `too_old` or `unknown_intention`.
    public var reason: String

    public init(seq: Int, reason: String) {
        self.seq = seq
        self.reason = reason
    }
}

/// The answer of `POST /v1/focus/sync`.
public struct FocusSyncAnswer: Codable, Hashable, Sendable {
    /// The phone may forget all of its events up to this number.
    public var acknowledged: Int
    public var rejected: [FocusRejection]
    /// Events of the user's other phones, by phone and `seq`.
    public var others: [FocusOtherEvent]
    /// For the next sync.
    public var cursor: String
    /// Whether there are more events of other phones: the next sync should follow at once.
    public var hasMore: Bool
    public var serverTime: Date
    /// The answer that `GET /v1/focus/now` would give after the sync.
    public var now: FocusNow

    public init(
        acknowledged: Int, rejected: [FocusRejection], others: [FocusOtherEvent], cursor: String,
        hasMore: Bool, serverTime: Date, now: FocusNow
    ) {
        self.acknowledged = acknowledged
        self.rejected = rejected
        self.others = others
        self.cursor = cursor
        self.hasMore = hasMore
        self.serverTime = serverTime
        self.now = now
    }

    enum CodingKeys: String, CodingKey {
        case acknowledged
        case rejected
        case others
        case cursor
        case hasMore = "has_more"
        case serverTime = "server_time"
        case now
    }
}

/// Everything that the app's first screen shows. The answer of `GET /v1/focus/now`.
public struct FocusNow: Codable, Hashable, Sendable {
    /// Null while a phone is in use or none is locked.
    public struct Streak: Codable, Hashable, Sendable {
        public var since: Date
        public var estimated: Bool

        public init(since: Date, estimated: Bool) {
            self.since = since
            self.estimated = estimated
        }
    }

    public struct Day: Codable, Hashable, Sendable {
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

    public struct Week: Codable, Hashable, Sendable {
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

    public struct Goal: Codable, Hashable, Sendable {
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

    public struct Freeze: Codable, Hashable, Sendable {
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
    /// `bronze`, `silver`, `gold`, `platinum` or `diamond`.
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

/// The sums of a week. The answer of `GET /v1/focus/weeks/{monday}`.
public struct FocusWeek: Codable, Hashable, Sendable {
    /// The date of the week's Monday.
    public var week: String
    /// At most two decimals.
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

/// The weeks with streaks, newest first. The answer of `GET /v1/focus/weeks`.
public struct FocusWeekPage: Codable, Hashable, Sendable {
    public var weeks: [FocusWeek]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(weeks: [FocusWeek], cursor: String?) {
        self.weeks = weeks
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// A person whom the caller follows, or who follows the caller. The answer of `PUT /v1/focus/following/by-
/// nickname/{nickname}`.
public struct FocusPerson: Codable, Hashable, Sendable {
    public var userID: ResourceID
    @Nullable public var nickname: String?
    /// Null unless the two share a group.
    @Nullable public var firstName: String?
    /// When the follow began.
    public var since: Date

    public init(userID: ResourceID, nickname: String?, firstName: String?, since: Date) {
        self.userID = userID
        self._nickname = Nullable(wrappedValue: nickname)
        self._firstName = Nullable(wrappedValue: firstName)
        self.since = since
    }

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nickname
        case firstName = "first_name"
        case since
    }
}

/// The people whom somebody follows, or the followers; newest first. The answer of `GET /v1/focus/following` and
/// `GET /v1/focus/followers`.
public struct FocusPersonPage: Codable, Hashable, Sendable {
    public var people: [FocusPerson]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(people: [FocusPerson], cursor: String?) {
        self.people = people
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// The page of a nickname. The answer of `GET /v1/focus/people/{nickname}`.
public struct FocusNickname: Codable, Hashable, Sendable {
    public var userID: ResourceID
    public var nickname: String
    /// The tier of the person's leagues. `bronze`, `silver`, `gold`, `platinum` or `diamond`.
    public var tier: String
    /// The Monday of the person's current week.
    public var week: String
    /// At most two decimals.
    public var points: Double
    public var streakCount: Int
    /// Whether the caller follows them.
    public var isFollowed: Bool

    public init(
        userID: ResourceID, nickname: String, tier: String, week: String, points: Double, streakCount: Int,
        isFollowed: Bool
    ) {
        self.userID = userID
        self.nickname = nickname
        self.tier = tier
        self.week = week
        self.points = points
        self.streakCount = streakCount
        self.isFollowed = isFollowed
    }

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nickname
        case tier
        case week
        case points
        case streakCount = "streak_count"
        case isFollowed = "is_followed"
    }
}

/// The long streaks and closed weeks of the people whom the caller follows, newest first. The answer of
/// `GET /v1/focus/feed`.
public struct FocusFeed: Codable, Hashable, Sendable {
    public var items: [FocusFeedItem]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(items: [FocusFeedItem], cursor: String?) {
        self.items = items
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// A long streak or a closed week of somebody whom the caller follows.
public struct FocusFeedItem: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    /// `streak` or `week`.
    public var kind: String
    public var userID: ResourceID
    @Nullable public var nickname: String?
    /// Null unless the two share a group.
    @Nullable public var firstName: String?
    /// The full hour in which the streak ended, or the close of the week.
    public var at: Date
    /// The whole minutes of a streak.
    @Nullable public var minutes: Int?
    /// The Monday of a week, and its figures.
    @Nullable public var week: String?
    /// The points of a week, at most two decimals.
    @Nullable public var points: Double?
    /// The streaks of a week.
    @Nullable public var streakCount: Int?

    public init(
        id: ResourceID, kind: String, userID: ResourceID, nickname: String?, firstName: String?, at: Date,
        minutes: Int?, week: String?, points: Double?, streakCount: Int?
    ) {
        self.id = id
        self.kind = kind
        self.userID = userID
        self._nickname = Nullable(wrappedValue: nickname)
        self._firstName = Nullable(wrappedValue: firstName)
        self.at = at
        self._minutes = Nullable(wrappedValue: minutes)
        self._week = Nullable(wrappedValue: week)
        self._points = Nullable(wrappedValue: points)
        self._streakCount = Nullable(wrappedValue: streakCount)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case kind
        case userID = "user_id"
        case nickname
        case firstName = "first_name"
        case at
        case minutes
        case week
        case points
        case streakCount = "streak_count"
    }
}

/// The messages that try to end a streak of the caller. The answer of `GET /v1/focus/temptations` and
/// `PUT /v1/focus/temptations`.
public struct FocusTemptations: Codable, Hashable, Sendable {
    public var enabled: Bool
    /// `low`, `medium` or `high`.
    public var intensity: String
    /// The quiet hours of temptations, as `HH:MM`; both null: none.
    @Nullable public var quietFrom: String?
    @Nullable public var quietTo: String?
    /// The temptations since joining that a push provider accepted.
    public var sent: Int
    /// The sent ones after which the phone stayed locked for more than five minutes.
    public var resisted: Int

    public init(
        enabled: Bool, intensity: String, quietFrom: String?, quietTo: String?, sent: Int, resisted: Int
    ) {
        self.enabled = enabled
        self.intensity = intensity
        self._quietFrom = Nullable(wrappedValue: quietFrom)
        self._quietTo = Nullable(wrappedValue: quietTo)
        self.sent = sent
        self.resisted = resisted
    }

    enum CodingKeys: String, CodingKey {
        case enabled
        case intensity
        case quietFrom = "quiet_from"
        case quietTo = "quiet_to"
        case sent
        case resisted
    }
}

/// The caller's choices. A member that is left out takes its default. Quiet hours that are null are none. The body of
/// `PUT /v1/focus/temptations`.
public struct FocusTemptationSettings: Codable, Hashable, Sendable {
    public var enabled: Bool?
    /// `low`, `medium` or `high`.
    public var intensity: String?
    /// Comes with quiet_to; both null: none.
    public var quietFrom: Nullable<String>?
    public var quietTo: Nullable<String>?

    public init(
        enabled: Bool? = nil, intensity: String? = nil, quietFrom: Nullable<String>? = nil,
        quietTo: Nullable<String>? = nil
    ) {
        self.enabled = enabled
        self.intensity = intensity
        self.quietFrom = quietFrom
        self.quietTo = quietTo
    }

    enum CodingKeys: String, CodingKey {
        case enabled
        case intensity
        case quietFrom = "quiet_from"
        case quietTo = "quiet_to"
    }
}

/// A time in which all of the user's phones were left alone.
public struct FocusStreak: Codable, Hashable, Sendable {
    public var beganAt: Date
    public var endedAt: Date
    public var seconds: Int
    /// At most two decimals.
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

/// A local day of the caller. The answer of `GET /v1/focus/days/{day}` and `PUT /v1/focus/days/{day}/rating`.
public struct FocusDay: Codable, Hashable, Sendable {
    public var day: String
    /// At most two decimals.
    public var points: Double
    public var streakCount: Int
    /// In seconds.
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
        streaks: Nullable<[FocusStreak]>? = nil, minutes: Int?, score: Double?, usagePoints: Int?,
        closed: Bool, rating: String?
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

/// The body of `PUT /v1/focus/days/{day}/rating`.
public struct FocusRating: Codable, Hashable, Sendable {
    /// `up` or `down`.
    public var rating: String

    public init(rating: String) {
        self.rating = rating
    }
}

/// A short text for the moment at which today's screen time passes a threshold. The answer of `GET /v1/focus/quips`.
public struct FocusQuip: Codable, Hashable, Sendable {
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

/// A week of a group's members, the best first. The answer of `GET /v1/focus/groups/{id}/board`.
public struct FocusBoard: Codable, Hashable, Sendable {
    /// The date of the week's Monday.
    public var week: String
    public var closed: Bool
    public var closesAt: Date
    public var entries: [FocusBoardEntry]

    public init(week: String, closed: Bool, closesAt: Date, entries: [FocusBoardEntry]) {
        self.week = week
        self.closed = closed
        self.closesAt = closesAt
        self.entries = entries
    }

    enum CodingKeys: String, CodingKey {
        case week
        case closed
        case closesAt = "closes_at"
        case entries
    }
}

/// `focus.board`: the board of a group has changed.
public struct FocusBoardHint: Codable, Hashable, Sendable {
    public var groupID: ResourceID
    /// The Monday of the board's week.
    public var week: String

    public init(groupID: ResourceID, week: String) {
        self.groupID = groupID
        self.week = week
    }

    enum CodingKeys: String, CodingKey {
        case groupID = "group_id"
        case week
    }
}

public struct FocusBoardEntry: Codable, Hashable, Sendable {
    /// Members with the same points and longest streak share a rank.
    public var rank: Int
    public var userID: ResourceID
    @Nullable public var firstName: String?
    /// At most two decimals.
    public var points: Double
    public var streakCount: Int
    /// In seconds.
    public var longestStreak: Int
    public var estimated: Bool
    /// `pending`, `verified` or `broken`.
    public var trackingStatus: String
    /// The hour of the member's last sync, if that is more than 24 hours ago.
    @Nullable public var syncedAt: Date?
    public var isMe: Bool

    public init(
        rank: Int, userID: ResourceID, firstName: String?, points: Double, streakCount: Int,
        longestStreak: Int, estimated: Bool, trackingStatus: String, syncedAt: Date?, isMe: Bool
    ) {
        self.rank = rank
        self.userID = userID
        self._firstName = Nullable(wrappedValue: firstName)
        self.points = points
        self.streakCount = streakCount
        self.longestStreak = longestStreak
        self.estimated = estimated
        self.trackingStatus = trackingStatus
        self._syncedAt = Nullable(wrappedValue: syncedAt)
        self.isMe = isMe
    }

    enum CodingKeys: String, CodingKey {
        case rank
        case userID = "user_id"
        case firstName = "first_name"
        case points
        case streakCount = "streak_count"
        case longestStreak = "longest_streak"
        case estimated
        case trackingStatus = "tracking_status"
        case syncedAt = "synced_at"
        case isMe = "is_me"
    }
}

/// The caller's league of a week. Strangers see nicknames only. The answer of `GET /v1/focus/league`.
public struct FocusLeague: Codable, Hashable, Sendable {
    public var week: String
    /// `bronze`, `silver`, `gold`, `platinum` or `diamond`.
    public var tier: String
    public var closed: Bool
    public var closesAt: Date
    /// The first members, who rise a tier at the close.
    public var rises: Int
    /// The last members, who fall a tier.
    public var falls: Int
    public var entries: [FocusLeagueEntry]

    public init(
        week: String, tier: String, closed: Bool, closesAt: Date, rises: Int, falls: Int,
        entries: [FocusLeagueEntry]
    ) {
        self.week = week
        self.tier = tier
        self.closed = closed
        self.closesAt = closesAt
        self.rises = rises
        self.falls = falls
        self.entries = entries
    }

    enum CodingKeys: String, CodingKey {
        case week
        case tier
        case closed
        case closesAt = "closes_at"
        case rises
        case falls
        case entries
    }
}

public struct FocusLeagueEntry: Codable, Hashable, Sendable {
    public var rank: Int
    /// Null if the member of a closed league has given the nickname up.
    @Nullable public var nickname: String?
    public var points: Int
    public var xp: Int
    public var isMe: Bool

    public init(rank: Int, nickname: String?, points: Int, xp: Int, isMe: Bool) {
        self.rank = rank
        self._nickname = Nullable(wrappedValue: nickname)
        self.points = points
        self.xp = xp
        self.isMe = isMe
    }

    enum CodingKeys: String, CodingKey {
        case rank
        case nickname
        case points
        case xp
        case isMe = "is_me"
    }
}

/// The sessions, newest first, without canceled ones. The answer of `GET /v1/focus/sessions`.
public struct FocusSessionList: Codable, Hashable, Sendable {
    public var sessions: [FocusSession]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(sessions: [FocusSession], cursor: String?) {
        self.sessions = sessions
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// The body of `POST /v1/focus/sessions`.
public struct FocusNewSession: Codable, Hashable, Sendable {
    public var name: String?
    /// 1 to 8 Unicode scalars.
    public var emoji: String?
    /// Not for a session of a schedule. From 5 to 120.
    public var goalMinutes: Int?
    /// Not needed for a session of a schedule. `allow_list` or `block_list`.
    public var mode: String?
    /// Needs Focus Pro.
    public var beastMode: Bool?
    public var scheduleID: ResourceID?
    /// The date of the schedule.
    public var date: String?
    /// The phone's times of a session that began offline.
    public var startedAt: Date?
    public var endedAt: Date?
    /// The phone's clock as it sends the request.
    public var clientTime: Date?

    public init(
        name: String? = nil, emoji: String? = nil, goalMinutes: Int? = nil, mode: String? = nil,
        beastMode: Bool? = nil, scheduleID: ResourceID? = nil, date: String? = nil, startedAt: Date? = nil,
        endedAt: Date? = nil, clientTime: Date? = nil
    ) {
        self.name = name
        self.emoji = emoji
        self.goalMinutes = goalMinutes
        self.mode = mode
        self.beastMode = beastMode
        self.scheduleID = scheduleID
        self.date = date
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.clientTime = clientTime
    }

    enum CodingKeys: String, CodingKey {
        case name
        case emoji
        case goalMinutes = "goal_minutes"
        case mode
        case beastMode = "beast_mode"
        case scheduleID = "schedule_id"
        case date
        case startedAt = "started_at"
        case endedAt = "ended_at"
        case clientTime = "client_time"
    }
}

/// The time of an end that the phone reports later; both members or neither. The body of
/// `POST /v1/focus/sessions/{id}/end`.
public struct FocusSessionEnd: Codable, Hashable, Sendable {
    /// The phone's time of an end that it reports later.
    public var endedAt: Date?
    /// The phone's clock as it sends the request.
    public var clientTime: Date?

    public init(endedAt: Date? = nil, clientTime: Date? = nil) {
        self.endedAt = endedAt
        self.clientTime = clientTime
    }

    enum CodingKeys: String, CodingKey {
        case endedAt = "ended_at"
        case clientTime = "client_time"
    }
}

/// The completed sessions of the last 30 days, oldest first. The answer of `GET /v1/focus/stats`.
public struct FocusStats: Codable, Hashable, Sendable {
    public struct Day: Codable, Hashable, Sendable {
        public var day: String
        public var completed: Int
        public var seconds: Int

        public init(day: String, completed: Int, seconds: Int) {
            self.day = day
            self.completed = completed
            self.seconds = seconds
        }
    }

    public struct Record: Codable, Hashable, Sendable {
        public var day: String
        public var seconds: Int

        public init(day: String, seconds: Int) {
            self.day = day
            self.seconds = seconds
        }
    }

    public var days: [Day]
    @Nullable public var record: Record?

    public init(days: [Day], record: Record?) {
        self.days = days
        self._record = Nullable(wrappedValue: record)
    }
}

/// The body of `POST /v1/focus/schedules` and `PUT /v1/focus/schedules/{id}`.
public struct FocusScheduleSettings: Codable, Hashable, Sendable {
    public var name: String?
    /// 1 to 8 Unicode scalars.
    public var emoji: String?
    public var from: String
    public var to: String
    /// From 1 to 7.
    public var weekdays: [Int]
    /// The apps that a session shields; all but the chosen ones, or the chosen ones. `allow_list` or `block_list`.
    public var mode: String
    /// Needs Focus Pro.
    public var beastMode: Bool?

    public init(
        name: String? = nil, emoji: String? = nil, from: String, to: String, weekdays: [Int], mode: String,
        beastMode: Bool? = nil
    ) {
        self.name = name
        self.emoji = emoji
        self.from = from
        self.to = to
        self.weekdays = weekdays
        self.mode = mode
        self.beastMode = beastMode
    }

    enum CodingKeys: String, CodingKey {
        case name
        case emoji
        case from
        case to
        case weekdays
        case mode
        case beastMode = "beast_mode"
    }
}

/// Local times at which the phone starts a session by itself. The answer of `POST /v1/focus/schedules` and
/// `POST /v1/focus/schedules` and `PUT /v1/focus/schedules/{id}`.
public struct FocusSchedule: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    @Nullable public var name: String?
    @Nullable public var emoji: String?
    public var from: String
    public var to: String
    /// From 1 to 7.
    public var weekdays: [Int]
    /// The apps that a session shields; all but the chosen ones, or the chosen ones. `allow_list` or `block_list`.
    public var mode: String
    public var beastMode: Bool
    /// The next beginning.
    @Nullable public var nextAt: Date?

    public init(
        id: ResourceID, name: String?, emoji: String?, from: String, to: String, weekdays: [Int],
        mode: String, beastMode: Bool, nextAt: Date?
    ) {
        self.id = id
        self._name = Nullable(wrappedValue: name)
        self._emoji = Nullable(wrappedValue: emoji)
        self.from = from
        self.to = to
        self.weekdays = weekdays
        self.mode = mode
        self.beastMode = beastMode
        self._nextAt = Nullable(wrappedValue: nextAt)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case emoji
        case from
        case to
        case weekdays
        case mode
        case beastMode = "beast_mode"
        case nextAt = "next_at"
    }
}

/// The schedules, oldest first. The answer of `GET /v1/focus/schedules`.
public struct FocusScheduleList: Codable, Hashable, Sendable {
    public var schedules: [FocusSchedule]

    public init(schedules: [FocusSchedule]) {
        self.schedules = schedules
    }
}

/// The body of `POST /v1/focus/intentions` and `PUT /v1/focus/intentions/{id}`.
public struct FocusIntentionSettings: Codable, Hashable, Sendable {
    public var label: String
    /// The wanted opens a day. From 1 to 50.
    public var opens: Int
    /// For each time. From 1 to 60.
    public var minutes: Int

    public init(label: String, opens: Int, minutes: Int) {
        self.label = label
        self.opens = opens
        self.minutes = minutes
    }
}

/// A limit of the opens of an app. Which app it is stays on the phone. The answer of `POST /v1/focus/intentions` and
/// `POST /v1/focus/intentions` and `PUT /v1/focus/intentions/{id}`.
public struct FocusIntention: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    public var label: String
    /// In force today.
    public var opens: Int
    public var minutes: Int
    /// The limit that holds from tomorrow on.
    @Nullable public var opensFromTomorrow: Int?
    /// Today's opens.
    public var used: Int
    public var streak: Int
    public var best: Int
    /// Whether today is frozen.
    public var frozen: Bool

    public init(
        id: ResourceID, label: String, opens: Int, minutes: Int, opensFromTomorrow: Int?, used: Int,
        streak: Int, best: Int, frozen: Bool
    ) {
        self.id = id
        self.label = label
        self.opens = opens
        self.minutes = minutes
        self._opensFromTomorrow = Nullable(wrappedValue: opensFromTomorrow)
        self.used = used
        self.streak = streak
        self.best = best
        self.frozen = frozen
    }

    enum CodingKeys: String, CodingKey {
        case id
        case label
        case opens
        case minutes
        case opensFromTomorrow = "opens_from_tomorrow"
        case used
        case streak
        case best
        case frozen
    }
}

/// The intentions, oldest first. The answer of `GET /v1/focus/intentions`.
public struct FocusIntentionList: Codable, Hashable, Sendable {
    public var intentions: [FocusIntention]

    public init(intentions: [FocusIntention]) {
        self.intentions = intentions
    }
}

/// The day on which all streaks are kept. The answer of `POST /v1/focus/freeze` and `POST /v1/focus/freeze`.
public struct FocusFrozenDay: Codable, Hashable, Sendable {
    public var day: String

    public init(day: String) {
        self.day = day
    }
}

/// Somebody who is told when the user breaks a streak.
public struct FocusPartner: Codable, Hashable, Sendable {
    public var userID: ResourceID
    @Nullable public var firstName: String?
    /// `requested` or `accepted`.
    public var state: String
    public var since: Date

    public init(userID: ResourceID, firstName: String?, state: String, since: Date) {
        self.userID = userID
        self._firstName = Nullable(wrappedValue: firstName)
        self.state = state
        self.since = since
    }

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case firstName = "first_name"
        case state
        case since
    }
}

/// Somebody whose broken streaks the user is told about.
public struct FocusPartnership: Codable, Hashable, Sendable {
    public struct Break: Codable, Hashable, Sendable {
        public var day: String
        public var streak: Int

        public init(day: String, streak: Int) {
            self.day = day
            self.streak = streak
        }
    }

    public var userID: ResourceID
    @Nullable public var firstName: String?
    /// `requested` or `accepted`.
    public var state: String
    public var since: Date
    /// The breaks of the last 7 days, newest first, with the streaks that were lost.
    public var breaks: [Break]

    public init(
        userID: ResourceID, firstName: String?, state: String, since: Date, breaks: [Break]
    ) {
        self.userID = userID
        self._firstName = Nullable(wrappedValue: firstName)
        self.state = state
        self.since = since
        self.breaks = breaks
    }

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case firstName = "first_name"
        case state
        case since
        case breaks
    }
}

/// The partners and the partnerships, oldest first. The answer of `GET /v1/focus/partners`.
public struct FocusPartnerList: Codable, Hashable, Sendable {
    public var partners: [FocusPartner]
    public var partnerOf: [FocusPartnership]

    public init(partners: [FocusPartner], partnerOf: [FocusPartnership]) {
        self.partners = partners
        self.partnerOf = partnerOf
    }

    enum CodingKeys: String, CodingKey {
        case partners
        case partnerOf = "partner_of"
    }
}

/// The totals after the tutorial. The answer of `POST /v1/focus/tutorial`.
public struct FocusEarnings: Codable, Hashable, Sendable {
    public var xp: Int
    public var coins: Int

    public init(xp: Int, coins: Int) {
        self.xp = xp
        self.coins = coins
    }
}

/// The body of `POST /v1/focus/pro`.
public struct FocusPurchase: Codable, Hashable, Sendable {
    /// The signed transaction, as StoreKit gives it.
    public var signedTransaction: String

    public init(signedTransaction: String) {
        self.signedTransaction = signedTransaction
    }

    enum CodingKeys: String, CodingKey {
        case signedTransaction = "signed_transaction"
    }
}

/// The answer of `POST /v1/focus/pro`.
public struct FocusPro: Codable, Hashable, Sendable {
    @Nullable public var proUntil: Date?

    public init(proUntil: Date?) {
        self._proUntil = Nullable(wrappedValue: proUntil)
    }

    enum CodingKeys: String, CodingKey {
        case proUntil = "pro_until"
    }
}

/// A promise to stay away from the phone for a time. The answer of `POST /v1/focus/sessions` and
/// `POST /v1/focus/sessions` and `GET /v1/focus/sessions/{id}` and `POST /v1/focus/sessions/{id}/end`.
public struct FocusSession: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    @Nullable public var name: String?
    @Nullable public var emoji: String?
    public var goalMinutes: Int
    /// `allow_list` or `block_list`.
    public var mode: String
    /// Whether the session cannot end before its goal.
    public var beastMode: Bool
    @Nullable public var scheduleID: ResourceID?
    /// The date of the schedule.
    @Nullable public var date: String?
    /// `running`, `completed`, `gave_up`, `canceled` or `lost`.
    public var state: String
    public var startedAt: Date
    public var goalEndsAt: Date
    /// This member and the following ones are null while the session runs.
    @Nullable public var endedAt: Date?
    @Nullable public var elapsedSeconds: Int?
    @Nullable public var extraSeconds: Int?
    @Nullable public var xp: Int?
    @Nullable public var coins: Int?

    public init(
        id: ResourceID, name: String?, emoji: String?, goalMinutes: Int, mode: String, beastMode: Bool,
        scheduleID: ResourceID?, date: String?, state: String, startedAt: Date, goalEndsAt: Date,
        endedAt: Date?, elapsedSeconds: Int?, extraSeconds: Int?, xp: Int?, coins: Int?
    ) {
        self.id = id
        self._name = Nullable(wrappedValue: name)
        self._emoji = Nullable(wrappedValue: emoji)
        self.goalMinutes = goalMinutes
        self.mode = mode
        self.beastMode = beastMode
        self._scheduleID = Nullable(wrappedValue: scheduleID)
        self._date = Nullable(wrappedValue: date)
        self.state = state
        self.startedAt = startedAt
        self.goalEndsAt = goalEndsAt
        self._endedAt = Nullable(wrappedValue: endedAt)
        self._elapsedSeconds = Nullable(wrappedValue: elapsedSeconds)
        self._extraSeconds = Nullable(wrappedValue: extraSeconds)
        self._xp = Nullable(wrappedValue: xp)
        self._coins = Nullable(wrappedValue: coins)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case emoji
        case goalMinutes = "goal_minutes"
        case mode
        case beastMode = "beast_mode"
        case scheduleID = "schedule_id"
        case date
        case state
        case startedAt = "started_at"
        case goalEndsAt = "goal_ends_at"
        case endedAt = "ended_at"
        case elapsedSeconds = "elapsed_seconds"
        case extraSeconds = "extra_seconds"
        case xp
        case coins
    }
}
