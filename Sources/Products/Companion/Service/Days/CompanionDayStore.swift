import CompanionRules
import FeatureKit
import Postgres

/// SQL about `companion_days`. Every change of a day happens under the lock of its account's settings.
enum CompanionDayStore {
    /// Days are kept for this time after their end.
    static let keptSeconds = 90 * 86_400

    /// The day, unless it ended so long ago that it is to be deleted.
    static func find(_ tx: PostgresTransaction, _ day: DayNumber, of user: UserID) throws
        -> CompanionDayState?
    {
        try tx.first(
            """
            SELECT \(fragment: Self.columns) FROM companion_days d
            WHERE d.user_id = \(user) AND d.day = DATE '1970-01-01' + \(day)::integer
            AND d.ends_at > now() - interval '90 days'
            """
        ).map(CompanionDayState.init)
    }

    /// The day that holds an instant; nil before joining, after the running day, and 90 days after the day's end.
    static func holding(
        _ tx: PostgresTransaction, _ instant: Instant, of user: UserID
    ) throws -> CompanionDayState? {
        try tx.first(
            """
            SELECT \(fragment: Self.columns) FROM companion_days d
            WHERE d.user_id = \(user) AND d.begins_at <= to_timestamp(\(instant))
            AND d.ends_at > to_timestamp(\(instant)) AND d.ends_at > now() - interval '90 days'
            ORDER BY d.day DESC
            LIMIT 1
            """
        ).map(CompanionDayState.init)
    }

    /// The account's days from `first` on, the oldest first.
    static func list(
        _ tx: PostgresTransaction, from first: DayNumber, of user: UserID
    ) throws -> [CompanionDayState] {
        try tx.query(
            """
            SELECT \(fragment: Self.columns) FROM companion_days d
            WHERE d.user_id = \(user) AND d.day >= DATE '1970-01-01' + \(first)::integer
            AND d.ends_at > now() - interval '90 days'
            ORDER BY d.day
            """
        ).map(CompanionDayState.init)
    }

    /// Makes the days of accounts. They have no events yet.
    static func insert(
        _ tx: PostgresTransaction, _ days: [(user: UserID, state: CompanionDayState)]
    ) throws {
        guard !days.isEmpty else { return }
        let states = days.map(\.state)
        try tx.execute(
            """
            INSERT INTO companion_days (user_id, day, begins_at, ends_at, limit_minutes, summary_open)
            SELECT d.user_id, DATE '1970-01-01' + d.day::integer, to_timestamp(d.begins_at), to_timestamp(d.ends_at),
                d.limit_minutes, d.summary_open
            FROM unnest(
                \(days.map(\.user)), \(states.map(\.day)), \(states.map(\.figures.times.beginsAt)),
                \(states.map(\.figures.times.endsAt)), \(states.map(\.figures.limitMinutes)),
                \(states.map(\.isSummaryOpen))
            ) AS d (user_id, day, begins_at, ends_at, limit_minutes, summary_open)
            """)
    }

    /// Writes everything of days that exist.
    static func write(_ tx: PostgresTransaction, _ days: [CompanionDayState], of user: UserID) throws {
        guard !days.isEmpty else { return }
        let figures = days.map(\.figures)
        try tx.execute(
            """
            UPDATE companion_days AS known
            SET ends_at = to_timestamp(d.ends_at), limit_minutes = d.limit_minutes, bypasses = d.bypasses,
                first_use_at = to_timestamp(d.first_use_at), last_use_at = to_timestamp(d.last_use_at),
                open_seconds = d.open_seconds, reported_minutes = d.reported_minutes, has_events = d.has_events,
                has_welcome = d.has_welcome, has_summary = d.has_summary, terminal_at = to_timestamp(d.terminal_at),
                closed_at = to_timestamp(d.closed_at), energy = d.energy, summary_open = d.summary_open
            FROM unnest(
                \(days.map(\.day)), \(figures.map(\.times.endsAt)), \(figures.map(\.limitMinutes)),
                \(figures.map(\.bypasses)), \(figures.map(\.firstUseAt)), \(figures.map(\.lastUseAt)),
                \(figures.map(\.openSeconds)), \(figures.map(\.reportedMinutes)), \(figures.map(\.hasEvents)),
                \(figures.map(\.hasWelcome)), \(figures.map(\.hasSummary)), \(days.map(\.terminalAt)),
                \(days.map(\.closedAt)), \(days.map(\.energy)), \(days.map(\.isSummaryOpen))
            ) AS d (
                day, ends_at, limit_minutes, bypasses, first_use_at, last_use_at, open_seconds, reported_minutes,
                has_events, has_welcome, has_summary, terminal_at, closed_at, energy, summary_open)
            WHERE known.user_id = \(user) AND known.day = DATE '1970-01-01' + d.day::integer
            """)
    }

