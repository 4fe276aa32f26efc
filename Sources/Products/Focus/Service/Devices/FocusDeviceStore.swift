import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about `focus_devices`. Every change happens under the lock of the user's profile.
enum FocusDeviceStore {
    static let columns: SQL = """
        d.number, d.id, d.platform, d.setup, d.reason, d.window_open,
        extract(epoch FROM d.window_at)::bigint AS window_at,
        extract(epoch FROM d.verified_at)::bigint AS verified_at, d.counts_from, d.status, d.issue, d.issue_hours,
        extract(epoch FROM d.synced_at)::bigint AS synced_at,
        extract(epoch FROM d.deleted_at)::bigint AS deleted_at, d.last_seq, d.kept_seq,
        extract(epoch FROM d.last_event_at)::bigint AS last_event_at,
        extract(epoch FROM d.last_unlock_at)::bigint AS last_unlock_at,
        d.events_on - DATE '1970-01-01' AS events_on, d.events_count
        """

    /// The user's phones by number, without deleted ones.
    static func all(_ tx: PostgresTransaction, of user: UserID) throws -> [FocusDeviceState] {
        try tx.query(
            """
            SELECT \(fragment: Self.columns) FROM focus_devices d
            WHERE d.user_id = \(user) AND d.deleted_at IS NULL
            ORDER BY d.number
            """
        ).map(FocusDeviceState.init)
    }

    /// The user's phones by number, with those that were deleted since the day.
    static func all(
        _ tx: PostgresTransaction, of user: UserID, deletedSince day: DayNumber
    ) throws -> [FocusDeviceState] {
        try tx.query(
            """
            SELECT \(fragment: Self.columns) FROM focus_devices d
            WHERE d.user_id = \(user)
            AND (d.deleted_at IS NULL
                OR greatest(d.deleted_at, d.last_event_at) >= (DATE '1970-01-01' + \(day)::integer)::timestamp AT TIME ZONE 'UTC')
            ORDER BY d.number
            """
        ).map(FocusDeviceState.init)
    }

    static func find(_ tx: PostgresTransaction, _ id: UUID, of user: UserID) throws -> FocusDeviceState? {
        try tx.first(
            """
            SELECT \(fragment: Self.columns) FROM focus_devices d
            WHERE d.user_id = \(user) AND d.id = \(id) AND d.deleted_at IS NULL
            """
        ).map(FocusDeviceState.init)
    }

    /// Registers a phone under the user's next number, unless the user has `limit` phones.
    ///
    /// - Throws: `FocusError.deviceLimitReached`.
    static func insert(
        _ tx: PostgresTransaction, _ id: UUID, _ platform: FocusDeviceState.Platform, of user: UserID,
        limit: Int
    ) throws -> FocusDeviceState {
        let row = try tx.first(
            """
            WITH next AS (
                UPDATE focus_profiles SET last_device_number = last_device_number + 1
                WHERE user_id = \(user) AND \(limit)::bigint > (
                    SELECT count(*) FROM focus_devices WHERE user_id = \(user) AND deleted_at IS NULL)
                RETURNING user_id, last_device_number
            )
            INSERT INTO focus_devices (user_id, number, id, platform)
            SELECT user_id, last_device_number, \(id), \(platform.rawValue) FROM next
            RETURNING number
            """)
        guard let row else { throw FocusError.deviceLimitReached }
        return FocusDeviceState(number: try row.get("number"), id: id, platform: platform)
    }

    static func update(_ tx: PostgresTransaction, _ device: FocusDeviceState, of user: UserID) throws {
        try tx.execute(Self.updating(device, of: user))
    }

    static func updating(_ device: FocusDeviceState, of user: UserID) -> SQL {
        """
        UPDATE focus_devices
        SET setup = \(device.setUp.storedStage.rawValue), reason = \(device.setUp.storedFailure?.rawValue),
            window_at = to_timestamp(\(device.lastWindowAt)::bigint), window_open = \(device.setUp.windowStartsAt != nil),
            verified_at = to_timestamp(\(device.verifiedAt)::bigint), counts_from = \(device.countsFrom),
            status = \(device.health.status.rawValue), issue = \(device.health.issue?.rawValue),
            issue_hours = \(device.health.issueHours)::integer,
            synced_at = to_timestamp(\(device.syncedAt)::bigint),
            deleted_at = to_timestamp(\(device.deletedAt)::bigint),
            last_seq = \(device.intake.acknowledged), kept_seq = \(device.keptSeq),
            last_event_at = to_timestamp(\(device.intake.lastTime)::bigint),
            last_unlock_at = to_timestamp(\(device.lastUnlockAt)::bigint),
            events_on = DATE '1970-01-01' + \(device.intake.countedDay)::integer,
            events_count = least(\(device.intake.countOfDay), 32767)::smallint
        WHERE user_id = \(user) AND number = \(device.number)::integer
        """
    }
}

extension FocusDeviceState {
    /// From `FocusDeviceStore.columns`.
    init(_ row: PostgresRow) throws {
        guard let platform = Platform(rawValue: try row.get("platform")),
            let stage = SetUpStage(rawValue: try row.get("setup")),
            let status = DeviceStatus(rawValue: try row.get("status"))
        else { throw PostgresError.decoding("a device of Focus has an unknown platform, setup or status") }
        let (reason, issue): (String?, String?) = (try row.get("reason"), try row.get("issue"))
        self.init(number: try row.get("number"), id: try row.get("id"), platform: platform)
        lastWindowAt = try row.get("window_at")
        setUp = DeviceSetUp(
            stage: stage, failure: reason.flatMap(SetUpFailure.init),
            windowStartsAt: try row.get("window_open") ? lastWindowAt : nil)
        verifiedAt = try row.get("verified_at")
        countsFrom = try row.get("counts_from")
        health = DeviceHealth(
            status: status, issue: issue.flatMap(DeviceIssue.init), issueHours: try row.get("issue_hours"))
        syncedAt = try row.get("synced_at")
        deletedAt = try row.get("deleted_at")
        intake = EventIntake(
            acknowledged: try row.get("last_seq"), lastTime: try row.get("last_event_at"),
            countedDay: try row.get("events_on", as: Int?.self) ?? 0, countOfDay: try row.get("events_count"))
        keptSeq = try row.get("kept_seq")
        lastUnlockAt = try row.get("last_unlock_at")
    }
}
