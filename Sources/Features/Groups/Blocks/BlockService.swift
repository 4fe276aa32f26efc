import FeatureKit
import Auth
import Postgres
import RateLimiting

/// Blocking: the two are in no group together from then on, whoever invites whom.
package struct BlockService: Sendable {
    package let blocks: BlockStore
    let groups: GroupStore
    let rates: RateLimits
    let rules: GroupSettings

    package init(blocks: BlockStore, groups: GroupStore, rates: RateLimits, rules: GroupSettings = GroupSettings())
    {
        self.blocks = blocks
        self.groups = groups
        self.rates = rates
        self.rules = rules
    }

    /// Takes the other out of every group that both are in. Blocking again changes nothing.
    ///
    /// Both users' rows are held throughout, and whoever joins a group holds his own: nobody can join between the
    /// look at the shared groups and the block.
    ///
    /// A block that removes somebody counts as one removal, else it would be the way around that limit. Who shares no
    /// group, because he left it, blocks at any time.
    /// - Throws: `GroupError.notFound` for whom the caller never met in a group, `.removalLimitReached`,
    ///   `.cannotBlockOneself`.
    package func block(_ other: UserID, by user: UserID) async throws {
        guard other != user else { throw GroupError.cannotBlockOneself }
        try await groups.postgres.transaction { transaction in
            let locked = try UserStore.lockUsers(transaction, [user, other])
            guard locked.contains(where: { $0.id == user }) else { throw AuthError.userGone }
            guard let blocked = locked.first(where: { $0.id == other }) else { throw GroupError.notFound }
            guard try !blocks.exists(in: transaction, of: other, by: user) else { return }
            guard try groups.haveMet(in: transaction, user, other, within: rules.memoryOfMembers) else {
                throw GroupError.notFound
            }
            let left = try groups.deleteSharedMemberships(in: transaction, of: other, with: user)
            try blocks.insert(in: transaction, of: blocked, by: user)
            guard !left.isEmpty else { return }
            if let limited = try rates.take(transaction, [rules.removalLimit(of: user)]) {
                throw GroupError.removalLimitReached(retryAfter: limited.retryAfter)
            }
        }
    }

    /// Ends the caller's own block; another's stays. Nobody comes back by that alone.
    package func unblock(_ other: UserID, by user: UserID) async throws {
        guard other != user else { throw GroupError.cannotBlockOneself }
        try await blocks.delete(of: other, by: user)
    }
}
