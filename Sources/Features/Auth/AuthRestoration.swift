import FeatureKit
import Foundation
import Postgres

/// Repairs accounts and sessions during a restore. Each call handles one page of rows, in the order of their ids: the
/// rows behind `after`, at most `limit`. It returns the page's last id and the number of changed rows, or nil behind
/// the last page.
extension AuthService {
    /// Erases accounts that had been erased, as their owners did then.
    ///
    /// - Parameter isErased: by the row's digest.
    package func eraseAgain(
        after: UUID, limit: Int, where isErased: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await UserStore(postgres: postgres).digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        var erased = 0
        for (user, _, digest) in page where isErased(digest) {
            do { try await delete(user) } catch AuthError.userGone { continue }
            erased += 1
        }
        return (last.0.rawValue, erased)
    }

    /// Ends sessions that had ended.
    ///
    /// - Parameter isEnded: by the row's digest.
    package func endSessionsAgain(
        after: UUID, limit: Int, where isEnded: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await SessionStore.digests(postgres, after: after, limit: limit)
        guard let last = page.last else { return nil }
        let ended = page.filter { isEnded($0.1) }.map(\.0)
        guard !ended.isEmpty else { return (last.0.rawValue, 0) }
        return (last.0.rawValue, try await SessionStore.end(postgres, among: ended))
    }

    /// Ends all sessions: the journal cannot tell which of them have ended.
    ///
    /// - Parameter time: sessions that began later go on.
    package func endSessions(
        after: UUID, limit: Int, startedBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await SessionStore.endAll(postgres, after: after, limit: limit, startedBy: time)
    }

    /// Ends codes under way, because they may have been used up.
    ///
    /// - Parameter time: codes that were made later stand.
    package func endCodes(
        after: UUID, limit: Int, madeBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await VerificationStore.endAll(postgres, after: after, limit: limit, madeBy: time)
    }
}

extension UserStore {
    /// One page of users, with the digests by which the journal knows them.
    package func digests(
        after: UUID, limit: Int
    ) async throws -> [(UserID, PhoneNumber, [UInt8])] {
        try await postgres.query(
            """
            SELECT id, phone_number, erasure_digest('user', id::text) AS digest
            FROM users WHERE id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("phone_number"), try $0.get("digest")) }
    }
}

extension SessionStore {
    fileprivate static func digests(
        _ postgres: PostgresClient, after: UUID, limit: Int
    ) async throws -> [(SessionID, [UInt8])] {
        try await postgres.query(
            """
            SELECT id, erasure_digest('session', id::text) AS digest
            FROM sessions WHERE id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("digest")) }
    }

    fileprivate static func end(_ postgres: PostgresClient, among ids: [SessionID]) async throws -> Int {
        try await postgres.execute(
            "UPDATE sessions SET ended_at = now() WHERE id = ANY(\(ids)) AND ended_at IS NULL")
    }

    /// The trigger that journals each end keeps out of it.
    fileprivate static func endAll(
        _ postgres: PostgresClient, after: UUID, limit: Int, startedBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await postgres.transaction { tx in
            try tx.execute("SELECT set_config('dayly.is_restoring', 'on', true)")
            let page = try tx.first(
                """
                WITH page AS MATERIALIZED (SELECT id FROM sessions WHERE id > \(after) ORDER BY id LIMIT \(limit)),
                ended AS (
                    UPDATE sessions SET ended_at = now()
                    WHERE id IN (SELECT id FROM page) AND ended_at IS NULL AND created_at <= \(time)
                    RETURNING 1
                )
                SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last,
                    (SELECT count(*) FROM ended) AS changed
                """)
            guard let page, let last = try page.get("last", as: UUID?.self) else { return nil }
            return (last, try page.get("changed"))
        }
    }
}

extension VerificationStore {
    fileprivate static func endAll(
        _ postgres: PostgresClient, after: UUID, limit: Int, madeBy time: Date
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
