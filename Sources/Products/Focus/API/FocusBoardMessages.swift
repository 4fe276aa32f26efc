import DaylyAPI
import Foundation

/// `GET /v1/focus/groups/{id}/board`: a week of a group's members, the best first.
public struct FocusBoard: Codable, Sendable {
    public struct Entry: Codable, Sendable {
        /// Members with the same points and longest streak share a rank.
        public var rank: Int
        public var userID: ResourceID
        @Nullable public var firstName: String?
        public var points: Double
        public var streakCount: Int
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

    /// The date of the week's Monday.
    public var week: String
    public var closed: Bool
    public var closesAt: Date
    public var entries: [Entry]

    public init(week: String, closed: Bool, closesAt: Date, entries: [Entry]) {
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

/// `GET /v1/focus/league`: the caller's league of a week. Strangers see nicknames only.
public struct FocusLeague: Codable, Sendable {
    public struct Entry: Codable, Sendable {
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

    public var week: String
    /// `bronze`, `silver`, `gold`, `platinum` or `diamond`.
    public var tier: String
    public var closed: Bool
    public var closesAt: Date
    /// The first members, who rise a tier at the close.
    public var rises: Int
    /// The last members, who fall a tier.
    public var falls: Int
    public var entries: [Entry]

    public init(
        week: String, tier: String, closed: Bool, closesAt: Date, rises: Int, falls: Int, entries: [Entry]
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
