import FeatureKit
import Foundation
import HTTPKit
import Postgres

/// One request for a code, with its attempts.
struct Verification {
    let id: VerificationID
    let phoneNumber: PhoneNumber
    let codeHMAC: [UInt8]
    let attempts: Int
    /// Whether the code is neither used nor expired. One that was sent at a time ahead would be open for longer than it may.
    let isOpen: Bool
    /// Whether the requesting address had verified the number before.
    let isTrusted: Bool
    /// Whether the code is the fixed code of a reviewer's number.
    let isReview: Bool
    /// The id of the record in `code_sends` by which the number's prefix is judged.
    let send: Int64?

    var target: GuessTarget { GuessTarget(number: phoneNumber, attempts: attempts, isTrusted: isTrusted) }

    static let columns: SQL =
        """
        id, phone_number, code_hmac, attempts, is_trusted, is_review, send_id,
        used_at IS NULL AND expires_at > now() AND created_at < now() + interval '10 minutes' AS is_open
        """

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        phoneNumber = try row.get("phone_number")
        codeHMAC = try row.get("code_hmac")
        attempts = try row.get("attempts")
        isOpen = try row.get("is_open")
        isTrusted = try row.get("is_trusted")
        isReview = try row.get("is_review")
        send = try row.get("send_id")
    }
}

/// All SQL about verifications.
struct VerificationStore: Sendable {
    let postgres: PostgresClient

    /// - Returns: the time at which the code expires.
    func create(
        _ tx: PostgresTransaction, id: VerificationID, number: PhoneNumber, codeHMAC: [UInt8],
        lifetime: Duration, admission: CodeFirewall.Admission, isReview: Bool
    ) throws -> Date {
        try tx.one(
            """
            INSERT INTO verifications (
                id, phone_number, code_hmac, expires_at, send_id, is_trusted, is_review)
            VALUES (
                \(id), \(number), \(codeHMAC), now() + \(lifetime),
                \(admission.send), \(admission.isTrusted), \(isReview))
            RETURNING expires_at
            """
        ).get("expires_at")
    }

    func find(_ id: VerificationID) async throws -> Verification? {
        try await postgres.first(
            "SELECT \(fragment: Verification.columns) FROM verifications WHERE id = \(id)"
        ).map(Verification.init)
    }

    func lockIfPresent(_ tx: PostgresTransaction, _ id: VerificationID) throws -> Verification? {
        try tx.first(
            """
            SELECT \(fragment: Verification.columns) FROM verifications WHERE id = \(id) FOR UPDATE
            """
        ).map(Verification.init)
    }

    func countAttempt(_ tx: PostgresTransaction, _ id: VerificationID) throws {
        try tx.execute("UPDATE verifications SET attempts = attempts + 1 WHERE id = \(id)")
    }

    func markUsed(_ tx: PostgresTransaction, _ id: VerificationID) throws {
        try tx.execute("UPDATE verifications SET used_at = now() WHERE id = \(id)")
    }

    /// Deletes verifications that expired more than `age` ago.
    func deleteExpired(age: Duration) async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM verifications
            WHERE id IN (
                SELECT id FROM verifications
                WHERE expires_at < now() - \(age)
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }

    /// Without the HMAC of the code.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        try tx.exported(
            """
            SELECT id, phone_number, attempts, created_at, expires_at, used_at
            FROM verifications
            WHERE phone_number = (SELECT phone_number FROM users WHERE id = \(user))
            ORDER BY created_at, id
            """)
    }

    /// Deletes one page of verifications after a restore.
    ///
    /// - Parameter time: later codes stay valid.
    /// - Returns: the page's last id and the number of deleted verifications; nil behind the last page.
    func deleteAll(
        after: UUID, limit: Int, createdBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await postgres.first(
            """
            WITH page AS MATERIALIZED (
                SELECT id FROM verifications WHERE id > \(after) ORDER BY id LIMIT \(limit)
            ),
            ended AS (
                DELETE FROM verifications WHERE id IN (SELECT id FROM page) AND created_at <= \(time) RETURNING 1
            )
            SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last,
                (SELECT count(*) FROM ended) AS changed
            """)
        guard let page, let last = try page.get("last", as: UUID?.self) else { return nil }
        return (last, try page.get("changed"))
    }
}
