import CompanionRules
import FeatureKit
import HTTPKit
import Postgres

/// SQL about the settings in `companion_settings`.
enum CompanionSettingsStore {
    /// The beginning of a first day: now in the user's zone. The user's row is locked, so that the zone stays the same.
    ///
    /// - Returns: nil without such a user.
    static func joiner(_ tx: PostgresTransaction, _ user: UserID) throws -> CompanionJoiner? {
        try tx.first(
            """
            SELECT time_zone, extract(epoch FROM date_trunc('second', now()))::bigint AS now,
                local_day(now(), time_zone) - DATE '1970-01-01' AS today
            FROM users WHERE id = \(user)
            FOR NO KEY UPDATE
            """
        ).map {
            CompanionJoiner(
                zone: try $0.get("time_zone"), now: try $0.get("now"), today: try $0.get("today"))
        }
    }

    /// - Returns: false if the user has joined already.
    static func insert(
        _ tx: PostgresTransaction, _ user: UserID, _ change: CompanionSettingsChange,
        _ joiner: CompanionJoiner, firstEnd: Instant
    ) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO companion_settings (
                user_id, consent, joined_at, limit_minutes, limit_minutes_today, cooldown_minutes, schedule_from,
                schedule_to, schedule_weekdays, nightly, day, begins_at, ends_at)
            VALUES (
                \(user), \(change.consent), to_timestamp(\(joiner.now)), \(change.limitMinutes), \(change.limitMinutes),
                \(change.cooldownMinutes), \(change.schedule?.from), \(change.schedule?.to),
                \(change.schedule?.sortedWeekdays)::smallint[], \(change.wantsNightly),
                DATE '1970-01-01' + \(joiner.today)::integer, to_timestamp(\(joiner.now)), to_timestamp(\(firstEnd)))
            ON CONFLICT (user_id) DO NOTHING
            """) == 1
    }

    static func update(
        _ tx: PostgresTransaction, _ user: UserID, _ change: CompanionSettingsChange, limit: DailyLimit
    ) throws {
        try tx.execute(
            """
            UPDATE companion_settings
            SET consent = \(change.consent), limit_minutes = \(limit.tomorrow), limit_minutes_today = \(limit.today),
                cooldown_minutes = \(change.cooldownMinutes), schedule_from = \(change.schedule?.from),
                schedule_to = \(change.schedule?.to),
                schedule_weekdays = \(change.schedule?.sortedWeekdays)::smallint[], nightly = \(change.wantsNightly)
            WHERE user_id = \(user)
            """)
    }

    static func consent(_ tx: PostgresTransaction, of user: UserID) throws -> String {
        try tx.one("SELECT consent FROM companion_settings WHERE user_id = \(user)").get("consent")
    }

    /// Deletes the settings, and with them everything that Companion keeps about the user.
    static func delete(_ tx: PostgresTransaction, _ user: UserID) throws {
        // Triggers: companion_settings_forget_messages, companion_settings_record_erasure (migrations/schema.sql)
        try tx.execute("DELETE FROM companion_settings WHERE user_id = \(user)")
    }

    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "settings": .object(
                try tx.one(
                    """
                    SELECT consent, joined_at, limit_minutes, limit_minutes_today, cooldown_minutes, schedule_from,
                        schedule_to, array_to_string(schedule_weekdays, ',') AS schedule_weekdays, nightly, day, begins_at,
                        ends_at, has_pet
                    FROM companion_settings WHERE user_id = \(user)
                    """
                ).exported())
        ]
    }
}

/// The moment at which a user joins.
struct CompanionJoiner: Sendable, Equatable {
    let zone: String
    let now: Instant
    /// The local day of `now`.
    let today: DayNumber
}

extension ShieldSchedule {
    fileprivate var sortedWeekdays: [Int] { weekdays.sorted() }
}
