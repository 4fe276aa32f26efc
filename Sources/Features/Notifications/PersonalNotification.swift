import FeatureKit
import Foundation

/// A notification for one user that is about no group.
package struct PersonalNotification: Codable, Sendable, Equatable {
    package let kind: NotificationKind
    /// The reason, in the words of the feature that is asked before the delivery whether it still holds. It is not sent.
    package let subject: String
    /// The data for the app beside the kind. It names nobody.
    package let data: [String: String]
    /// The middle of the body's key among the app's own texts: `push_<text>`. Nil: the key of the kind.
    package let text: String?

    package init(
        _ kind: NotificationKind, subject: String = "", data: [String: String] = [:], text: String? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.data = data
        self.text = text
    }

    var bodyKey: String { text.map { "push_\($0)" } ?? kind.bodyKey }
}

/// A personal notification that is to be posted.
package struct PersonalDraft: Sendable {
    package let notification: PersonalNotification
    package let reader: UserID
    /// As long as the key is kept, only the first draft of the kind with that key is posted.
    package let key: String
    /// Nil: now.
    package let dueAt: Date?
    /// After this time the notification is not sent any more.
    package let usefulUntil: Date
    /// The time until which the key stays used after the delivery.
    package let keepUntil: Date

    /// - Parameter keepUntil: nil: until a day after the notification has lost its use.
    package init(
        _ notification: PersonalNotification, to reader: UserID, key: String, dueAt: Date? = nil,
        usefulUntil: Date, keepUntil: Date? = nil
    ) {
        self.notification = notification
        self.reader = reader
        self.key = key
        self.dueAt = dueAt
        self.usefulUntil = usefulUntil
        self.keepUntil = keepUntil ?? usefulUntil.addingTimeInterval(86_400)
    }
}

/// Answers at the time of a delivery whether the reason of personal notifications of one kind still holds. The feature that
/// posts them provides it.
package struct PersonalNotificationSource: Sendable {
    /// The quiet hours of an account that has set none.
    package enum QuietHours: Sendable {
        case none
        /// From 22:00 to 08:00, local time.
        case night
    }

    let quietHours: QuietHours
    let replacesEarlier: Bool
    let isDue: @Sendable (PersonalNotification, UserID) async throws -> Bool
    let accepted: @Sendable (PersonalNotification, UserID) async throws -> Void

    /// - Parameters:
    ///   - quietHours: those of an account that has set none.
    ///   - replacesEarlier: whether a device shows only the last message of the kind.
    ///   - isDue: whether the reason still holds.
    ///   - accepted: called when a provider has accepted the message for the first device. After a crash it is called again.
    package init(
        quietHours: QuietHours = .night, replacesEarlier: Bool = true,
        isDue: @escaping @Sendable (PersonalNotification, UserID) async throws -> Bool,
        accepted: @escaping @Sendable (PersonalNotification, UserID) async throws -> Void = { _, _ in }
    ) {
        self.quietHours = quietHours
        self.replacesEarlier = replacesEarlier
        self.isDue = isDue
        self.accepted = accepted
    }
}
