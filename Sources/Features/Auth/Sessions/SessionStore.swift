import FeatureKit
import Foundation
import HTTPKit
import Postgres

/// All SQL about sessions.
struct SessionStore: Sendable {
    let postgres: PostgresClient

    /// - Returns: the start of the session by PostgreSQL's clock.
    func create(
        _ tx: PostgresTransaction, id: SessionID, user: UserID, deviceName: String?, nonce: [UInt8],
        lifetime: Duration
    ) throws -> Date {
        try tx.one(
            """
            INSERT INTO sessions (
                id, user_id, device_name, refresh_nonce, rotated_at, last_used_at, expires_at)
            VALUES (
                \(id), \(user), \(deviceName), \(nonce), \(fragment: Self.today), \(fragment: Self.today),
                \(fragment: Self.expiry(lifetime)))
            RETURNING created_at
            """
        ).get("created_at")
    }

    func lockIfPresent(_ tx: PostgresTransaction, _ id: SessionID) throws -> LockedSession? {
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

    /// Moves the session to the generation after `parent`. The row's own generation may be lower when the database was
    /// restored from a backup, which lacks the latest exchanges.
    func rotate(
        _ tx: PostgresTransaction, _ id: SessionID, from parent: UInt32, lifetime: Duration
    ) throws {
        try tx.execute(
            """
            UPDATE sessions
            SET generation = \(Int(parent) + 1)::integer, rotated_at = \(fragment: Self.today),
                last_used_at = \(fragment: Self.today),
                expires_at = \(fragment: Self.expiry(lifetime))
            WHERE id = \(id)
            """)
    }

    /// The user's live sessions, or only one of them, in the order of their ids. Their rows are locked.
    func lockLive(_ tx: PostgresTransaction, of user: UserID, only id: SessionID? = nil) throws -> [SessionID]
    {
        try tx.query(
            """
            SELECT id FROM sessions
            WHERE user_id = \(user) AND id = coalesce(\(id), id) AND ended_at IS NULL AND expires_at > now()
            ORDER BY id
            FOR NO KEY UPDATE
            """
        ).map { try $0.get("id") }
    }

    /// Ends sessions whose rows are locked.
    func end(_ tx: PostgresTransaction, _ ids: [SessionID]) throws {
        // Triggers: sessions_forget_devices, sessions_record_end (migrations/schema.sql)
        try tx.execute("UPDATE sessions SET ended_at = now() WHERE id = ANY(\(ids)) AND ended_at IS NULL")
    }

    func list(of user: UserID) async throws -> [Session] {
        try await postgres.query(
            """
            SELECT id, device_name, created_at, last_used_at
            FROM sessions
            WHERE user_id = \(user) AND ended_at IS NULL AND expires_at > now()
            ORDER BY created_at, id
            """
        ).map(Session.init)
    }

    /// The result of a look at a live session.
    struct Probe {
        /// PostgreSQL's time.
        let now: Date
        /// Whether today's use is not recorded yet.
        let useIsDue: Bool
    }

    /// Looks at a session, and reads more in the same message to PostgreSQL.
    ///
    /// - Returns: a probe that is nil when the user has no such live session, and the rows of the rest.
    func probe(
        _ id: SessionID, of user: UserID, then rest: Reading? = nil
    ) async throws -> (probe: Probe?, rows: [PostgresRow]) {
        let probe = Reading.shared(Self.probes, key: [id.rawValue, user.rawValue])
        let (found, rows) =
            if let rest {
                try await postgres.read(probe, then: rest)
            } else {
                (try await postgres.read(probe), [])
            }
        return (
            try found.first.map { Probe(now: try $0.get("now"), useIsDue: try $0.get("use_is_due")) }, rows
        )
    }

    /// The key is the session and the user. The days stand in subqueries, which PostgreSQL evaluates once, and LIMIT keeps the
    /// subquery apart, so that PostgreSQL reads by indexes for one session after the other.
    private static let probes = SharedQuery { keys in
        """
        SELECT asked.place, session.now, session.use_is_due
        FROM \(fragment: keys.table("id", "user_id"))
        CROSS JOIN LATERAL (
            SELECT now() AS now, sessions.user_id,
                sessions.last_used_at < (SELECT \(fragment: today))
                    OR users.last_active_on IS DISTINCT FROM (SELECT (now() AT TIME ZONE 'UTC')::date)
                    AS use_is_due
            FROM sessions
            JOIN users ON users.id = sessions.user_id
            WHERE sessions.id = asked.id AND sessions.ended_at IS NULL AND sessions.expires_at > now()
            LIMIT 1
        ) AS session
        WHERE session.user_id = asked.user_id
        """
    }

    /// The sessions that are live.
    func live(among ids: [SessionID]) async throws -> Set<SessionID> {
        let rows = try await postgres.query(
            "SELECT id FROM sessions WHERE id = ANY(\(ids)) AND ended_at IS NULL AND expires_at > now()")
        return Set(try rows.map { try $0.get("id") })
    }

    /// Records today as the day of the session's and the user's last use. It skips a row that another transaction has locked,
    /// because the next call records it.
    func recordUse(_ id: SessionID, of user: UserID) async throws {
        try await postgres.execute(
            """
            UPDATE sessions SET last_used_at = \(fragment: Self.today)
            WHERE id IN (
                SELECT id FROM sessions
                WHERE id = \(id) AND last_used_at < \(fragment: Self.today)
                FOR NO KEY UPDATE SKIP LOCKED)
            """)
        try await UserStore(postgres: postgres).recordActivity(of: user)
    }

    /// Deletes sessions that ended or expired more than `age` ago.
    func deleteOld(age: Duration) async throws -> Int {
        // One column at a time, so that each statement can use an index.
        let columns: [SQL] = ["ended_at", "expires_at"]
        var deleted = 0
        for column in columns {
            deleted += try await postgres.executeInBatches { batch in
                """
                DELETE FROM sessions
                WHERE id IN (
                    SELECT id FROM sessions
                    WHERE \(fragment: column) < now() - \(age)
                    LIMIT \(batch)
                    FOR UPDATE SKIP LOCKED)
                """
            }
        }
        return deleted
    }

    /// Without the nonce from which refresh tokens are derived.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        try tx.exported(
            """
            SELECT id, device_name, generation, rotated_at, created_at, last_used_at, expires_at, ended_at
            FROM sessions
            WHERE user_id = \(user)
            ORDER BY created_at, id
            """)
    }

    /// Today, as the time at which it began.
    private static let today: SQL = "date_trunc('day', now(), 'UTC')"

    /// The end of the lifetime. A lifetime of at least two days is extended to the end of its last UTC day, because a finer
    /// time would reveal when the session was used.
    private static func expiry(_ lifetime: Duration) -> SQL {
        let exact: SQL = "now() + \(lifetime)"
        guard lifetime >= .seconds(2 * 86_400) else { return exact }
        return "date_trunc('day', \(fragment: exact), 'UTC') + interval '1 day'"
    }
}
