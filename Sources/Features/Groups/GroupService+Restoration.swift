import Auth
import FeatureKit
import Foundation
import Postgres

/// Repairs groups during a restore. Each call handles one page of rows, in the order of their ids: the rows behind
/// `after`, at most `limit`. It returns the page's last id and the number of changed rows, or nil behind the last
/// page.
extension GroupService {
    /// Deletes groups that the journal records as deleted.
    ///
    /// - Parameter isErased: whether the journal records the deletion of the row with a digest.
    func eraseAgain(
        after: UUID, limit: Int, where isErased: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await groups.digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        var erased = 0
        for (group, digest) in page where isErased(digest) {
            erased += try await groups.postgres.transaction { tx in
                guard try groups.lockIfPresent(tx, group) else { return 0 }
                let members = try groups.members(tx, of: group)
                try invitations.store.delete(tx, of: [group])
                try groups.delete(tx, groups: [group])
                for member in members { try hooks.membershipsEnded(tx, of: member) }
                return 1
            }
        }
        return (last.0.rawValue, erased)
    }

    /// Ends memberships that the journal records as ended, and deletes groups that have no members then. The page counts
    /// groups.
    ///
    /// - Parameter isEnded: whether the journal records the end of the row with a digest.
    func endMembershipsAgain(
        after: UUID, limit: Int, where isEnded: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await groups.memberships(after: after, limit: limit)
        guard let last = page.last else { return nil }
        var ended = 0
        for (group, user, digest) in page {
            guard let user, let digest, isEnded(digest) else { continue }
            ended += try await groups.postgres.transaction { tx in
                guard try groups.lockIfPresent(tx, group) else { return 0 }
                do {
                    try groups.deleteMember(tx, group: group, user: user)
                } catch GroupError.notFound {
                    return 0
                }
                try deleteEmpty(tx, among: [group])
                try hooks.membershipsEnded(tx, of: user)
                return 1
            }
        }
        return (last.0.rawValue, ended)
    }

    /// Revokes invitations that the journal records as used, revoked or deleted.
    ///
    /// - Parameter isOver: whether the journal records the end of the row with a digest.
    func revokeAgain(
        after: UUID, limit: Int, where isOver: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await invitations.store.digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        let over = page.filter { isOver($0.1) }.map(\.0)
        guard !over.isEmpty else { return (last.0.rawValue, 0) }
        return (last.0.rawValue, try await invitations.store.revoke(among: over))
    }

    /// Revokes all open invitations, because the journal cannot tell which of them are over.
    ///
    /// - Parameter time: later invitations stay open.
    func revoke(
        after: UUID, limit: Int, madeBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await invitations.store.revokeAll(after: after, limit: limit, createdBy: time)
    }

    /// Restores the blocks that the journal records, and deletes those that it records as ended. The page counts users.
    ///
    /// - Parameter blocks: for the digest of a user's row, the user's blocks: by the hash of the blocked number, whether
    ///   the block is in force.
    func restoreBlocks(
        after: UUID, limit: Int, _ blocks: @Sendable ([UInt8]) -> [[UInt8]: Bool]
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await accounts.digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        var changed = 0
        for (user, _, digest) in page {
            for (hash, isInForce) in blocks(digest) {
                changed += try await invitations.blocks.set(hash, by: user, isInForce: isInForce)
            }
        }
        return (last.0.rawValue, changed)
    }

    /// Links blocks of numbers to the accounts that have these numbers now. The page counts users.
    func recogniseBlocked(after: UUID, limit: Int) async throws -> (last: UUID, changed: Int)? {
        let page = try await accounts.digests(after: after, limit: limit)
        guard let last = page.last else { return nil }
        let hashes = invitations.blocks.hashes
        let blocked = try await invitations.blocks.unrecognised(among: page.flatMap { hashes.all($0.1) })
        for (user, number, _) in page where !blocked.isDisjoint(with: hashes.all(number)) {
            try await groups.postgres.transaction { tx in
                let profile = try accounts.lockIfPresent(tx, [user]).first
                if let profile { try invitations.blocks.recognise(tx, profile) }
            }
        }
        return (last.0.rawValue, 0)
    }

    /// Restores the STOPs that the journal records, and deletes those that it records as taken back.
    ///
    /// - Parameter stops: by the hash of a number, whether its STOP is in force.
    /// - Returns: the number of changed rows.
    func restoreStops(_ stops: [[UInt8]: Bool]) async throws -> Int {
        var changed = 0
        for (hash, isInForce) in stops {
            changed += try await invitations.optOuts.set(hash, isInForce: isInForce)
        }
        return changed
    }
}
