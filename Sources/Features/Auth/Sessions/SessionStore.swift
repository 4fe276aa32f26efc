import FeatureKit
import Foundation
import Postgres

/// All SQL about sessions.
enum SessionStore {
    /// - Returns: when it began, by PostgreSQL's clock.
    static func create(
        _ tx: PostgresTransaction, id: SessionID, user: UserID, deviceName: String?, nonce: [UInt8],
        lifetime: Duration
    ) throws -> Date {
        let row = try tx.first(
            """
            INSERT INTO sessions (
                id, user_id, device_name, refresh_nonce, rotated_at, last_used_at, expires_at)
            VALUES (
                \(id), \(user), \(deviceName), \(nonce), \(fragment: today), \(fragment: today),
                \(fragment: expiry(lifetime)))
            RETURNING created_at
            """)
        guard let row else { throw AuthError.userGone }
        return try row.get("created_at")
    }

    static func lock(_ tx: PostgresTransaction, _ id: SessionID) throws -> LockedSession? {
        try tx.first(
            """
            SELECT id, user_id, refresh_nonce, generation, now() AS now,
                ended_at IS NULL AND expires_at > now() AS is_live
            FROM sessions
            WHERE id = \(id)
            FOR NO KEY UPDATE
            """
        ).map(LockedSession.init)
    }

    /// Hands out the generation after `parent`. The row's own generation may be lower: a database that went back in time
    /// has forgotten the exchanges since.
    static func rotate(
        _ tx: PostgresTransaction, _ id: SessionID, from parent: UInt32, lifetime: Duration
    ) throws {
        try tx.execute(
            """
            UPDATE sessions
            SET generation = \(Int(parent) + 1)::integer, rotated_at = \(fragment: today),
                last_used_at = \(fragment: today),
                expires_at = \(fragment: expiry(lifetime))
            WHERE id = \(id)
            """)
    }

    static func end(_ tx: PostgresTransaction, _ id: SessionID) throws {
        try tx.execute("UPDATE sessions SET ended_at = now() WHERE id = \(id) AND ended_at IS NULL")
    }

    /// - Returns: false when the user has no such live session.
    static func end(_ postgres: PostgresClient, _ id: SessionID, of user: UserID) async throws -> Bool {
        try await postgres.execute(
            """
            UPDATE sessions SET ended_at = now()
            WHERE id = \(id) AND user_id = \(user) AND ended_at IS NULL AND expires_at > now()
            """) > 0
    }

    /// - Returns: how many were live.
    static func endOthers(
        _ postgres: PostgresClient, than id: SessionID, of user: UserID
    ) async throws -> Int {
        try await postgres.execute(
            """
            UPDATE sessions SET ended_at = now()
            WHERE id IN (
                SELECT id FROM sessions
                WHERE user_id = \(user) AND id <> \(id) AND ended_at IS NULL AND expires_at > now()
                ORDER BY id
                FOR NO KEY UPDATE)
            """)
    }

    static func list(_ postgres: PostgresClient, of user: UserID) async throws -> [Session] {
        try await postgres.query(
            """
            SELECT id, device_name, created_at, last_used_at
            FROM sessions
            WHERE user_id = \(user) AND ended_at IS NULL AND expires_at > now()
            ORDER BY created_at, id
            """
        ).map(Session.init)
    }

    /// Whether a live session of that user exists, what time it is, and whether its use should be noted.
    static func probe(
        _ postgres: PostgresClient, _ id: SessionID, of user: UserID
    ) async throws -> (now: Date, useIsDue: Bool)? {
        let row = try await postgres.first(
            """
            SELECT now() AS now,
                sessions.last_used_at < \(fragment: today)
                    OR users.last_active_on IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date AS use_is_due
            FROM sessions
            JOIN users ON users.id = sessions.user_id
            WHERE sessions.id = \(id) AND sessions.user_id = \(user)
                AND sessions.ended_at IS NULL AND sessions.expires_at > now()
            """)
        guard let row else { return nil }
        return (try row.get("now"), try row.get("use_is_due"))
    }

    /// Those of the sessions that live.
    static func live(_ postgres: PostgresClient, among ids: [SessionID]) async throws -> Set<SessionID> {
        let rows = try await postgres.query(
            "SELECT id FROM sessions WHERE id = ANY(\(ids)) AND ended_at IS NULL AND expires_at > now()")
        return Set(try rows.map { try $0.get("id") })
    }

    /// Notes the day on which a session was used and its user was active. A row that another transaction has locked is
    /// left alone, because the next call notes it.
    static func noteUse(_ postgres: PostgresClient, _ id: SessionID, of user: UserID) async throws {
        try await postgres.execute(
            """
            UPDATE sessions SET last_used_at = \(fragment: today)
            WHERE id IN (
                SELECT id FROM sessions
                WHERE id = \(id) AND last_used_at < \(fragment: today)
                FOR NO KEY UPDATE SKIP LOCKED)
            """)
        try await postgres.execute(UserStore.notingActivity(of: user))
    }

    /// Deletes sessions that ended or expired more than `age` ago.
    static func deleteOld(_ postgres: PostgresClient, age: Duration) async throws -> Int {
        let seconds = age / .seconds(1)
        // One column at a time, so that each statement has an index.
        let columns: [SQL] = ["ended_at", "expires_at"]
        var deleted = 0
        for column in columns {
            deleted += try await postgres.executeInBatches { batch in
                """
                DELETE FROM sessions
                WHERE id IN (
                    SELECT id FROM sessions
                    WHERE \(fragment: column) < now() - make_interval(secs => \(seconds))
                    LIMIT \(batch)
                    FOR UPDATE SKIP LOCKED)
                """
            }
        }
        return deleted
    }

    /// The day, as the moment it began.
    private static let today: SQL = "date_trunc('day', now(), 'UTC')"

    /// At least the lifetime, and where that is days, up to the end of the last of them: a finer time would tell when
    /// the session was used.
    private static func expiry(_ lifetime: Duration) -> SQL {
        let exact: SQL = "now() + make_interval(secs => \(lifetime / .seconds(1)))"
        guard lifetime >= .seconds(2 * 86_400) else { return exact }
        return "date_trunc('day', \(fragment: exact), 'UTC') + interval '1 day'"
    }
}
