import CompanionRules
import FeatureKit
import Foundation
import Postgres

/// SQL that finds and locks the accounts of Companion, and moves their running days on.
enum CompanionOwnerStore {
    /// Locks the row. The account is read by another statement, because one that waits for a lock reads the other tables,
    /// such as the time zone, as they were before.
    ///
    /// - Returns: false for whoever has not joined.
    static func lock(_ tx: PostgresTransaction, _ user: UserID) throws -> Bool {
        try tx.first("SELECT 1 AS one FROM companion_settings WHERE user_id = \(user) FOR NO KEY UPDATE")
            != nil
    }

    /// Locks the accounts with pets whose day has ended and that no other transaction has locked, the first to end first.
    ///
    /// - Parameter without: the accounts that are put off.
    static func claimPets(_ tx: PostgresTransaction, limit: Int, without users: [UUID]) throws -> [UserID] {
        try tx.query(
            """
            SELECT user_id FROM companion_settings
            WHERE has_pet AND ends_at <= now() AND user_id <> ALL(\(users))
            ORDER BY ends_at
            LIMIT \(limit)
            FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try $0.get("user_id") }
    }

    /// The accounts, and whether something is due for them: the end of the running day, or the summary of the one before.
    static func find(
        _ tx: PostgresTransaction, _ users: [UserID]
    ) throws -> [(owner: CompanionOwner, isDue: Bool)] {
        try tx.query(
            """
            SELECT \(fragment: Self.columns),
                s.ends_at <= now() OR EXISTS (
                    SELECT FROM companion_days d
                    WHERE d.user_id = s.user_id AND d.day BETWEEN s.day - 4 AND s.day - 1
                    AND \(fragment: CompanionDayStore.summaryIsDue)) AS is_due
            FROM companion_settings s JOIN users u ON u.id = s.user_id
            WHERE s.user_id = ANY(\(users))
            """
        ).map { (try CompanionOwner($0), try $0.get("is_due")) }
    }

    /// Writes the running days and limits of the accounts.
    static func write(_ tx: PostgresTransaction, _ owners: [CompanionOwner]) throws {
        try tx.execute(
            """
            UPDATE companion_settings s
            SET day = DATE '1970-01-01' + o.day::integer, begins_at = to_timestamp(o.begins_at),
                ends_at = to_timestamp(o.ends_at), limit_minutes = o.tomorrow, limit_minutes_today = o.today
            FROM unnest(
                \(owners.map(\.user)), \(owners.map(\.day)), \(owners.map(\.dayTimes.beginsAt)),
                \(owners.map(\.dayTimes.endsAt)), \(owners.map(\.limit.tomorrow)), \(owners.map(\.limit.today))
            ) AS o (user_id, day, begins_at, ends_at, tomorrow, today)
            WHERE s.user_id = o.user_id
            """)
    }

    static func setHasPet(_ tx: PostgresTransaction, _ hasPet: Bool, of user: UserID) throws {
        try tx.execute("UPDATE companion_settings SET has_pet = \(hasPet) WHERE user_id = \(user)")
    }

    /// The columns of an owner, from the settings `s` and the user `u`.
    static let columns: SQL = """
        s.user_id, u.time_zone, extract(epoch FROM date_trunc('second', now()))::bigint AS now,
        extract(epoch FROM s.joined_at)::bigint AS joined_at, s.day - DATE '1970-01-01' AS day,
        extract(epoch FROM s.begins_at)::bigint AS begins_at, extract(epoch FROM s.ends_at)::bigint AS ends_at,
        s.limit_minutes, s.limit_minutes_today, s.cooldown_minutes, s.schedule_from, s.schedule_to,
        s.schedule_weekdays, s.nightly, s.has_pet
        """
}

extension CompanionOwner {
    /// From `CompanionOwnerStore.columns`.
    init(_ row: PostgresRow) throws {
        self.init(
            user: try row.get("user_id"), zone: try row.get("time_zone"), now: try row.get("now"),
            joinedAt: try row.get("joined_at"), day: try row.get("day"),
            dayTimes: DayTimes(beginsAt: try row.get("begins_at"), endsAt: try row.get("ends_at")),
            limit: DailyLimit(
                today: try row.get("limit_minutes_today"), tomorrow: try row.get("limit_minutes")),
            cooldownMinutes: try row.get("cooldown_minutes"), schedule: try ShieldSchedule(row),
            wantsNightly: try row.get("nightly"), hasPet: try row.get("has_pet"))
    }
}

extension ShieldSchedule {
    /// From the columns `schedule_…`; nil where they are null.
    init?(_ row: PostgresRow) throws {
        guard let from: Int = try row.get("schedule_from", as: Int?.self) else { return nil }
        self.init(
            from: from, to: try row.get("schedule_to"),
            weekdays: Set(try row.get("schedule_weekdays", as: [Int].self)))
    }
}
