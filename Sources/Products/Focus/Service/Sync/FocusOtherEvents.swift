import DeviceIntake
import FocusRules
import Foundation
import Postgres

/// The events of a user's other phones that a phone does not know yet.
struct FocusOtherEvents: Sendable {
    struct Event: Sendable {
        let device: DeviceNumber
        let event: FocusEvent
        /// The intention of an `open`.
        let intention: UUID?
    }

    static let maxEvents = 500
    /// Each row has an event that the phone does not know, so that every sync brings it further.
    private static let maxRows = 64

    private(set) var events: [Event] = []
    private(set) var cursor: FocusSyncCursor
    private(set) var hasMore = false

    init(
        _ tx: PostgresTransaction, for device: DeviceNumber,
        in state: FocusUserState,
        after cursor: FocusSyncCursor
    ) throws {
        self.cursor = cursor
        let others = state.devices.filter { $0.number != device }
        self.cursor.keep(Set(others.map(\.number)))
        let behind = others.filter { $0.keptSeq > cursor.known[$0.number] ?? 0 }
        let rows = try FocusEventStore.days(
            tx, of: state.member.user,
            after: Dictionary(uniqueKeysWithValues: behind.map { ($0.number, cursor.known[$0.number] ?? 0) }),
            since: utcDay(of: cursor.since), limit: Self.maxRows)
        hasMore = rows.count == Self.maxRows
        for row in rows where events.count <= Self.maxEvents { take(row, after: cursor) }
        if events.count > Self.maxEvents {
            events.removeSubrange(Self.maxEvents...)
            hasMore = true
        }
        noteProgress(others)
    }

    private mutating func take(_ row: FocusEventDay, after known: FocusSyncCursor) {
        let seq = known.known[row.device] ?? 0
        for event in row.events where event.seq > seq && event.at >= known.since {
            var intention: UUID?
            if case .open(let place) = event.content, row.intentions.indices.contains(place) {
                intention = row.intentions[place]
            }
            events.append(Event(device: row.device, event: event, intention: intention))
        }
    }

    /// Phones after that of the last event may have more events; the others are known as far as they have synced.
    private mutating func noteProgress(_ others: [FocusDeviceState]) {
        let last = hasMore ? events.last?.device ?? 0 : .max
        for device in others where device.number < last {
            cursor.know(device.number, upTo: device.intake.acknowledged)
        }
        if hasMore, let event = events.last { cursor.know(event.device, upTo: event.event.seq) }
    }
}
