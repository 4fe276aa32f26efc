import FeatureKit
import Foundation
import Postgres
import Restoration

/// The step of a restore for Companion: users who had left it leave again.
struct CompanionRestorations: Sendable {
    let settings: CompanionSettingsService

    var walks: [RestoreWalk] {
        let store = CompanionRestorationStore(postgres: settings.postgres)
        return [
            RestoreWalk("companion", .journal([.companion])) { [settings] scope, after, limit in
                let page = try await store.digests(after: after, limit: limit)
                guard let last = page.last else { return nil }
                let left = page.filter { scope.journal.contains(.companion, $0.digest) }.map(\.user)
                for user in left { try await settings.leave(user) }
                return (last.user.rawValue, left.count)
            }
        ]
    }
}

/// SQL that finds the accounts of Companion during a restore.
struct CompanionRestorationStore: Sendable {
    let postgres: PostgresClient

    /// One page of accounts, in the order of their users, with the digests by which the journal of erasures knows their
    /// joinings.
    func digests(after: UUID, limit: Int) async throws -> [(user: UserID, digest: [UInt8])] {
        try await postgres.query(
            """
            SELECT user_id, erasure_digest('companion', joining::text) AS digest
            FROM companion_settings WHERE user_id > \(after) ORDER BY user_id LIMIT \(limit)
            """
        ).map { (try $0.get("user_id"), try $0.get("digest")) }
    }
}
