import FeatureKit
import FocusRules
import Postgres

/// The things that a user has done on purpose and `GET /now` shows.
struct FocusActState: Sendable {
    /// The running session.
    let session: FocusSessionState?
    let totals: FocusLedgerStore.Totals
    /// The day of this week's freeze; nil: not taken yet.
    let frozenDay: DayNumber?
    /// Whether the tutorial has paid.
    let hasTutorial: Bool
}

/// SQL that reads them with one statement, since every sync answers with them.
enum FocusActStore {
    static func state(_ tx: PostgresTransaction, of member: FocusMember) throws -> FocusActState {
        let row = try tx.one(
            """
            SELECT p.xp AS total_xp, p.coins AS total_coins, f.day - DATE '1970-01-01' AS frozen_day,
                EXISTS (
                    SELECT FROM focus_ledger l WHERE l.user_id = p.user_id AND l.cause = \(FocusTutorial.cause)
                ) AS has_tutorial,
                s.id IS NOT NULL AS has_session, \(fragment: FocusSessionStore.columns)
            FROM focus_profiles p
            LEFT JOIN focus_freezes f
                ON f.user_id = p.user_id AND f.week = DATE '1970-01-01' + \(monday(of: member.today))::integer
            LEFT JOIN focus_sessions s ON s.user_id = p.user_id AND s.state = 'running'
            WHERE p.user_id = \(member.user)
            """)
        return FocusActState(
            session: try row.get("has_session") ? FocusSessionState(row) : nil,
            totals: FocusLedgerStore.Totals(xp: try row.get("total_xp"), coins: try row.get("total_coins")),
            frozenDay: try row.get("frozen_day"), hasTutorial: try row.get("has_tutorial"))
    }
}
