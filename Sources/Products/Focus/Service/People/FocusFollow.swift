import FeatureKit
import FocusRules
import Foundation

/// A follow, as one of its two sides sees the other one.
struct FocusFollow: Sendable {
    let person: UserID
    let nickname: String?
    /// Nil unless the two share a group.
    let firstName: String?
    let since: Date
}

/// The side of a follow from which the people on the other side are listed.
enum FollowSide: String, Sendable {
    /// The people whom the user follows.
    case following
    /// The people who follow the user.
    case followers
}

/// The public page of a nickname.
struct FocusNicknamePage: Sendable {
    let user: UserID
    let nickname: String
    let tier: Tier
    let week: DayNumber
    let points: Hundredths
    let streakCount: Int
    let isFollowed: Bool
}

/// An item of the feed.
struct FocusFeedEntry: Sendable {
    enum Content: Sendable {
        case streak(seconds: Int)
        case week(DayNumber, points: Hundredths, streakCount: Int)
    }

    let id: UUID
    let person: UserID
    let nickname: String?
    /// Nil unless the two share a group.
    let firstName: String?
    /// A full hour, since nobody may learn when another user unlocked their phone.
    let at: Instant
    let content: Content
}

/// A streak that followers may see, if it is long.
struct FeedStreak: Sendable {
    private static let minSeconds = 3_600
    /// A longer streak counts as one of this length.
    private static let maxSeconds = 604_800

    let endedAt: Instant
    let seconds: Int

    init(_ streak: Streak) {
        endedAt = streak.ended
        seconds = min(streak.ended - streak.began, Self.maxSeconds)
    }

    var isLong: Bool { seconds >= Self.minSeconds }
}
