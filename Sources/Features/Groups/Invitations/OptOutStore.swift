import Auth
import Postgres

/// All SQL that writes `sms_opt_outs`: the numbers that never get invitation SMS (STOP). Sign-in codes still go to these
/// numbers, because their owners request each one.
package struct OptOutStore: Sendable {
    let postgres: PostgresClient
    let hashes: NumberHashes

    package init(postgres: PostgresClient, hashes: NumberHashes) {
        self.postgres = postgres
        self.hashes = hashes
    }

    /// - Returns: false when the number was stopped before.
    @discardableResult
    package func stop(_ number: PhoneNumber) async throws -> Bool {
        // Triggers: sms_opt_outs_record (migrations/schema.sql)
        try await postgres.execute(
            """
            INSERT INTO sms_opt_outs (number_hmac)
            SELECT \(hashes.hash(number))::bytea
            WHERE NOT EXISTS (SELECT 1 FROM sms_opt_outs WHERE number_hmac = ANY(\(hashes.all(number))))
            ON CONFLICT DO NOTHING
            """) == 1
    }

    /// - Returns: false when the number was not stopped.
    @discardableResult
    package func allow(_ number: PhoneNumber) async throws -> Bool {
        // Triggers: sms_opt_outs_record_end (migrations/schema.sql)
        try await postgres.execute(
            "DELETE FROM sms_opt_outs WHERE number_hmac = ANY(\(hashes.all(number)))") > 0
    }

    /// The numbers that get no invitation SMS.
    func stopped(_ tx: PostgresTransaction, among numbers: [PhoneNumber]) throws -> Set<String> {
        let pairs = hashes.pairs(numbers)
        let rows = try tx.query(
            """
            SELECT DISTINCT n.number
            FROM unnest(\(pairs.numbers), \(pairs.hashes)) AS n (number, hash)
            JOIN sms_opt_outs o ON o.number_hmac = n.hash
            """)
        return Set(try rows.map { try $0.get("number") })
    }

    /// - Returns: the number of changed rows.
    func set(_ hash: [UInt8], isInForce: Bool) async throws -> Int {
        guard isInForce else {
            // Triggers: sms_opt_outs_record_end (migrations/schema.sql)
            return try await postgres.execute("DELETE FROM sms_opt_outs WHERE number_hmac = \(hash)")
        }
        // Triggers: sms_opt_outs_record (migrations/schema.sql)
        return try await postgres.execute(
            "INSERT INTO sms_opt_outs (number_hmac) VALUES (\(hash)) ON CONFLICT DO NOTHING")
    }
}
