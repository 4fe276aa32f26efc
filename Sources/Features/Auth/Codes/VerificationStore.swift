import FeatureKit
import Foundation
import Postgres

/// A verification, under lock where something is decided by it.
struct Verification {
    let id: VerificationID
    let phoneNumber: PhoneNumber
    let codeHMAC: [UInt8]
    let attempts: Int
    /// Neither used nor expired.
    let isOpen: Bool
    /// Asked for from an address that verified the number before.
    let isTrusted: Bool
    /// Has a fixed code.
    let isReview: Bool
    /// Of the record by which the number's prefix is judged.
    let send: Int64?

    var target: GuessTarget { GuessTarget(number: phoneNumber, attempts: attempts, isTrusted: isTrusted) }

    static let columns: SQL =
        """
        id, phone_number, code_hmac, attempts, used_at IS NULL AND expires_at > now() AS is_open, is_trusted,
        is_review, send_id
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
enum VerificationStore {
    /// - Returns: when it expires.
    static func create(
        _ tx: PostgresTransaction, id: VerificationID, number: PhoneNumber, codeHMAC: [UInt8],
        lifetime: Duration, admission: CodeFirewall.Admission, isReview: Bool
    ) throws -> Date {
        let row = try tx.first(
            """
            INSERT INTO verifications (
                id, phone_number, code_hmac, expires_at, send_id, is_trusted, is_review)
            VALUES (
                \(id), \(number), \(codeHMAC), now() + make_interval(secs => \(lifetime / .seconds(1))),
                \(admission.send), \(admission.isTrusted), \(isReview))
            RETURNING expires_at
            """)
        guard let row else { throw AuthError.overloaded }
        return try row.get("expires_at")
    }

    static func find(_ postgres: PostgresClient, _ id: VerificationID) async throws -> Verification? {
        try await postgres.first(
            "SELECT \(fragment: Verification.columns) FROM verifications WHERE id = \(id)"
        ).map(Verification.init)
    }

    static func lock(_ tx: PostgresTransaction, _ id: VerificationID) throws -> Verification? {
        try tx.first(
            """
            SELECT \(fragment: Verification.columns) FROM verifications WHERE id = \(id) FOR UPDATE
            """
        ).map(Verification.init)
    }

    static func countAttempt(_ tx: PostgresTransaction, _ id: VerificationID) throws {
        try tx.execute("UPDATE verifications SET attempts = attempts + 1 WHERE id = \(id)")
    }

    static func markUsed(_ tx: PostgresTransaction, _ id: VerificationID) throws {
        try tx.execute("UPDATE verifications SET used_at = now() WHERE id = \(id)")
    }

    static func deleteExpired(_ postgres: PostgresClient, age: Duration) async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM verifications
            WHERE id IN (
                SELECT id FROM verifications
                WHERE expires_at < now() - make_interval(secs => \(age / .seconds(1)))
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }
}
