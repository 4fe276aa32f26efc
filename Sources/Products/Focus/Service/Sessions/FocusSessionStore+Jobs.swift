import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL of jobs, statistics and export.
extension FocusSessionStore {
    /// Locks up to `limit` sessions of all users whose end was not reported in time, but none of these.
    func claimOverdue(
        _ tx: PostgresTransaction, limit: Int, without ids: [UUID]
    ) throws -> [(session: FocusSessionID, user: UserID)] {
        try tx.query(
            """
            SELECT id, user_id FROM focus_sessions
            WHERE state = 'running'
                AND started_at < date_trunc('second', now()) - \(Duration.seconds(SessionEnd.lostSeconds))
                AND id <> ALL(\(ids))
            ORDER BY started_at
            LIMIT \(limit)
            FOR UPDATE SKIP LOCKED
            """
        ).map { (session: try $0.get("id"), user: try $0.get("user_id")) }
    }

    /// Loses sessions that the transaction has claimed.
    func lose(_ tx: PostgresTransaction, _ sessions: [FocusSessionID]) throws {
        try tx.execute("UPDATE focus_sessions SET state = 'lost', xp = 0 WHERE id = ANY(\(sessions))")
    }

    /// Deletes sessions that began longer ago than they are kept. Canceled ones count in nothing, and are kept for as long as an
    /// idempotency key may still name them.
    ///
    /// - Returns: the number of deleted sessions.
    func deleteOld(
        age: Duration = .seconds(366 * 86_400), canceled: Duration = .seconds(15 * 86_400)
    ) async throws -> Int {
        let old = try await delete("started_at < now() - \(age) AND state <> 'running'")
        return try await old + delete("started_at < now() - \(canceled) AND state = 'canceled'")
    }

    private func delete(_ condition: SQL) async throws -> Int {
        try await postgres.executeInBatches(of: 500) { batch in
            """
            DELETE FROM focus_sessions WHERE id IN (
                SELECT id FROM focus_sessions WHERE \(fragment: condition)
                LIMIT \(batch) FOR UPDATE SKIP LOCKED
            )
            """
        }
    }

    /// The completed sessions of the last 30 local days, oldest first.
    func statistics(_ tx: PostgresTransaction, of member: FocusMember) throws -> [FocusSessionDay] {
        try tx.query(
            """
            SELECT days.day - DATE '1970-01-01' AS day, count(s.id) AS completed,
                coalesce(sum(extract(epoch FROM s.ended_at - s.started_at)), 0)::bigint AS seconds
            FROM (
                SELECT DATE '1970-01-01' + number AS day
                FROM generate_series(\(member.today - 29)::integer, \(member.today)::integer) AS number
            ) AS days
            LEFT JOIN focus_sessions s
                ON s.user_id = \(member.user) AND s.state = 'completed' AND s.ended_on = days.day
            GROUP BY days.day
            ORDER BY days.day
            """
        ).map { row in
            FocusSessionDay(
                day: try row.get("day"), completed: try row.get("completed"), seconds: try row.get("seconds"))
        }
    }

    /// The day with the most seconds in completed sessions.
    func record(_ tx: PostgresTransaction, of user: UserID) throws -> (day: DayNumber, seconds: Int)? {
        let row = try tx.first(
            """
            SELECT record_on - DATE '1970-01-01' AS day, record_seconds FROM focus_profiles
            WHERE user_id = \(user) AND record_on IS NOT NULL
            """)
        return try row.map { (try $0.get("day"), try $0.get("record_seconds")) }
    }
}

/// The completed sessions that ended on a local day.
struct FocusSessionDay: Sendable, Equatable {
    let day: DayNumber
    let completed: Int
    let seconds: Int
}
