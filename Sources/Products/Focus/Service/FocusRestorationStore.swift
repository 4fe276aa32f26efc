import FeatureKit
import Foundation
import Postgres
import Restoration

/// SQL that repairs Focus during a restore.
struct FocusRestorationStore: Sendable {
    let postgres: PostgresClient

    /// One page of profiles, in the order of their users, with the digests by which the journal of erasures knows them.
    func digests(after: UUID, limit: Int) async throws -> [(user: UserID, digest: [UInt8])] {
        try await postgres.query(
            """
            SELECT user_id, focus_profile_digest(user_id, joined_at) AS digest
            FROM focus_profiles WHERE user_id > \(after) ORDER BY user_id LIMIT \(limit)
            """
        ).map { (try $0.get("user_id"), try $0.get("digest")) }
    }

    /// - Returns: the number of deleted profiles.
    func delete(_ users: [UserID]) async throws -> Int {
        guard !users.isEmpty else { return 0 }
        // Triggers: focus_profiles_forget_messages, focus_profiles_record_erasure (migrations/schema.sql)
        return try await postgres.execute("DELETE FROM focus_profiles WHERE user_id = ANY(\(users))")
    }

    /// Ends the follows of one page of followers between whom and the followed user a block stands.
    func endBlockedFollows(after: UUID, limit: Int) async throws -> RestoredPage? {
        try await postgres.first(
            """
            WITH page AS MATERIALIZED (
                SELECT user_id FROM focus_profiles WHERE user_id > \(after) ORDER BY user_id LIMIT \(limit)
            ), gone AS (
                DELETE FROM focus_follows f USING blocks b
                WHERE f.follower_id IN (SELECT user_id FROM page) AND (
                    (b.blocker_id = f.follower_id AND b.blocked_id = f.followed_id)
                    OR (b.blocker_id = f.followed_id AND b.blocked_id = f.follower_id))
                RETURNING 1
            )
            SELECT (SELECT user_id FROM page ORDER BY user_id DESC LIMIT 1) AS last,
                (SELECT count(*) FROM gone) AS changed
            """
        )?.restoredPage()
    }
}
