import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Postgres

/// The events of a phone on a UTC day.
struct FocusEventDay: Sendable {
    let device: DeviceNumber
    let day: DayNumber
    let events: [FocusEvent]
    /// The intentions that the events name by their place.
    let intentions: [UUID]
}

/// New events of a phone on a UTC day, to be appended to those that are stored.
struct FocusEventAddition: Sendable {
    let day: DayNumber
    let firstSeq: Int
    let lastSeq: Int
    let packed: [UInt8]
    /// All intentions of the day, if the new events name any.
    let intentions: [UUID]
}

/// SQL about `focus_event_days`.
enum FocusEventStore {
    /// The events of some phones from a UTC day on.
    static func days(
        _ tx: PostgresTransaction, of user: UserID, devices: [DeviceNumber], from first: DayNumber
    ) throws -> [FocusEventDay] {
        guard !devices.isEmpty else { return [] }
        return try tx.query(Self.reading(user, devices, from: first)).map(FocusEventDay.init)
    }

    /// As ``days(_:of:devices:from:)``, one day at a time.
    static func forEachDay(
        _ tx: PostgresTransaction, of user: UserID, devices: [DeviceNumber], from first: DayNumber,
        _ body: (FocusEventDay) throws -> Void
    ) throws {
        guard !devices.isEmpty else { return }
        for row in try tx.query(Self.reading(user, devices, from: first)) { try body(FocusEventDay(row)) }
    }

    private static func reading(_ user: UserID, _ devices: [DeviceNumber], from first: DayNumber) -> SQL {
        """
        SELECT device, day - DATE '1970-01-01' AS day, first_seq, events, intentions
        FROM focus_event_days
        WHERE user_id = \(user) AND device = ANY(\(devices)) AND day >= DATE '1970-01-01' + \(first)::integer
        ORDER BY device, day
        """
    }

    /// The days of phones with events after the given numbers, by phone and day.
    ///
    /// - Parameters:
    ///   - since: the events of phones before this UTC day are left out.
    static func days(
        _ tx: PostgresTransaction, of user: UserID, after known: [DeviceNumber: Int], since: DayNumber,
        limit: Int
    ) throws -> [FocusEventDay] {
        guard !known.isEmpty else { return [] }
        return try tx.query(
            """
            SELECT e.device, e.day - DATE '1970-01-01' AS day, e.first_seq, e.events, e.intentions
            FROM focus_event_days e
            JOIN unnest(\(Array(known.keys)), \(Array(known.values))) AS known (device, seq) ON known.device = e.device
            WHERE e.user_id = \(user) AND e.last_seq > known.seq
            AND e.day >= DATE '1970-01-01' + \(since)::integer
            ORDER BY e.device, e.day
            LIMIT \(limit)
            """
        ).map(FocusEventDay.init)
    }

    /// The intentions that the stored events of a phone name on these days.
    static func intentions(
        _ tx: PostgresTransaction, of user: UserID, device: DeviceNumber, on days: [DayNumber]
    ) throws -> [DayNumber: [UUID]] {
        let rows = try tx.query(
            """
            SELECT day - DATE '1970-01-01' AS day, intentions FROM focus_event_days
            WHERE user_id = \(user) AND device = \(device)
            AND day = ANY(SELECT DATE '1970-01-01' + n::integer FROM unnest(\(days)) n)
            """)
        return try rows.reduce(into: [:]) {
            $0[try $1.get("day")] = try $1.get("intentions", as: [UUID].self)
        }
    }

    static func inserting(_ additions: [FocusEventAddition], device: DeviceNumber, of user: UserID) -> SQL {
        let rows = additions.map { addition -> SQL in
            """
            (\(user), \(device)::integer, DATE '1970-01-01' + \(addition.day)::integer, \(addition.firstSeq),
                \(addition.lastSeq), \(addition.packed), \(addition.intentions))
            """
        }
        return """
            INSERT INTO focus_event_days AS known (user_id, device, day, first_seq, last_seq, events, intentions)
            VALUES \(fragment: .joined(rows, by: ", "))
            ON CONFLICT (user_id, device, day) DO UPDATE
            SET events = known.events || excluded.events, last_seq = excluded.last_seq,
                intentions = CASE WHEN excluded.intentions = '{}' THEN known.intentions ELSE excluded.intentions END
            """
    }
}

extension FocusEventDay {
    init(_ row: PostgresRow) throws {
        let (day, packed): (DayNumber, [UInt8]) = (try row.get("day"), try row.get("events"))
        guard let events = EventPacking.unpacked(packed, day: day, firstSeq: try row.get("first_seq")) else {
            throw PostgresError.decoding("the events of a day are not of their form")
        }
        self.init(
            device: try row.get("device"), day: day, events: events, intentions: try row.get("intentions"))
    }
}
