import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about `focus_sessions`. The writers hold the lock of the profile.
struct FocusSessionStore: Sendable {
    let postgres: PostgresClient

    // MARK: - Reading

    /// - Throws: `FocusError.notFound`.
    func require(
        _ tx: PostgresTransaction, _ id: FocusSessionID, of user: UserID
    ) throws -> FocusSessionState {
        let row = try tx.first(
            """
            SELECT \(fragment: Self.columns) FROM focus_sessions s WHERE s.id = \(id) AND s.user_id = \(user)
            """)
        guard let row else { throw FocusError.notFound }
        return try FocusSessionState(row)
    }

    /// The newest sessions before the place, without canceled ones: one more than a page holds.
    func list(
        _ tx: PostgresTransaction, of user: UserID, before place: FocusSessionPlace?
    ) throws -> [FocusSessionState] {
        let before: SQL =
            place.map { "AND (s.started_at, s.id) < (to_timestamp(\($0.startedAt)), \($0.id))" } ?? ""
        return try tx.query(
            """
            SELECT \(fragment: Self.columns) FROM focus_sessions s
            WHERE s.user_id = \(user) AND s.state <> 'canceled' \(fragment: before)
            ORDER BY s.started_at DESC, s.id DESC
            LIMIT \(ListPage<FocusSessionState>.size + 1)
            """
        ).map(FocusSessionState.init)
    }

    /// Whether another session of the user has a part of `[start, end)`. A running one has no end yet.
    ///
    /// - Parameter end: nil: the new session runs on.
    func overlaps(
        _ tx: PostgresTransaction, of user: UserID, from start: Instant, to end: Instant?
    ) throws -> Bool {
        let seconds = SessionEnd.lostSeconds + 86_400
        return try tx.first(
            """
            SELECT 1 AS one FROM focus_sessions
            WHERE user_id = \(user) AND state IN ('running', 'completed', 'gave_up')
                AND started_at > to_timestamp(\(start - seconds))
                AND started_at < coalesce(to_timestamp(\(end)), 'infinity')
                AND coalesce(ended_at, 'infinity') > to_timestamp(\(start))
            LIMIT 1
            """) != nil
    }

    func exists(_ tx: PostgresTransaction, of schedule: FocusScheduledDate) throws -> Bool {
        try tx.first(
            """
            SELECT 1 AS one FROM focus_sessions
            WHERE schedule_id = \(schedule.id) AND date = DATE '1970-01-01' + \(schedule.date)::integer
            """) != nil
    }

    /// The number of sessions with an end on the local day that have paid.
    func countPaid(_ tx: PostgresTransaction, of user: UserID, on day: DayNumber) throws -> Int {
        try tx.one(
            """
            SELECT count(*) AS count FROM focus_sessions
            WHERE user_id = \(user) AND state = 'completed' AND xp > 0
                AND ended_on = DATE '1970-01-01' + \(day)::integer
            """
        ).get("count")
    }

    /// The local day of an instant.
    func day(_ tx: PostgresTransaction, of instant: Instant, in zone: String) throws -> DayNumber {
        try tx.one(
            "SELECT local_day(to_timestamp(\(instant)), \(zone)) - DATE '1970-01-01' AS day"
        ).get("day")
    }

    // MARK: - Writing

    func insert(_ tx: PostgresTransaction, _ session: FocusSessionState, of user: UserID) throws {
        try tx.execute(
            """
            INSERT INTO focus_sessions (
                id, user_id, name, emoji, goal_minutes, mode, beast_mode, schedule_id, date, started_at,
                state, ended_at, ended_on, xp
            ) VALUES (
                \(session.id), \(user), \(session.name), \(session.emoji), \(session.goalMinutes),
                \(session.mode), \(session.isBeastMode), \(session.schedule?.id),
                DATE '1970-01-01' + \(session.schedule?.date)::integer, to_timestamp(\(session.startedAt)),
                \(session.state.rawValue), to_timestamp(\(session.end?.at)),
                DATE '1970-01-01' + \(session.end?.day)::integer, \(session.end?.xp)
            )
            """)
    }

    func update(_ tx: PostgresTransaction, _ id: FocusSessionID, _ end: FocusSessionOutcome) throws {
        try tx.execute(
            """
            UPDATE focus_sessions
            SET state = \(end.state.rawValue), ended_at = to_timestamp(\(end.at)),
                ended_on = DATE '1970-01-01' + \(end.day)::integer, xp = \(end.xp)
            WHERE id = \(id)
            """)
    }

    /// Makes the day the user's record if no other day has more seconds in completed sessions. A day counts 24 hours at most.
    func raiseRecord(_ tx: PostgresTransaction, of user: UserID, on day: DayNumber) throws {
        try tx.execute(
            """
            UPDATE focus_profiles p SET record_on = sums.day, record_seconds = sums.seconds
            FROM (
                SELECT ended_on AS day,
                    least(86400, sum(extract(epoch FROM ended_at - started_at)))::integer AS seconds
                FROM focus_sessions
                WHERE user_id = \(user) AND state = 'completed'
                    AND ended_on = DATE '1970-01-01' + \(day)::integer
                GROUP BY ended_on
            ) AS sums
            WHERE p.user_id = \(user) AND sums.seconds > p.record_seconds
            """)
    }

    /// Loses the user's session if its end was not reported in time, so that another one can begin before the job has run.
    func loseOverdue(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(
            """
            UPDATE focus_sessions SET state = 'lost', xp = 0
            WHERE user_id = \(user) AND state = 'running'
                AND started_at < date_trunc('second', now()) - \(Self.patience)
            """)
    }

    private static let patience: Duration = .seconds(SessionEnd.lostSeconds)

    static let columns: SQL = """
        s.id, s.name, s.emoji, s.goal_minutes, s.mode, s.beast_mode, s.schedule_id,
        s.date - DATE '1970-01-01' AS date, s.state, s.xp,
        extract(epoch FROM s.started_at)::bigint AS started_at,
        extract(epoch FROM s.ended_at)::bigint AS ended_at, s.ended_on - DATE '1970-01-01' AS ended_on
        """
}

extension FocusSessionState {
    /// From `FocusSessionStore.columns`.
    init(_ row: PostgresRow) throws {
        let schedule: FocusScheduleID? = try row.get("schedule_id")
        let date: DayNumber? = try row.get("date")
        let name: String = try row.get("state")
        let state = SessionState(rawValue: name) ?? .lost
        self.init(
            id: try row.get("id"), name: try row.get("name"), emoji: try row.get("emoji"),
            goalMinutes: try row.get("goal_minutes"), mode: try row.get("mode"),
            isBeastMode: try row.get("beast_mode"),
            schedule: schedule.flatMap { id in date.map { FocusScheduledDate(id: id, date: $0) } },
            startedAt: try row.get("started_at"),
            end: state == .running
                ? nil
                : FocusSessionOutcome(
                    state: state, at: try row.get("ended_at"), day: try row.get("ended_on"),
                    xp: try row.get("xp")))
    }
}
