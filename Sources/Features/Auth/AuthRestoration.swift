import Foundation
import Postgres

/// What has to be done to accounts and sessions when the database went back in time.
extension AuthService {
    /// Erases accounts that had been erased, as their owners did then.
    ///
    /// - Parameter isErased: by the row's digest.
    /// - Returns: how many.
    package func eraseAgain(where isErased: @Sendable ([UInt8]) -> Bool) async throws -> Int {
        var erased = 0
        try await UserStore(postgres: postgres).eachDigest { user, _, digest in
            guard isErased(digest) else { return }
            do { try await delete(user) } catch AuthError.userGone { return }
            erased += 1
        }
        return erased
    }

    /// Ends every session: which have been ended, and which refresh tokens have been used, is not known. Open codes go
    /// too, because they may have been used up.
    ///
    /// - Parameter time: what began later is certain.
    /// - Returns: how many sessions.
    package func endUncertain(before time: Date) async throws -> Int {
        try await postgres.execute("DELETE FROM verifications WHERE created_at <= \(time)")
        return try await postgres.execute(
            "UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL AND created_at <= \(time)")
    }
}

extension UserStore {
    /// Every user and what tells an erased one, in pages.
    package func eachDigest(
        _ body: (UserID, PhoneNumber, [UInt8]) async throws -> Void
    ) async throws {
        var last = UserID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        while true {
            let rows = try await postgres.query(
                """
                SELECT id, phone_number, erasure_digest('user', id::text) AS digest
                FROM users WHERE id > \(last) ORDER BY id LIMIT 5000
                """)
            guard let final = rows.last else { return }
            last = try final.get("id")
            for row in rows {
                try await body(row.get("id"), row.get("phone_number"), row.get("digest"))
            }
        }
    }
}
