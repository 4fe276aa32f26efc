import FeatureKit
import Foundation
import Postgres

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
