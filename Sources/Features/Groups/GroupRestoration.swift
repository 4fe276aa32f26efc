import Auth
import Foundation
import Postgres

/// What has to be done to groups when the database went back in time.
extension GroupService {
    /// Deletes groups that had been deleted.
    ///
    /// - Parameter isErased: by the row's digest.
    /// - Returns: how many.
    package func eraseAgain(where isErased: @Sendable ([UInt8]) -> Bool) async throws -> Int {
        var erased = 0
        for group in try await groups.all(where: isErased) {
            erased += try await groups.postgres.transaction { transaction in
                guard try groups.lock(in: transaction, group: group) else { return 0 }
                try invites.store.delete(in: transaction, of: [group])
                try groups.delete(in: transaction, groups: [group])
                return 1
            }
        }
        return erased
    }

    /// Ends memberships that had ended; a group that nobody is left in goes too.
    ///
    /// - Parameter isEnded: by the row's digest.
    /// - Returns: how many.
    package func endMembershipsAgain(where isEnded: @Sendable ([UInt8]) -> Bool) async throws -> Int {
        var ended = 0
        for (group, user) in try await groups.allMemberships(where: isEnded) {
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
        return ended
    }

    /// Revokes every open invitation: which have been used or revoked is not known.
    ///
    /// - Parameter time: what was made later is certain.
    /// - Returns: how many.
    package func revokeUncertain(before time: Date) async throws -> Int {
        try await invites.store.revokeAll(before: time)
    }

    /// Makes blocks stand that stood, and ends those that had been ended.
    ///
    /// - Parameter blocks: of a user, by the digest of the row: whether a number's hash is blocked.
    /// - Returns: how many blocks changed.
    package func restoreBlocks(
        _ blocks: @Sendable ([UInt8]) -> [[UInt8]: Bool]
    ) async throws -> Int {
        let users = UserStore(postgres: groups.postgres)
        var changed = 0
        var hashes: Set<[UInt8]> = []
        try await users.eachDigest { user, _, digest in
            for (hash, stands) in blocks(digest) {
                changed += try await self.invites.blocks.set(hash, by: user, stands: stands)
                if stands { hashes.insert(hash) }
            }
        }
        guard !hashes.isEmpty else { return changed }
        try await users.eachDigest { user, number, _ in
            guard hashes.contains(self.invites.blocks.hashes.hash(number)) else { return }
            try await self.groups.postgres.transaction { transaction in
                let profile = try UserStore.lockUsers(transaction, [user]).first
                if let profile { try self.invites.blocks.recognise(in: transaction, profile) }
            }
        }
        return changed
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

    fileprivate func all(where isWanted: ([UInt8]) -> Bool) async throws -> [GroupID] {
        var found: [GroupID] = []
        var last = UUID.zero
        while true {
            let rows = try await postgres.query(
                """
                SELECT id, erasure_digest('group', id::text) AS digest
                FROM groups WHERE id > \(last) ORDER BY id LIMIT 5000
                """)
            guard let final = rows.last else { return found }
            last = try final.get("id")
            for row in rows where isWanted(try row.get("digest")) { found.append(try row.get("id")) }
        }
    }

    fileprivate func allMemberships(
        where isWanted: ([UInt8]) -> Bool
    ) async throws -> [(GroupID, UserID)] {
        var found: [(GroupID, UserID)] = []
        var last = (group: UUID.zero, user: UUID.zero)
        while true {
            let rows = try await postgres.query(
                """
                SELECT group_id, user_id, membership_digest(group_id, user_id, joined_at) AS digest
                FROM group_members WHERE (group_id, user_id) > (\(last.group), \(last.user))
                ORDER BY group_id, user_id LIMIT 5000
                """)
            guard let final = rows.last else { return found }
            last = (try final.get("group_id"), try final.get("user_id"))
            for row in rows where isWanted(try row.get("digest")) {
                found.append((try row.get("group_id"), try row.get("user_id")))
            }
        }
    }
}

extension InviteStore {
    fileprivate func revokeAll(before time: Date) async throws -> Int {
        try await postgres.execute(
            """
            UPDATE invites SET revoked_at = now()
            WHERE used_at IS NULL AND revoked_at IS NULL AND created_at <= \(time)
            """)
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
}

extension OptOutStore {
    fileprivate func set(_ hash: [UInt8], stands: Bool) async throws -> Int {
        try await postgres.execute(
            stands
                ? "INSERT INTO sms_opt_outs (number_hmac) VALUES (\(hash)) ON CONFLICT DO NOTHING"
                : "DELETE FROM sms_opt_outs WHERE number_hmac = \(hash)")
    }
}

extension UUID {
    /// Before every other.
    fileprivate static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
