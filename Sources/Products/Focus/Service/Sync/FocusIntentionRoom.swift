import FeatureKit
import FocusRules
import Foundation
import Postgres

/// The part that intentions take in a sync, in its transaction. The front door of Focus sets it.
struct FocusIntentionRoom: Sendable {
    /// Reads the user's intentions.
    var load: @Sendable (PostgresTransaction, FocusMember) throws -> FocusIntentionEvents = { _, _ in
        FocusIntentionEvents([], frozenDays: [])
    }
    /// Writes what the events have changed, and lets the partners know of the streaks that they broke.
    var save: @Sendable (PostgresTransaction, FocusMember, FocusIntentionEvents) throws -> Void = { _, _, _ in
    }
}

/// The intentions of a user in one sync. They are read when the first event concerns them, and written once.
final class FocusSyncIntentions {
    private let tx: PostgresTransaction
    private let member: FocusMember
    private let room: FocusIntentionRoom
    private var events: FocusIntentionEvents?

    init(_ tx: PostgresTransaction, _ member: FocusMember, _ room: FocusIntentionRoom) {
        self.tx = tx
        self.member = member
        self.room = room
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

    func save() throws {
        if let events { try room.save(tx, member, events) }
    }

    private func loaded() throws -> FocusIntentionEvents {
        if let events { return events }
        return try room.load(tx, member)
    }
}
