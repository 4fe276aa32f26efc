import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about `focus_intentions`. The writers hold the lock of the profile.
enum FocusIntentionStore {
    /// Oldest first.
    static func all(_ tx: PostgresTransaction, of user: UserID) throws -> [FocusIntentionState] {
        try tx.query(
            """
            SELECT \(fragment: columns) FROM focus_intentions WHERE user_id = \(user) ORDER BY created_at, id
            """
        ).map(FocusIntentionState.init)
    }

    /// - Throws: `FocusError.notFound`.
    static func require(
        _ tx: PostgresTransaction, _ id: FocusIntentionID, of user: UserID
    ) throws -> FocusIntentionState {
        let row = try tx.first(
            "SELECT \(fragment: columns) FROM focus_intentions WHERE id = \(id) AND user_id = \(user)")
        guard let row else { throw FocusError.notFound }
        return try FocusIntentionState(row)
    }

    /// Begins an intention with today. A user who has travelled west may have sent events of a later day: the next event of that
    /// day is the first one for this intention, and closes its day.
    static func insert(
        _ tx: PostgresTransaction, _ id: FocusIntentionID, _ draft: FocusIntentionDraft,
        of member: FocusMember
    ) throws {
        let today: SQL = "DATE '1970-01-01' + \(member.today)::integer"
        try tx.execute(
            """
            WITH profile AS (
                UPDATE focus_profiles SET reached_on = \(fragment: today)
                WHERE user_id = \(member.user) AND reached_on > \(fragment: today)
            )
            INSERT INTO focus_intentions (id, user_id, label, opens, minutes, day)
            VALUES (
                \(id), \(member.user), \(draft.label), \(draft.opens)::smallint, \(draft.minutes)::smallint,
                \(fragment: today)
            )
            """)
    }

    static func update(_ tx: PostgresTransaction, _ intention: FocusIntentionState) throws {
        try tx.execute(
            """
            UPDATE focus_intentions SET label = \(intention.label), minutes = \(intention.minutes)::smallint
            WHERE id = \(intention.id)
            """)
        try save(tx, [intention])
    }

    static func delete(_ tx: PostgresTransaction, _ id: FocusIntentionID, of user: UserID) throws {
        try tx.execute("DELETE FROM focus_intentions WHERE id = \(id) AND user_id = \(user)")
    }

    // MARK: - In a sync

    /// The user's intentions for the events of a sync, which holds the lock of the profile.
    static func events(_ tx: PostgresTransaction, of user: UserID) throws -> FocusIntentionEvents {
        let intentions = try all(tx, of: user)
        guard let first = intentions.map(\.days.day).min() else {
            return FocusIntentionEvents([], frozenDays: [])
        }
        return FocusIntentionEvents(
            intentions, frozenDays: try FocusFreezeStore.days(tx, of: user, from: first))
    }

    /// Writes the changes of a sync.
    ///
    /// - Returns: the broken streaks, of which the partners are told.
    static func save(
        _ tx: PostgresTransaction, _ events: FocusIntentionEvents, of user: UserID
    ) throws -> [FocusBreak] {
        try save(tx, events.changed)
        guard !events.breaks.isEmpty else { return [] }
        let breaks = events.breaks
        try tx.execute(
            """
            INSERT INTO focus_breaks (user_id, day, intention_id, streak)
            SELECT \(user), DATE '1970-01-01' + b.day::integer, b.intention, b.streak
            FROM unnest(\(breaks.map(\.day)), \(breaks.map(\.intention)), \(breaks.map(\.streak)))
                AS b (day, intention, streak)
            ON CONFLICT (user_id, day, intention_id) DO NOTHING
            """)
        return breaks
    }

    private static func save(_ tx: PostgresTransaction, _ changed: [FocusIntentionState]) throws {
        guard !changed.isEmpty else { return }
        let days = changed.map(\.days)
        try tx.execute(
            """
            UPDATE focus_intentions i
            SET opens = c.opens, next_opens = c.next_opens,
                next_opens_on = DATE '1970-01-01' + c.next_opens_on::integer,
                day = DATE '1970-01-01' + c.day::integer, used = c.used, is_exceeded = c.is_exceeded,
                streak = c.streak, best = c.best
            FROM unnest(
                \(changed.map(\.id)), \(days.map(\.limit.value)), \(days.map(\.limit.next?.value)),
                \(days.map(\.limit.next?.from)), \(days.map(\.day)), \(days.map(\.used)),
                \(days.map(\.isExceeded)), \(days.map(\.streak)), \(days.map(\.best))
            ) AS c (id, opens, next_opens, next_opens_on, day, used, is_exceeded, streak, best)
            WHERE i.id = c.id
            """)
    }

    private static let columns: SQL = """
        id, label, minutes, opens, next_opens, next_opens_on - DATE '1970-01-01' AS next_opens_on,
        day - DATE '1970-01-01' AS day, used, is_exceeded, streak, best
        """
}

extension FocusIntentionState {
    init(_ row: PostgresRow) throws {
        let next: Int? = try row.get("next_opens")
        let from: DayNumber? = try row.get("next_opens_on")
        let limit = RisingLimit(
            try row.get("opens", as: Int.self), next: from.map { RisingLimit.Waiting(value: next, from: $0) })
        self.init(
            id: try row.get("id"), label: try row.get("label"), minutes: try row.get("minutes"),
            days: IntentionDays(
                limit: limit, day: try row.get("day"), used: try row.get("used"),
                isExceeded: try row.get("is_exceeded"), streak: try row.get("streak"),
                best: try row.get("best")))
    }
}
