import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import HTTPKit
import Postgres

/// SQL about `companion_bypasses`. Every change happens under the lock of the owner's settings.
enum CompanionBypassStore {
    /// The phone's last bypass that opened a window.
    /// - Parameter first: earlier days are not searched.
    static func last(
        _ tx: PostgresTransaction, of device: UUID, of user: UserID, from first: DayNumber
    ) throws -> CompanionBypassState? {
        try tx.first(
            """
            SELECT day - DATE '1970-01-01' AS day, number, extract(epoch FROM at)::bigint AS at,
                extract(epoch FROM closes_at)::bigint AS closes_at
            FROM companion_bypasses
            WHERE user_id = \(user) AND day >= DATE '1970-01-01' + \(first)::integer AND device_id = \(device)
            AND closes_at IS NOT NULL
            ORDER BY at DESC, day DESC, number DESC
            LIMIT 1
            """
        ).map { row in
            let at: Instant = try row.get("at")
            return CompanionBypassState(
                day: try row.get("day"), number: try row.get("number"), at: at,
                window: BypassWindow(opened: at, closes: try row.get("closes_at")))
        }
    }

    static func insert(
        _ tx: PostgresTransaction, _ bypasses: [CompanionBypassState], by device: UUID, of user: UserID
    ) throws {
        guard !bypasses.isEmpty else { return }
        try tx.execute(
            """
            INSERT INTO companion_bypasses (user_id, day, number, device_id, at, closes_at)
            SELECT \(user), DATE '1970-01-01' + b.day::integer, b.number, \(device), to_timestamp(b.at),
                to_timestamp(b.closes_at)
            FROM unnest(
                \(bypasses.map(\.day)), \(bypasses.map(\.number)), \(bypasses.map(\.at)),
                \(bypasses.map { $0.window?.closes })
            ) AS b (day, number, at, closes_at)
            """)
    }

    /// Shuts the window of a bypass that is stored.
    static func close(_ tx: PostgresTransaction, _ bypass: CompanionBypassState, of user: UserID) throws {
        try tx.execute(
            """
            UPDATE companion_bypasses SET closes_at = to_timestamp(\(bypass.window?.closes)::bigint)
            WHERE user_id = \(user) AND day = DATE '1970-01-01' + \(bypass.day)::integer
            AND number = \(bypass.number)::smallint
            """)
    }

    /// The last end of the windows that are open now.
    static func openUntil(_ tx: PostgresTransaction, of owner: CompanionOwner) throws -> Instant? {
        // A window lasts at most an hour, so that it was opened on the running day or on the one before.
        try tx.one(
            """
            SELECT extract(epoch FROM max(closes_at))::bigint AS closes_at
            FROM companion_bypasses
            WHERE user_id = \(owner.user) AND day >= DATE '1970-01-01' + \(owner.day - 4)::integer
            AND at <= to_timestamp(\(owner.now)::bigint) AND closes_at > to_timestamp(\(owner.now)::bigint)
            """
        ).get("closes_at")
    }

    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "bypasses": try tx.exported(
                """
                SELECT day, number, device_id, at, closes_at
                FROM companion_bypasses WHERE user_id = \(user) ORDER BY day, number
                """)
        ]
    }
}
