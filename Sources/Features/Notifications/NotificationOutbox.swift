import FeatureKit
import Auth
import Foundation
import Groups
import Jobs
import Postgres
import Push

/// What somebody can be told of. The raw value is what apps switch on, and part of the keys of their texts.
package enum NotificationKind: String, Codable, Sendable, CaseIterable {
    case photo
    case invitation

    /// Of the app's own texts.
    package var titleKey: String { "push_\(rawValue)_title" }
    package var bodyKey: String { "push_\(rawValue)_body" }
}

/// Where features leave word of what people are to be told: in the transaction that made it true. Whom it concerns,
/// and whether it still holds, is decided when it is delivered.
package struct NotificationOutbox: Sendable {
    /// Whose devices can be reached.
    let platforms: Set<PushPlatform>

    package init(platforms: Set<PushPlatform>) {
        self.platforms = platforms
    }

    /// Something new in a group, of which its members hear once a day.
    package func announce(
        _ tx: PostgresTransaction, _ kind: NotificationKind, _ subject: UUID, in group: GroupID,
        by user: UserID,
        lifetime: Duration
    ) throws {
        guard !platforms.isEmpty else { return }
        try Outbox.post(
            tx, topic: Topic.news, GroupNotification(kind: kind, group: group.rawValue, subject: subject),
            owner: user.rawValue, lifetime: lifetime)
    }

    enum Topic {
        /// Something new in a group: who is to hear of it is yet to be found.
        static let news = "news"
        /// Something that one user is to hear.
        static let notice = "notice"
    }
}

extension NotificationOutbox: InvitationPushes {
    package func reachable(
        _ tx: PostgresTransaction, among numbers: [PhoneNumber]
    ) throws -> [String: UserID] {
        guard !platforms.isEmpty else { return [:] }
        return try DeviceStore.owners(tx, of: numbers, on: platforms)
    }

    package func push(
        _ tx: PostgresTransaction, invite: InvitationID, to group: GroupID, for user: UserID,
        lifetime: Duration
    ) throws {
        try Outbox.post(
            tx, topic: Topic.notice,
            UserNotification(kind: .invitation, group: group.rawValue, subject: invite.rawValue),
            owner: user.rawValue, lifetime: lifetime,
            lanes: try DeviceStore.platforms(tx, of: user, on: platforms))
    }
}

/// What the outbox holds of something new in a group; its owner is who did it.
struct GroupNotification: Codable, Sendable {
    let kind: NotificationKind
    let group: UUID
    let subject: UUID
}

/// What the outbox holds of something that one user, its owner, is to hear.
struct UserNotification: Codable, Sendable, Equatable {
    let kind: NotificationKind
    let group: UUID
    let subject: UUID
    /// The reader's day that it is about, `YYYY-MM-DD`.
    var day: String?
    /// Devices that are done with, one way or the other.
    var settled: [UUID] = []
    /// Whether one of them has it.
    var isTold = false
    /// Whether quiet hours held it back.
    var isLate = false
}

/// What a feature says about its news when the time has come to tell it.
package struct NotificationSource: Sendable {
    /// When it happened; nil where it is gone meanwhile.
    let happenedAt: @Sendable (UUID) async throws -> Date?
    /// Until when it is of use to tell somebody that there is news of that day; nil where there is none any more.
    let latestUse: @Sendable (NotificationQuestion) async throws -> Date?

    package init(
        happenedAt: @escaping @Sendable (UUID) async throws -> Date?,
        latestUse: @escaping @Sendable (NotificationQuestion) async throws -> Date?
    ) {
        self.happenedAt = happenedAt
        self.latestUse = latestUse
    }
}

/// Whether a reader has something new to see in a group.
package struct NotificationQuestion: Sendable {
    package let group: GroupID
    package let reader: UserID
    /// The reader's day, `YYYY-MM-DD`.
    package let day: String
    /// What brought it up: another of that day will do.
    package let subject: UUID
}