    /// Takes the days whose summaries are due, each only once. A day without events by then is not written; `columns` reads
    /// its summary as closed from then on.
    ///
    /// - Parameter accounts: as they were before their days ended. The summaries of earlier days than the one before the
    ///   running day were taken when that day began.
    /// - Returns: the days, the oldest first.
    static func takeDueSummaries(
        _ tx: PostgresTransaction, of accounts: [CompanionOwner]
    ) throws -> [(user: UserID, state: CompanionDayState)] {
        try tx.query(
            """
            UPDATE companion_days d SET summary_open = false
            FROM unnest(\(accounts.map(\.user)), \(accounts.map(\.day))) AS a (user_id, day)
            JOIN companion_settings s ON s.user_id = a.user_id
            WHERE d.user_id = a.user_id AND d.day >= DATE '1970-01-01' + a.day::integer - 4 AND d.day < s.day
            AND \(fragment: Self.summaryIsDue)
            RETURNING \(fragment: Self.columns)
            """
        ).map { (user: try $0.get("user_id", as: UserID.self), state: try CompanionDayState($0)) }
            .sorted { $0.state.day < $1.state.day }
    }

    /// Whether a summary is due for a day `d`.
    static let summaryIsDue: SQL = """
        d.summary_open AND d.has_events AND NOT d.has_summary AND d.ends_at <= now() - interval '1 hour'
        """

    /// The columns of a day `d`.
    static let columns: SQL = """
        d.user_id, d.day - DATE '1970-01-01' AS day, extract(epoch FROM d.begins_at)::bigint AS begins_at,
        extract(epoch FROM d.ends_at)::bigint AS ends_at, d.limit_minutes, d.bypasses,
        extract(epoch FROM d.first_use_at)::bigint AS first_use_at,
        extract(epoch FROM d.last_use_at)::bigint AS last_use_at, d.open_seconds, d.reported_minutes, d.has_events,
        d.has_welcome, d.has_summary, extract(epoch FROM d.terminal_at)::bigint AS terminal_at,
        extract(epoch FROM d.closed_at)::bigint AS closed_at, d.energy,
        d.summary_open AND d.ends_at > now() - interval '1 hour' AS summary_open
        """
}

extension CompanionDayState {
    /// From `CompanionDayStore.columns`.
    init(_ row: PostgresRow) throws {
        figures = DayFigures(
            day: try row.get("day"),
            times: DayTimes(beginsAt: try row.get("begins_at"), endsAt: try row.get("ends_at")),
            limitMinutes: try row.get("limit_minutes"), bypasses: try row.get("bypasses"),
            firstUseAt: try row.get("first_use_at"), lastUseAt: try row.get("last_use_at"),
            openSeconds: try row.get("open_seconds"), reportedMinutes: try row.get("reported_minutes"),
            hasEvents: try row.get("has_events"), hasWelcome: try row.get("has_welcome"),
            hasSummary: try row.get("has_summary"))
        terminalAt = try row.get("terminal_at")
        closedAt = try row.get("closed_at")
        energy = try row.get("energy")
        isSummaryOpen = try row.get("summary_open")
    }
}
