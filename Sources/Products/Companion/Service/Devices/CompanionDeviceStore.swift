import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import HTTPKit
import Postgres

/// SQL about `companion_devices`. Every change happens under the lock of the owner's settings.
enum CompanionDeviceStore {
    /// The owner's phones in the order of their registration.
    static func all(_ tx: PostgresTransaction, of user: UserID) throws -> [CompanionDeviceState] {
        try tx.query(
            """
            SELECT \(fragment: Self.columns) FROM companion_devices d
            WHERE d.user_id = \(user)
            ORDER BY d.created_at, d.id
            """
        ).map(CompanionDeviceState.init)
    }

    static func find(_ tx: PostgresTransaction, _ id: UUID, of user: UserID) throws -> CompanionDeviceState? {
        try tx.first(
            """
            SELECT \(fragment: Self.columns) FROM companion_devices d
            WHERE d.user_id = \(user) AND d.id = \(id)
            """
        ).map(CompanionDeviceState.init)
    }

    static func count(_ tx: PostgresTransaction, of user: UserID) throws -> Int {
        try tx.one("SELECT count(*) AS count FROM companion_devices WHERE user_id = \(user)").get("count")
    }

    /// Writes a phone's state after a sync, which registers an unknown one.
    static func write(_ tx: PostgresTransaction, _ device: CompanionDeviceState, of user: UserID) throws {
        let intake = device.intake
        try tx.execute(
            """
            INSERT INTO companion_devices
                (user_id, id, synced_at, last_seq, last_event_at, events_on, events_count)
            VALUES (\(user), \(device.id), to_timestamp(\(device.syncedAt)::bigint), \(intake.acknowledged),
                to_timestamp(\(intake.lastTime)::bigint), DATE '1970-01-01' + \(intake.countedDay)::integer,
                \(intake.countOfDay)::integer)
            ON CONFLICT (user_id, id) DO UPDATE
            SET synced_at = excluded.synced_at, last_seq = excluded.last_seq, last_event_at = excluded.last_event_at,
                events_on = excluded.events_on, events_count = excluded.events_count
            """)
    }

    /// - Returns: whether the owner had the phone.
    static func delete(_ tx: PostgresTransaction, _ id: UUID, of user: UserID) throws -> Bool {
        try tx.execute("DELETE FROM companion_devices WHERE user_id = \(user) AND id = \(id)") > 0
    }

    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "devices": try tx.exported(
                """
                SELECT id, created_at, synced_at, last_seq, last_event_at, events_on, events_count
                FROM companion_devices WHERE user_id = \(user) ORDER BY created_at, id
                """)
        ]
    }

    private static let columns: SQL = """
        d.id, extract(epoch FROM d.synced_at)::bigint AS synced_at, d.last_seq,
        extract(epoch FROM d.last_event_at)::bigint AS last_event_at,
        d.events_on - DATE '1970-01-01' AS events_on, d.events_count
        """
}

extension CompanionDeviceState {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: try row.get("id"), syncedAt: try row.get("synced_at"),
            intake: EventIntake(
                acknowledged: try row.get("last_seq"), lastTime: try row.get("last_event_at"),
                countedDay: try row.get("events_on"), countOfDay: try row.get("events_count")))
    }
}
