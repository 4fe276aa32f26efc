import Auth
import FeatureKit
import Foundation
import Groups
import Jobs
import Postgres
import Push

/// Records notifications in the outbox, in the transaction that causes them. The recipients are found after its commit.
/// Whether the reason still holds is checked before each delivery.
package struct NotificationOutbox: Sendable {
    /// The platforms whose devices can be reached.
    let platforms: Set<PushPlatform>

    package init(platforms: Set<PushPlatform>) {
        self.platforms = platforms
    }

    /// Records that something is new in a group. Each member is notified at most once a day, and `user` is not notified.
    ///
    /// - Parameters:
    ///   - subject: the id of the new thing.
    ///   - lifetime: the time for which a notification is useful.
    package func notify(
        _ tx: PostgresTransaction, _ kind: NotificationKind, _ subject: UUID, in group: GroupID,
        by user: UserID, lifetime: Duration
    ) throws {
        guard !platforms.isEmpty else { return }
        try OutboxStore.post(
            tx, topic: Topic.group,
            GroupNotification(kind: kind, group: group.rawValue, subject: subject),
            owner: user.rawValue, lifetime: lifetime)
    }

    /// Records personal notifications. Readers without a device are passed over.
    package func notify(_ tx: PostgresTransaction, _ drafts: [PersonalDraft]) throws {
        guard !platforms.isEmpty, !drafts.isEmpty else { return }
        let lanes = try DeviceStore.lanes(tx, of: Set(drafts.map(\.reader)), on: platforms)
        try OutboxStore.post(
            tx, topic: Topic.personal,
            drafts.compactMap { draft in
                lanes[draft.reader].map { lanes in
                    OutboxDraft(
                        key: "\(draft.notification.kind.rawValue) \(draft.key)", owner: draft.reader.rawValue,
                        payload: UserNotification(draft.notification), dueAt: draft.dueAt,
                        expiresAt: draft.usefulUntil, keepUntil: draft.keepUntil, lanes: lanes)
                }
            })
    }

    enum Topic {
        /// Something new in a group. The recipients are yet to be found.
        static let group = "news"
        /// A notification for one user about a group.
        static let user = "notice"
        /// A notification for one user about no group.
        static let personal = "personal"
        /// The last message to a device whose session was ended from elsewhere.
        static let farewell = "farewell"
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
        // An account that is deleted meanwhile is a number without one.
        guard try DeviceStore.keepOwner(tx, user) else { return }
        try OutboxStore.post(
            tx, topic: Topic.user,
            UserNotification(kind: .invitation, group: group.rawValue, subject: invite.rawValue),
            owner: user.rawValue, lifetime: lifetime,
            lanes: try DeviceStore.lanes(tx, of: user, on: platforms))
    }
}

/// The payload of a row of the outbox for a device that is deleted with its session.
struct Farewell: Codable, Sendable {
    let platform: String
    let token: String

    var address: DeviceToken? {
        PushPlatform(rawValue: platform).flatMap { DeviceToken(token, platform: $0) }
    }
}

/// The payload of a row of the outbox about something new in a group. The row's owner caused it.
struct GroupNotification: Codable, Sendable {
    let kind: NotificationKind
    let group: UUID
    let subject: UUID
}

/// The payload of a row of the outbox about a notification for one user, who is the row's owner.
struct UserNotification: Codable, Sendable, Equatable {
    let kind: NotificationKind
    /// Nil for a personal notification, and so is the subject.
    var group: UUID?
    var subject: UUID?
    /// The personal notification, if it is one.
    var personal: PersonalNotification?
    /// The reader's day that the notification is about, `YYYY-MM-DD`.
    var day: String?
    /// The devices that need no further attempt, after a success or a final failure.
    var finishedDevices: [UUID] = []
    /// Whether a provider has accepted the message for a device.
    var isDelivered = false
    /// Whether quiet hours have delayed the notification.
    var isLate = false

    init(kind: NotificationKind, group: UUID, subject: UUID, day: String? = nil) {
        self.kind = kind
        self.group = group
        self.subject = subject
        self.day = day
    }

    init(_ notification: PersonalNotification) {
        kind = notification.kind
        personal = notification
    }
}
