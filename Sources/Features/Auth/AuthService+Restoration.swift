import FeatureKit
import Foundation
import Postgres

/// Repairs accounts and sessions during a restore. Each call handles one page of rows, in the order of their ids: the
/// rows behind `after`, at most `limit`. It returns the page's last id and the number of changed rows, or nil behind
/// the last page.
extension AuthService {
    /// Deletes accounts that the journal records as deleted.
    ///
    /// - Parameter isErased: whether the journal records the deletion of the row with a digest.
    func eraseAgain(
        after: UUID, limit: Int, where isErased: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await users.digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        var erased = 0
        for (user, _, digest) in page where isErased(digest) {
            do { try await delete(user) } catch AuthError.userGone { continue }
            erased += 1
        }
        return (last.0.rawValue, erased)
    }

    /// Ends sessions that the journal records as ended.
    ///
    /// - Parameter isEnded: whether the journal records the end of the row with a digest.
    func endSessionsAgain(
        after: UUID, limit: Int, where isEnded: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await sessionStore.digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        let ended = page.filter { isEnded($0.1) }.map(\.0)
        guard !ended.isEmpty else { return (last.0.rawValue, 0) }
        return (last.0.rawValue, try await sessionStore.end(among: ended))
    }

    /// Ends all sessions, because the journal cannot tell which of them have ended.
    ///
    /// - Parameter time: sessions that began later stay live.
    package func endSessions(
        after: UUID, limit: Int, startedBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await sessionStore.endAll(after: after, limit: limit, startedBy: time)
    }

    /// Deletes the open verifications, because their codes may have been used.
    ///
    /// - Parameter time: later codes stay valid.
    func endCodes(
        after: UUID, limit: Int, madeBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await verifications.deleteAll(after: after, limit: limit, createdBy: time)
    }
}
