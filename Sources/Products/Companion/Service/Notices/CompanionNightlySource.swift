import CompanionRules
import FeatureKit
import Notifications
import Postgres

/// Answers right before the evening's push message is sent whether its reason still holds.
struct CompanionNightlySource: Sendable {
    /// The pool of background work.
    let postgres: PostgresClient

    /// The message comes at 23:00, so that an account which has set no quiet hours has none for it.
    var source: PersonalNotificationSource {
        PersonalNotificationSource(quietHours: .none) { notification, user in
            guard let day = DayNumber(notification.subject) else { return false }
            return try await CompanionNightlyStore.holds(postgres, on: day, for: user)
        }
    }
}
