import DaylyAPI
import Foundation

/// A person whom the caller follows, or who follows the caller.
public struct FocusPerson: Codable, Sendable, Equatable {
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

/// `GET /v1/focus/following` and `GET /v1/focus/followers`: newest first.
public struct FocusPersonPage: Codable, Sendable {
    public var people: [FocusPerson]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(people: [FocusPerson], cursor: String?) {
        self.people = people
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// The page of a nickname: `GET /v1/focus/people/{nickname}`.
public struct FocusNickname: Codable, Sendable {
    public var userID: ResourceID
    public var nickname: String
    /// The tier of the person's leagues, such as `bronze`.
    public var tier: String
    /// The Monday of the person's current week.
    public var week: String
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

/// A long streak or a closed week of somebody whom the caller follows.
public struct FocusFeedItem: Codable, Sendable {
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
    @Nullable public var points: Double?
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

/// `GET /v1/focus/feed`: newest first.
public struct FocusFeed: Codable, Sendable {
    public var items: [FocusFeedItem]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(items: [FocusFeedItem], cursor: String?) {
        self.items = items
        self._cursor = Nullable(wrappedValue: cursor)
    }
}
