import FeatureKit
import Auth
import Foundation
import Postgres

/// Repairs groups during a restore. Each call handles one page of rows, in the order of their ids: the rows behind
/// `after`, at most `limit`. It returns the page's last id and the number of changed rows, or nil behind the last
/// page.
extension GroupService {
    /// Deletes groups that had been deleted.
    ///
    /// - Parameter isErased: by the row's digest.
    package func eraseAgain(
        after: UUID, limit: Int, where isErased: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await groups.digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        var erased = 0
        for (group, digest) in page where isErased(digest) {
            erased += try await groups.postgres.transaction { transaction in
                guard try groups.lock(in: transaction, group: group) else { return 0 }
                try invites.store.delete(in: transaction, of: [group])
                try groups.delete(in: transaction, groups: [group])
                return 1
            }
        }
        return (last.0.rawValue, erased)
    }

    /// Ends memberships that had ended; a group without members goes too. The page counts groups.
    ///
    /// - Parameter isEnded: by the row's digest.
    package func endMembershipsAgain(
        after: UUID, limit: Int, where isEnded: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await groups.memberships(after: after, limit: limit)
        guard let last = page.last else { return nil }
        var ended = 0
        for (group, user, digest) in page {
            guard let user, let digest, isEnded(digest) else { continue }
            ended += try await groups.postgres.transaction { transaction in
                guard try groups.lock(in: transaction, group: group) else { return 0 }
                do {
                    try groups.deleteMember(in: transaction, group: group, user: user)
                } catch GroupError.notFound {
                    return 0
                }
                try deleteEmpty(among: [group], in: transaction)
                return 1
            }
        }
        return (last.0.rawValue, ended)
    }

    /// Revokes invitations that had been used, revoked or deleted.
    ///
    /// - Parameter isOver: by the row's digest.
    package func revokeAgain(
        after: UUID, limit: Int, where isOver: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await invites.store.digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        let over = page.filter { isOver($0.1) }.map(\.0)
        guard !over.isEmpty else { return (last.0.rawValue, 0) }
        return (last.0.rawValue, try await invites.store.revoke(among: over))
    }

    /// Revokes all open invitations: the journal cannot tell which of them are over.
    ///
    /// - Parameter time: invitations that were made later stand.
    package func revoke(
        after: UUID, limit: Int, madeBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await invites.store.revokeAll(after: after, limit: limit, madeBy: time)
    }

    /// Makes blocks stand that stood, and ends those that had been ended. The page counts users.
    ///
    /// - Parameter blocks: of a user, by the digest of the row: whether a number's hash is blocked.
    package func restoreBlocks(
        after: UUID, limit: Int, _ blocks: @Sendable ([UInt8]) -> [[UInt8]: Bool]
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await UserStore(postgres: groups.postgres).digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        var changed = 0
        for (user, _, digest) in page {
            for (hash, stands) in blocks(digest) {
                changed += try await invites.blocks.set(hash, by: user, stands: stands)
            }
        }
        return (last.0.rawValue, changed)
    }

    /// Links blocks of numbers to the accounts that have these numbers now. The page counts users.
    package func recogniseBlocked(after: UUID, limit: Int) async throws -> (last: UUID, changed: Int)? {
        let page = try await UserStore(postgres: groups.postgres).digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        let hashes = invites.blocks.hashes
        let blocked = try await invites.blocks.unrecognised(among: page.flatMap { hashes.all($0.1) })
        for (user, number, _) in page where !blocked.isDisjoint(with: hashes.all(number)) {
            try await groups.postgres.transaction { transaction in
                let profile = try UserStore.lockUsers(transaction, [user]).first
                if let profile { try self.invites.blocks.recognise(in: transaction, profile) }
            }
        }
        return (last.0.rawValue, 0)
    }

    /// Makes a STOP stand that stood, and ends one that had been taken back.
    ///
    /// - Parameter stops: whether a number's hash is stopped.
    /// - Returns: how many changed.
    package func restoreStops(_ stops: [[UInt8]: Bool]) async throws -> Int {
        var changed = 0
        for (hash, stands) in stops {
            changed += try await invites.optOuts.set(hash, stands: stands)
        }
        return changed
    }
}

