import Auth
import FeatureKit
import Postgres
import RateLimiting

/// Blocking. Two people with a block between them are in no group together, whoever invites them.
struct BlockService: Sendable {
    let blocks: BlockStore
    let groups: GroupStore
    let accounts: Accounts
    let rates: RateLimits
    let rules: GroupSettings
    let hooks: GroupHooks

    init(
        blocks: BlockStore, groups: GroupStore, accounts: Accounts, rates: RateLimits,
        rules: GroupSettings = GroupSettings(), hooks: GroupHooks = GroupHooks()
    ) {
        self.blocks = blocks
        self.groups = groups
        self.accounts = accounts
        self.rates = rates
        self.rules = rules
        self.hooks = hooks
    }

    /// Blocks another user, and removes them from every group that both are in. Blocking again changes nothing.
    ///
    /// The transaction locks the rows of both users, and joining a group locks the row of the joining user. So neither of
    /// them can join a group between the search for shared groups and the block.
    ///
    /// A block that removes a member counts as one removal. Otherwise it would be a way around that limit. Without a
    /// shared group, the caller can block at any time.
    ///
    /// - Throws: `GroupError.notFound` when the caller has never met the user, in a group or in a product, `.removalLimitReached`,
    ///   `.cannotBlockOneself`.
    func block(_ other: UserID, by user: UserID) async throws {
        guard other != user else { throw GroupError.cannotBlockOneself }
        try await groups.postgres.transaction { tx in
            let locked = try accounts.lockIfPresent(tx, [user, other])
            guard locked.contains(where: { $0.id == user }) else { throw AuthError.userGone }
            guard let blocked = locked.first(where: { $0.id == other }) else { throw GroupError.notFound }
            guard try !blocks.exists(tx, of: other, by: user) else { return }
            let haveMet =
                try groups.haveMet(tx, user, other, within: rules.memoryOfMembers)
                || hooks.areAcquainted(tx, user, other)
            guard haveMet else { throw GroupError.notFound }
            let left = try groups.deleteSharedMemberships(tx, of: other, with: user)
            try blocks.insert(tx, of: blocked, by: user)
            try hooks.blocked(tx, other, by: user)
            if !left.isEmpty { try hooks.membershipsEnded(tx, of: other) }
            guard !left.isEmpty else { return }
            if let limited = try rates.take(tx, [rules.removalLimit(of: user)]) {
                throw GroupError.removalLimitReached(retryAfter: limited.retryAfter)
            }
        }
    }

    /// Ends the caller's own block. A block by the other user stays. It does not bring anybody back into a group.
    func unblock(_ other: UserID, by user: UserID) async throws {
        guard other != user else { throw GroupError.cannotBlockOneself }
        try await blocks.delete(of: other, by: user)
    }
}
