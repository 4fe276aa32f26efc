import Postgres

/// The recent codes to the numbers of a prefix.
struct PrefixState: Sendable {
    /// The time until the prefix opens again; nil while it is open.
    let closedFor: Duration?
    /// The number of codes among the newest that are judged.
    let sends: Int
    /// The number of those that were entered.
    let verified: Int

    init(_ row: PostgresRow) throws {
        closedFor = try row.get("closed_for", as: Double?.self).map { .seconds($0) }
        sends = try row.get("sends")
        verified = try row.get("verified")
    }
}

/// All SQL about sent codes and verified addresses. Numbers, prefixes and addresses are passed and stored as digests.
struct FirewallStore: Sendable {
    let postgres: PostgresClient

    // MARK: - Sent codes

    /// - Parameters:
    ///   - prefix: its digests under all secrets in force.
    ///   - sample: the largest number of newest codes to judge by.
    func prefixState(_ tx: PostgresTransaction, _ prefix: [[UInt8]], sample: Int) throws -> PrefixState {
        try PrefixState(tx.one(Self.prefixState(prefix, sample: sample)))
    }

    func prefixState(_ prefix: [[UInt8]], sample: Int) async throws -> PrefixState {
        try await postgres.transaction { tx in try prefixState(tx, prefix, sample: sample) }
    }

    private static func prefixState(_ prefix: [[UInt8]], sample: Int) -> SQL {
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

    /// Closes a prefix, unless another transaction has closed it meanwhile.
    ///
    /// - Parameter prefix: its digests under all secrets in force, that of the newest first.
    func close(_ prefix: [[UInt8]], for pause: Duration) async throws {
        try await postgres.execute(
            """
            INSERT INTO closed_prefixes AS closed (prefix, closed_until, last_send_id)
            SELECT \(prefix[0])::bytea, now() + \(pause), coalesce(max(id), 0)
            FROM code_sends
            WHERE prefix = ANY(\(prefix))
            ON CONFLICT (prefix) DO UPDATE SET
                closed_until = excluded.closed_until, last_send_id = excluded.last_send_id
            WHERE closed.closed_until <= now()
            """)
    }

    /// Records that a code was sent to a number of the prefix.
    func recordSend(_ tx: PostgresTransaction, _ prefix: [UInt8]) throws -> Int64 {
        try tx.one("INSERT INTO code_sends (prefix) VALUES (\(prefix)) RETURNING id").get("id")
    }

    /// Records that a sent code was entered.
    func recordVerified(_ tx: PostgresTransaction, _ send: Int64) throws {
        try tx.execute("UPDATE code_sends SET verified = true WHERE id = \(send)")
    }

    // MARK: - Verified addresses

    /// Records that the address has verified the number.
    func recordVerified(_ tx: PostgresTransaction, number: [UInt8], from address: [UInt8]) throws {
        try tx.execute(
            """
            INSERT INTO verified_addresses AS known (number, address)
            VALUES (\(number), \(address))
            ON CONFLICT (number, address) DO UPDATE SET verified_at = excluded.verified_at
            WHERE known.verified_at < now() - interval '1 day'
            """)
    }

    /// Whether the address has verified the number before. Each comes as its digests under all secrets in force.
    func isVerified(_ tx: PostgresTransaction, number: [[UInt8]], from address: [[UInt8]]) throws -> Bool {
        try tx.first(Self.verified(number: number, from: address)) != nil
    }

    func isVerified(number: [[UInt8]], from address: [[UInt8]]) async throws -> Bool {
        try await postgres.first(Self.verified(number: number, from: address)) != nil
    }

    private static func verified(number: [[UInt8]], from address: [[UInt8]]) -> SQL {
        "SELECT 1 AS one FROM verified_addresses WHERE number = ANY(\(number)) AND address = ANY(\(address))"
    }

    func deleteAddresses(_ tx: PostgresTransaction, of number: [[UInt8]]) throws {
        try tx.execute("DELETE FROM verified_addresses WHERE number = ANY(\(number))")
    }

    // MARK: - Sweeping

    /// Deletes records of codes that are too old to judge a prefix by.
    func deleteOldSends() async throws -> Int {
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

    func deleteOldClosings() async throws -> Int {
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

    func deleteOldAddresses() async throws -> Int {
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
