import DaylyAPI
import Foundation

/// `POST /v1/focus/sessions`.
public struct FocusNewSession: Codable, Sendable {
    public var name: String?
    public var emoji: String?
    /// 5 to 120; not for a session of a schedule.
    public var goalMinutes: Int?
    /// `allow_list` or `block_list`; not needed for a session of a schedule.
    public var mode: String?
    /// Needs Focus Pro.
    public var beastMode: Bool?
    public var scheduleID: ResourceID?
    /// The date of the schedule, `YYYY-MM-DD`.
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

/// `POST /v1/focus/sessions/{id}/end`: both members or neither.
public struct FocusSessionEnd: Codable, Sendable {
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

/// `GET /v1/focus/sessions`: newest first, without canceled ones.
public struct FocusSessionList: Codable, Sendable {
    public var sessions: [FocusSession]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(sessions: [FocusSession], cursor: String?) {
        self.sessions = sessions
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// `GET /v1/focus/stats`: the completed sessions of the last 30 days, oldest first.
public struct FocusStats: Codable, Sendable {
    public struct Day: Codable, Sendable {
        public var day: String
        public var completed: Int
        public var seconds: Int

        public init(day: String, completed: Int, seconds: Int) {
            self.day = day
            self.completed = completed
            self.seconds = seconds
        }
    }

    /// The day with the most seconds.
    public struct Record: Codable, Sendable {
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

/// `POST /v1/focus/tutorial`: the totals afterwards.
public struct FocusEarnings: Codable, Sendable {
    public var xp: Int
    public var coins: Int

    public init(xp: Int, coins: Int) {
        self.xp = xp
        self.coins = coins
    }
}
