import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Notifications
import Postgres

/// The reminders that come at a local time of a day: the results of a week, the review of a day, the next morning, and the
/// proposal to find a partner.
struct FocusReminders: Sendable {
    private static let morningPause = 72 * 3_600
    private static let maxPartnerPrompts = 4

    /// Call it when a user has joined, or has changed their settings.
    func refresh(_ tx: PostgresTransaction, of user: UserID) throws {
        try FocusReminderStore.refresh(tx, of: user)
    }

    /// Decides about claimed reminders, and moves each to its next day.
    ///
    /// - Returns: the messages to be sent.
    func drafts(_ tx: PostgresTransaction, _ claimed: [FocusDue], now: Instant) throws -> [PersonalDraft] {
        guard !claimed.isEmpty else { return [] }
        let findings = Dictionary(
            uniqueKeysWithValues: try FocusReminderStore.findings(tx, claimed).map {
                (Place($0.user, $0.kind), $0)
            })
        var (drafts, moved): ([PersonalDraft], [FocusDue]) = ([], [])
        for var row in claimed {
            guard let finding = findings[Place(row.user, row.kind)] else {
                moved.append(row.ended)
                continue
            }
            if finding.at > now {
                // The user has gone west meanwhile.
                row.dueAt = finding.at
            } else {
                if Self.isSent(finding, row, now: now) {
                    drafts.append(finding.draft)
                    (row.since, row.number) = (finding.at, row.number + 1)
                }
                (row.day, row.dueAt) = (finding.nextDay, Self.isLast(row) ? nil : finding.nextAt)
            }
            moved.append(row)
        }
        try FocusDueStore.write(tx, moved)
        return drafts
    }

    private struct Place: Hashable {
        let user: UserID
        let kind: FocusDueKind

        init(_ user: UserID, _ kind: FocusDueKind) { (self.user, self.kind) = (user, kind) }
    }

    private static func isSent(_ finding: FocusReminderStore.Finding, _ row: FocusDue, now: Instant) -> Bool {
        guard finding.isReasonGiven, now < finding.at + finding.kind.usefulSeconds else { return false }
        if finding.kind == .morning, let last = row.since { return last <= finding.at - morningPause }
        return true
    }

    private static func isLast(_ row: FocusDue) -> Bool {
        row.kind == .partnerPrompt && row.number >= maxPartnerPrompts
    }
}

extension FocusDueKind {
    /// How long after it is due a reminder is useful.
    fileprivate var usefulSeconds: Int {
        switch self {
        case .temptation: 900
        case .results: 24 * 3_600
        case .review: 12 * 3_600
        case .morning, .partnerPrompt: 2 * 3_600
        }
    }

    fileprivate var notification: NotificationKind {
        switch self {
        case .temptation: .temptation
        case .results: .results
        case .review: .review
        case .morning: .morning
        case .partnerPrompt: .partnerPrompt
        }
    }
}

extension FocusReminderStore.Finding {
    fileprivate var draft: PersonalDraft {
        let data =
            switch kind {
            case .results: ["week": isoText(day: day - 7)]
            case .review: ["day": isoText(day: day - 1)]
            case .temptation, .morning, .partnerPrompt: ["day": isoText(day: day)]
            }
        return PersonalDraft(
            PersonalNotification(kind.notification, subject: String(day), data: data),
            to: user, key: "\(user.rawValue.uuidString.lowercased()) \(isoText(day: day))",
            usefulUntil: Date(timeIntervalSince1970: Double(at + kind.usefulSeconds)))
    }
}

extension FocusReminders {
    /// Answers right before a reminder is sent whether its reason still holds.
    static func sources(_ postgres: PostgresClient) -> [NotificationKind: PersonalNotificationSource] {
        let kinds: [FocusDueKind] = [.results, .review, .morning, .partnerPrompt]
        return kinds.reduce(into: [:]) { sources, kind in
            sources[kind.notification] = PersonalNotificationSource { notification, user in
                guard let day = DayNumber(notification.subject) else { return false }
                return try await FocusReminderStore.holds(postgres, kind, on: day, for: user)
            }
        }
    }
}
