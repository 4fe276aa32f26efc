import FeatureKit
import FocusRules
import Foundation
import Notifications
import Postgres

/// Answers right before a temptation is sent whether its streak still runs, and counts those that a provider has accepted.
struct FocusTemptationSource: Sendable {
    let postgres: PostgresClient
    /// Whether the service sends temptations at all.
    let isOn: Bool

    init(postgres: PostgresClient, isOn: Bool) {
        self.postgres = postgres
        self.isOn = isOn
    }

    /// Temptations have quiet hours of their own.
    var source: PersonalNotificationSource {
        PersonalNotificationSource(quietHours: .none) { notification, user in
            try await isDue(notification, user)
        } accepted: { notification, user in
            try await accepted(notification, user)
        }
    }

    private func isDue(_ notification: PersonalNotification, _ user: UserID) async throws -> Bool {
        guard isOn, let key = TemptationKey(notification.subject),
            let state = try await FocusTemptationStore.state(postgres, of: user), state.wishes.isEnabled,
            state.isVerified,
            state.chain?.streakBegan == key.since
        else { return false }
        return try await !FocusTemptationStore.isQuiet(postgres, state)
    }

    /// A repeated call for the same temptation has no effect.
    private func accepted(_ notification: PersonalNotification, _ user: UserID) async throws {
        guard let type = notification.data["type"], let kind = TemptationKind(rawValue: type),
            let number = notification.data["number"].flatMap({ Int($0) })
        else { return }
        try await postgres.transaction { tx in
            guard let state = try FocusTemptationStore.lockSent(tx, of: user),
                state.lastKey != notification.subject
            else {
                return
            }
            var sent = state.sent
            sent.accept(at: try FocusDueStore.now(tx))
            try FocusTemptationStore.write(tx, sent, of: user)
            try FocusTemptationStore.write(
                tx, last: TemptationText(kind: kind, number: number), key: notification.subject, of: user)
        }
    }
}
