import Postgres

/// How a prefix stands.
struct PrefixState: Sendable {
    /// Nil while it is open.
    let closedFor: Duration?
    /// Of its newest codes, so many at most as are judged.
    let sends: Int
    let verified: Int

    init(_ row: PostgresRow) throws {
        closedFor = try row.get("closed_for", as: Double?.self).map { .seconds($0) }
        sends = try row.get("sends")
        verified = try row.get("verified")
    }
}

/// All SQL about what was sent where, and what came of it. Numbers, prefixes and addresses come as digests.
enum FirewallStore {
    /// - Parameter prefix: its digests under all secrets in force.
    static func prefixState(_ prefix: [[UInt8]], sample: Int) -> SQL {
        """
        SELECT
            CASE WHEN closed.closed_until > now()
                THEN extract(epoch FROM closed.closed_until - now())::float8 END AS closed_for,
            count(recent.verified) AS sends,
            count(*) FILTER (WHERE recent.verified) AS verified
        FROM (
            SELECT max(closed_until) AS closed_until, max(last_send_id) AS last_send_id
            FROM closed_prefixes WHERE prefix = ANY(\(prefix))
        ) AS closed
        LEFT JOIN LATERAL (
            SELECT sends.verified
            FROM code_sends sends
            WHERE sends.prefix = ANY(\(prefix)) AND sends.id > coalesce(closed.last_send_id, 0)
            ORDER BY sends.id DESC
            LIMIT \(sample)
        ) AS recent ON true
        GROUP BY closed.closed_until
        """
    }

    /// Closes a prefix unless somebody has closed it meanwhile.
    static func close(_ postgres: PostgresClient, _ prefix: [UInt8], for pause: Duration) async throws {
        try await postgres.execute(
            """
            INSERT INTO closed_prefixes AS closed (prefix, closed_until, last_send_id)
            SELECT \(prefix)::bytea, now() + make_interval(secs => \(pause / .seconds(1))), coalesce(max(id), 0)
            FROM code_sends
            WHERE prefix = \(prefix)
            ON CONFLICT (prefix) DO UPDATE SET
                closed_until = excluded.closed_until, last_send_id = excluded.last_send_id
            WHERE closed.closed_until <= now()
            """)
    }

    static func noteSend(_ tx: PostgresTransaction, _ prefix: [UInt8]) throws -> Int64 {
        guard let row = try tx.first("INSERT INTO code_sends (prefix) VALUES (\(prefix)) RETURNING id")
        else { throw AuthError.overloaded }
        return try row.get("id")
    }

    static func noteVerified(_ tx: PostgresTransaction, _ send: Int64) throws {
        try tx.execute("UPDATE code_sends SET verified = true WHERE id = \(send)")
    }

    static func noteVerified(_ tx: PostgresTransaction, number: [UInt8], from address: [UInt8]) throws {
        try tx.execute(
            """
            INSERT INTO verified_addresses AS known (number, address)
            VALUES (\(number), \(address))
            ON CONFLICT (number, address) DO UPDATE SET verified_at = excluded.verified_at
            WHERE known.verified_at < now() - interval '1 day'
            """)
    }

    static func isVerified(number: [[UInt8]], from address: [[UInt8]]) -> SQL {
        "SELECT 1 AS one FROM verified_addresses WHERE number = ANY(\(number)) AND address = ANY(\(address))"
    }

    static func forgetAddresses(_ tx: PostgresTransaction, of number: [[UInt8]]) throws {
        try tx.execute("DELETE FROM verified_addresses WHERE number = ANY(\(number))")
    }

    /// Deletes codes that are too old to judge their prefix by.
    static func deleteOldSends(_ postgres: PostgresClient) async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM code_sends
            WHERE id IN (
                SELECT id FROM code_sends
                WHERE sent_at < now() - interval '30 days'
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }

    static func deleteOldClosings(_ postgres: PostgresClient) async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM closed_prefixes
            WHERE prefix IN (
                SELECT prefix FROM closed_prefixes
                WHERE closed_until < now() - interval '30 days'
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }

    static func deleteOldAddresses(_ postgres: PostgresClient) async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM verified_addresses
            WHERE (number, address) IN (
                SELECT number, address FROM verified_addresses
                WHERE verified_at < now() - interval '180 days'
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }
}
