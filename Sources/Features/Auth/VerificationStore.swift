import Foundation
import Postgres

/// A verification under lock.
struct LockedVerification {
    let id: VerificationID
    let phoneNumber: PhoneNumber
    let codeHMAC: [UInt8]
    let attempts: Int
    /// Neither used nor expired.
    let isOpen: Bool

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        phoneNumber = try row.get("phone_number")
        codeHMAC = try row.get("code_hmac")
        attempts = try row.get("attempts")
        isOpen = try row.get("is_open")
    }
}

/// All SQL about verifications.
enum VerificationStore {
    /// - Returns: when it expires.
    static func create(
        _ tx: PostgresTransaction, id: VerificationID, number: PhoneNumber, codeHMAC: [UInt8],
        lifetime: Duration
    ) throws -> Date {
        let row = try tx.first(
            """
            INSERT INTO verifications (id, phone_number, code_hmac, expires_at)
            VALUES (
                \(id), \(number), \(codeHMAC), now() + make_interval(secs => \(lifetime / .seconds(1))))
            RETURNING expires_at
            """)
        guard let row else { throw AuthError.overloaded }
        return try row.get("expires_at")
    }

    static func lock(_ tx: PostgresTransaction, _ id: VerificationID) throws -> LockedVerification? {
        try tx.first(
            """
            SELECT id, phone_number, code_hmac, attempts, used_at IS NULL AND expires_at > now() AS is_open
            FROM verifications
            WHERE id = \(id)
            FOR UPDATE
            """
        ).map(LockedVerification.init)
    }

    static func countAttempt(_ tx: PostgresTransaction, _ id: VerificationID) throws {
        try tx.execute("UPDATE verifications SET attempts = attempts + 1 WHERE id = \(id)")
    }

    static func markUsed(_ tx: PostgresTransaction, _ id: VerificationID) throws {
        try tx.execute("UPDATE verifications SET used_at = now() WHERE id = \(id)")
    }

    static func deleteExpired(_ postgres: PostgresClient, age: Duration) async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM verifications
            WHERE expires_at < now() - make_interval(secs => \(age / .seconds(1)))
            """)
    }
}
