import FeatureKit
import HTTPKit
import Postgres

/// SQL that exports what users do on purpose.
enum FocusActExportStore {
    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        try chosen(tx, user).merging(try done(tx, user)) { $1 }
    }

    private static func chosen(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "schedules": try tx.exported(
                """
                SELECT id, name, emoji, to_char(from_time, 'HH24:MI') AS from_time,
                    to_char(to_time, 'HH24:MI') AS to_time, array_to_string(weekdays, ',') AS weekdays, mode,
                    beast_mode, created_at
                FROM focus_schedules WHERE user_id = \(user) ORDER BY created_at, id
                """),
            "intentions": try tx.exported(
                """
                SELECT id, label, opens, next_opens, next_opens_on, minutes, day, used, is_exceeded, streak, best,
                    created_at
                FROM focus_intentions WHERE user_id = \(user) ORDER BY created_at, id
                """),
            "breaks": try tx.exported(
                """
                SELECT day, intention_id, streak FROM focus_breaks
                WHERE user_id = \(user) ORDER BY day, intention_id
                """),
            "freezes": try tx.exported(
                "SELECT id, week, day FROM focus_freezes WHERE user_id = \(user) ORDER BY day"),
            // The people whom the user has asked. The people who have asked the user are left out.
            "partners": try tx.exported(
                """
                SELECT partner_id, asked_at, accepted_at FROM focus_partners
                WHERE user_id = \(user) ORDER BY asked_at, partner_id
                """),
        ]
    }

    private static func done(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "sessions": try tx.exported(
                """
                SELECT id, name, emoji, goal_minutes, mode, beast_mode, schedule_id, date, state, started_at,
                    ended_at, ended_on, xp
                FROM focus_sessions WHERE user_id = \(user) ORDER BY started_at, id
                """),
            "ledger": try tx.exported(
                """
                SELECT cause, xp, coins, earned_on, earned_at FROM focus_ledger
                WHERE user_id = \(user) ORDER BY earned_at, cause
                """),
            "purchases": try tx.exported(
                """
                SELECT id, original_id, product_id, expires_at, claimed_at, revoked_at FROM focus_transactions
                WHERE user_id = \(user) ORDER BY claimed_at, id
                """),
        ]
    }
}
