import Auth
import FeatureKit
import Foundation
import Groups

/// Answers at the time of a delivery whether the reason of a notification still holds. The feature whose things a
/// notification is about provides it.
package struct NotificationSource: Sendable {
    /// When the thing with that id happened; nil if it is gone meanwhile.
    let happenedAt: @Sendable (UUID) async throws -> Date?
    /// The time until which a notification is useful; nil if there is nothing to see any more.
    let latestUse: @Sendable (NotificationQuestion) async throws -> Date?

    package init(
        happenedAt: @escaping @Sendable (UUID) async throws -> Date?,
        latestUse: @escaping @Sendable (NotificationQuestion) async throws -> Date?
    ) {
        self.happenedAt = happenedAt
        self.latestUse = latestUse
    }
}

/// Asks whether a reader has something new to see in a group.
package struct NotificationQuestion: Sendable {
    package let group: GroupID
    package let reader: UserID
    /// The reader's day, `YYYY-MM-DD`.
    package let day: String
    /// The thing that caused the notification. If it is gone, another one of that day is a sufficient reason.
    package let subject: UUID
}
