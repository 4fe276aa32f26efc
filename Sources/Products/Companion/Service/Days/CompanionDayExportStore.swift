import FeatureKit
import HTTPKit
import Postgres

/// SQL that exports an account's days.
enum CompanionDayExportStore {
    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "days": try tx.exported(
                """
                SELECT day, begins_at, ends_at, limit_minutes, bypasses, first_use_at, last_use_at, open_seconds,
                    reported_minutes, has_events, has_welcome, has_summary, terminal_at, closed_at, energy
                FROM companion_days WHERE user_id = \(user) ORDER BY day
                """)
        ]
    }
}
