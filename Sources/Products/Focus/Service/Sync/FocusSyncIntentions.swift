import FeatureKit
import FocusRules
import Foundation
import Postgres

/// The intentions of a user in one sync. They are read when the first event concerns them, and written once.
final class FocusSyncIntentions {
    private let tx: PostgresTransaction
    private let member: FocusMember
    private let notices: FocusPartnerNotices
    private var events: FocusIntentionEvents?

    init(_ tx: PostgresTransaction, _ member: FocusMember, _ notices: FocusPartnerNotices) {
        self.tx = tx
        self.member = member
        self.notices = notices
    }

    /// Takes the first event of a later local day than any before: the days of the intentions before it are over.
    func reach(_ day: DayNumber) throws {
        var events = try loaded()
        events.take(day: day)
        self.events = events
    }

    /// Takes an open of an intention on a local day.
    ///
    /// - Returns: false if the user has no such intention.
    func open(_ id: UUID, on day: DayNumber) throws -> Bool {
        var events = try loaded()
        let isKnown = events.open(id, day: day)
        self.events = events
        return isKnown
    }

    /// Writes what the events have changed, and lets the partners know of the streaks that they broke.
    func save() throws {
        guard let events else { return }
        for lost in try FocusIntentionStore.save(tx, events, of: member.user) {
            try notices.streakBroke(
                tx, of: member, intention: lost.intention.rawValue, on: lost.day,
                partners: try FocusPartnerStore.accepted(tx, of: member.user))
        }
    }

    private func loaded() throws -> FocusIntentionEvents {
        if let events { return events }
        return try FocusIntentionStore.events(tx, of: member.user)
    }
}
