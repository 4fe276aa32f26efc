import FeatureKit
import FocusRules
import Foundation
import Postgres

/// The kinds of things that are due for a user at a later time.
enum FocusDueKind: String, Sendable {
    case temptation, results, review, morning
    case partnerPrompt = "partner_prompt"
}

/// A row of `focus_due`.
struct FocusDue: Sendable {
    let user: UserID
    let kind: FocusDueKind
    /// Nil: nothing more comes.
    var dueAt: Instant?
    /// The beginning of the streak that is tempted, or the last reminder of the kind.
    var since: Instant?
    /// The place in the chain of a streak's temptations, or the number of reminders so far.
    var number = 0
    /// The local day of a reminder.
    var day: DayNumber?

    /// The row without a further due time.
    var ended: FocusDue {
        var row = self
        row.dueAt = nil
        return row
    }
}

/// SQL about `focus_due`.
enum FocusDueStore {
    /// Locks rows that are due and that no other transaction has locked.
    ///
    /// - Parameter without: the users whose rows are put off.
    static func claim(_ tx: PostgresTransaction, limit: Int, without users: [UUID]) throws -> [FocusDue] {
        try tx.query(
            """
            SELECT user_id, kind, extract(epoch FROM due_at)::bigint AS due_at, extract(epoch FROM since)::bigint AS since,
                number, day - DATE '1970-01-01' AS day
            FROM focus_due
            WHERE due_at <= now() AND user_id <> ALL(\(users))
            ORDER BY due_at
            LIMIT \(limit)
            FOR UPDATE SKIP LOCKED
            """
        ).compactMap(FocusDue.init)
    }

    /// Writes rows that the transaction has claimed.
    static func write(_ tx: PostgresTransaction, _ rows: [FocusDue]) throws {
        guard !rows.isEmpty else { return }
        try tx.execute(
            """
            UPDATE focus_due
            SET due_at = coalesce(to_timestamp(r.due_at), 'infinity'), since = to_timestamp(r.since), number = r.number,
                day = DATE '1970-01-01' + r.day::integer
            FROM unnest(
                \(rows.map(\.user)), \(rows.map(\.kind.rawValue)), \(rows.map(\.dueAt)), \(rows.map(\.since)),
                \(rows.map(\.number)), \(rows.map(\.day))
            ) AS r (user_id, kind, due_at, since, number, day)
            WHERE focus_due.user_id = r.user_id AND focus_due.kind = r.kind
            """)
    }

    /// Begins the chain of a streak's temptations, in place of an earlier one.
    static func put(_ tx: PostgresTransaction, temptation due: FocusDue) throws {
        try tx.execute(
            """
            INSERT INTO focus_due (user_id, kind, due_at, since, number)
            VALUES (\(due.user), 'temptation', coalesce(to_timestamp(\(due.dueAt)), 'infinity'),
                to_timestamp(\(due.since)), \(due.number))
            ON CONFLICT (user_id, kind) DO UPDATE
            SET due_at = excluded.due_at, since = excluded.since, number = excluded.number
            """)
    }

    static func delete(_ tx: PostgresTransaction, _ kind: FocusDueKind, of user: UserID) throws {
        try tx.execute("DELETE FROM focus_due WHERE user_id = \(user) AND kind = \(kind.rawValue)")
    }

    static func now(_ tx: PostgresTransaction) throws -> Instant {
        try tx.first("SELECT extract(epoch FROM date_trunc('second', now()))::bigint AS now")?.get("now") ?? 0
    }
}

extension FocusDue {
    /// Nil for a kind that only a later version of the service knows.
    fileprivate init?(_ row: PostgresRow) throws {
        guard let kind = FocusDueKind(rawValue: try row.get("kind")) else { return nil }
        self.init(
            user: try row.get("user_id"), kind: kind, dueAt: try row.get("due_at"),
            since: try row.get("since"),
            number: try row.get("number"), day: try row.get("day"))
    }
}
