import FeatureKit
import Foundation
import Postgres

extension GroupStore {
    /// One page of groups, with the digests by which the journal knows them.
    func digests(after: UUID, limit: Int) async throws -> [(GroupID, [UInt8])] {
        try await postgres.query(
            """
            SELECT id, erasure_digest('group', id::text) AS digest
            FROM groups WHERE id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("digest")) }
    }

    /// The members of `limit` groups. A group without members has one row without a user.
    func memberships(after: UUID, limit: Int) async throws -> [(GroupID, UserID?, [UInt8]?)] {
        try await postgres.query(
            """
            WITH page AS MATERIALIZED (SELECT id FROM groups WHERE id > \(after) ORDER BY id LIMIT \(limit))
            SELECT p.id, m.user_id, membership_digest(m.group_id, m.user_id, m.joined_at) AS digest
            FROM page p LEFT JOIN group_members m ON m.group_id = p.id
            ORDER BY p.id, m.user_id
            """
        ).map { (try $0.get("id"), try $0.get("user_id"), try $0.get("digest")) }
    }

    /// The members of a group whose row the transaction has locked.
    func members(_ tx: PostgresTransaction, of group: GroupID) throws -> [UserID] {
        try tx.query("SELECT user_id FROM group_members WHERE group_id = \(group) ORDER BY user_id").map {
            try $0.get("user_id")
        }
    }
}
