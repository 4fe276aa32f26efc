import CompanionRules
import FeatureKit
import Foundation
import Postgres

/// A day whose push message of the evening is due.
struct CompanionEvening: Sendable, Equatable {
    let user: UserID
    let day: DayNumber
    let endsAt: Instant
    /// Whether the message has a reason and is still useful.
    let isTold: Bool
}

/// SQL about the push message of the evening.
enum CompanionNightlyStore {
    /// Locks accounts for which the message is due and that no other transaction has locked.
    ///
    /// - Parameter without: the accounts that are put off.
    static func claim(_ tx: PostgresTransaction, limit: Int, without users: [UUID]) throws -> [UserID] {
        try tx.query(
            """
            SELECT s.user_id
            FROM (
                SELECT user_id FROM companion_days
                WHERE nightly_open AND has_events AND ends_at <= now() + interval '1 hour'
                    AND user_id <> ALL(\(users))
                ORDER BY ends_at
                LIMIT \(limit)
            ) AS due
            JOIN companion_settings s ON s.user_id = due.user_id
            FOR NO KEY UPDATE OF s SKIP LOCKED
            """
        ).map { try $0.get("user_id") }
    }

    /// Takes the days of locked accounts whose message is due: each only once.
    static func take(_ tx: PostgresTransaction, of users: [UserID]) throws -> [CompanionEvening] {
        try tx.query(
            """
            UPDATE companion_days d SET nightly_open = false
            FROM companion_settings s
            WHERE s.user_id = ANY(\(users)) AND d.user_id = s.user_id
            AND d.nightly_open AND d.has_events AND d.ends_at <= now() + interval '1 hour'
            RETURNING d.user_id, d.day - DATE '1970-01-01' AS day, extract(epoch FROM d.ends_at)::bigint AS ends_at,
                now() < d.ends_at + interval '1 hour' AND \(fragment: Self.reason) AS is_told
            """
        ).map { row in
            CompanionEvening(
                user: try row.get("user_id"), day: try row.get("day"), endsAt: try row.get("ends_at"),
                isTold: try row.get("is_told"))
        }
    }

    /// Whether the reason of a message that was posted still holds.
    static func holds(_ postgres: PostgresClient, on day: DayNumber, for user: UserID) async throws -> Bool {
        try await postgres.first(
            """
            SELECT \(fragment: Self.reason) AS holds
            FROM companion_settings s
            JOIN companion_days d ON d.user_id = s.user_id AND d.day = DATE '1970-01-01' + \(day)::integer
            WHERE s.user_id = \(user)
            """
        )?.get("holds") ?? false
    }

    /// The condition on the settings `s` and the day `d`.
    private static let reason: SQL = """
        s.nightly AND d.has_events AND NOT EXISTS (
            SELECT FROM companion_diary e
            WHERE e.user_id = d.user_id AND e.day = d.day AND e.kind = 'terminal')
        """
}