extension GroupStore {
    /// - Returns: whether there is such a group; its row is held.
    fileprivate func lock(in transaction: PostgresTransaction, group: GroupID) throws -> Bool {
        try transaction.first("SELECT 1 AS one FROM groups WHERE id = \(group) FOR NO KEY UPDATE") != nil
    }

    fileprivate func digests(after: UUID, limit: Int) async throws -> [(GroupID, [UInt8])] {
        try await postgres.query(
            """
            SELECT id, erasure_digest('group', id::text) AS digest
            FROM groups WHERE id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("digest")) }
    }

    /// The members of `limit` groups. A group without members is one row without a user.
    fileprivate func memberships(
        after: UUID, limit: Int
    ) async throws -> [(GroupID, UserID?, [UInt8]?)] {
        try await postgres.query(
            """
            WITH page AS MATERIALIZED (SELECT id FROM groups WHERE id > \(after) ORDER BY id LIMIT \(limit))
            SELECT p.id, m.user_id, membership_digest(m.group_id, m.user_id, m.joined_at) AS digest
            FROM page p LEFT JOIN group_members m ON m.group_id = p.id
            ORDER BY p.id, m.user_id
            """
        ).map { (try $0.get("id"), try $0.get("user_id"), try $0.get("digest")) }
    }
}

extension InvitationStore {
    fileprivate func digests(after: UUID, limit: Int) async throws -> [(InvitationID, [UInt8])] {
        try await postgres.query(
            """
            SELECT id, erasure_digest('invite', id::text) AS digest
            FROM invites WHERE id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("digest")) }
    }

    fileprivate func revoke(among ids: [InvitationID]) async throws -> Int {
        try await postgres.execute(
            """
            UPDATE invites SET revoked_at = now()
            WHERE id = ANY(\(ids)) AND used_at IS NULL AND revoked_at IS NULL
            """)
    }

    /// The trigger that journals each end keeps out of it.
    fileprivate func revokeAll(
        after: UUID, limit: Int, madeBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await postgres.transaction { tx in
            try tx.execute("SELECT set_config('dayly.is_restoring', 'on', true)")
            let page = try tx.first(
                """
                WITH page AS MATERIALIZED (SELECT id FROM invites WHERE id > \(after) ORDER BY id LIMIT \(limit)),
                revoked AS (
                    UPDATE invites SET revoked_at = now()
                    WHERE id IN (SELECT id FROM page) AND used_at IS NULL AND revoked_at IS NULL
                        AND created_at <= \(time)
                    RETURNING 1
                )
                SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last,
                    (SELECT count(*) FROM revoked) AS changed
                """)
            guard let page, let last = try page.get("last", as: UUID?.self) else { return nil }
            return (last, try page.get("changed"))
        }
    }
}

extension BlockStore {
    fileprivate func set(_ hash: [UInt8], by blocker: UserID, stands: Bool) async throws -> Int {
        try await postgres.execute(
            stands
                ? """
                INSERT INTO blocks (blocker_id, number_hmac) VALUES (\(blocker), \(hash)) ON CONFLICT DO NOTHING
                """
                : "DELETE FROM blocks WHERE blocker_id = \(blocker) AND number_hmac = \(hash)")
    }

    fileprivate func unrecognised(among hashes: [[UInt8]]) async throws -> Set<[UInt8]> {
        let rows = try await postgres.query(
            "SELECT DISTINCT number_hmac FROM blocks WHERE number_hmac = ANY(\(hashes)) AND blocked_id IS NULL"
        )
        return Set(try rows.map { try $0.get("number_hmac") })
    }
}

extension OptOutStore {
    fileprivate func set(_ hash: [UInt8], stands: Bool) async throws -> Int {
        try await postgres.execute(
            stands
                ? "INSERT INTO sms_opt_outs (number_hmac) VALUES (\(hash)) ON CONFLICT DO NOTHING"
                : "DELETE FROM sms_opt_outs WHERE number_hmac = \(hash)")
    }
}
