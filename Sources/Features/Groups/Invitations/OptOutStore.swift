import Auth
import Postgres

/// Who wants no invitation SMS, ever: all SQL that writes `sms_opt_outs`. Sign-in codes still go to these numbers,
/// because their owners ask for each.
package struct OptOutStore: Sendable {
    let postgres: PostgresClient
    let hashes: NumberHashes

    package init(postgres: PostgresClient, hashes: NumberHashes) {
        self.postgres = postgres
        self.hashes = hashes
    }

    /// - Returns: whether that is news.
    @discardableResult
    package func stop(_ number: PhoneNumber) async throws -> Bool {
        try await postgres.execute(
            """
            INSERT INTO sms_opt_outs (number_hmac)
            SELECT \(hashes.hash(number))::bytea
            WHERE NOT EXISTS (SELECT 1 FROM sms_opt_outs WHERE number_hmac = ANY(\(hashes.all(number))))
            ON CONFLICT DO NOTHING
            """) == 1
    }

    /// - Returns: whether the number had been stopped.
    @discardableResult
    package func allow(_ number: PhoneNumber) async throws -> Bool {
        try await postgres.execute(
            "DELETE FROM sms_opt_outs WHERE number_hmac = ANY(\(hashes.all(number)))") > 0
    }

    /// Which of the numbers want no SMS.
    func stopped(in transaction: PostgresTransaction, among numbers: [PhoneNumber]) throws -> Set<String> {
        let pairs = hashes.pairs(numbers)
        let rows = try transaction.query(
            """
            SELECT DISTINCT n.number
            FROM unnest(\(pairs.numbers), \(pairs.hashes)) AS n (number, hash)
            JOIN sms_opt_outs o ON o.number_hmac = n.hash
            """)
        return Set(try rows.map { try $0.get("number") })
    }
}
