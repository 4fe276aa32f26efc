import Auth
import FeatureKit
import Foundation
import Postgres
import RateLimiting

/// The members' changes of groups. Every change takes its locks in the order that `GroupStore` names.
struct GroupService: Sendable {
    let groups: GroupStore
    let views = GroupViews()
    let accounts: Accounts
    let invitations: InvitationService
    let rates: RateLimits
    let rules: GroupSettings
    let hooks: GroupHooks

    init(
        groups: GroupStore, accounts: Accounts, invitations: InvitationService, rates: RateLimits,
        rules: GroupSettings = GroupSettings(), hooks: GroupHooks = GroupHooks()
    ) {
        self.groups = groups
        self.accounts = accounts
        self.invitations = invitations
        self.rates = rates
        self.rules = rules
        self.hooks = hooks
    }

    /// Creates a group whose only member is the caller, and invites the numbers to it.
    ///
    /// When the caller's quota of SMS is used up, the group and the invitations are created nevertheless, and only the SMS
    /// are left out.
    ///
    /// - Throws: `GroupError.groupLimitReached`, `.creationLimitReached`, `.nobodyToInvite`, `.tooManyMembers`.
    func create(
        name: String, inviting numbers: [PhoneNumber], by user: UserID
    ) async throws -> (group: GroupView, invitations: [InvitationResult]) {
        let (view, batch) = try await groups.postgres.transaction { tx in
            // Lock the user's row from counting to inserting, so that creations at the same time cannot exceed the limit.
            let creator = try accounts.requireLocked(tx, user)
            let numbers = invitations.invitees(among: numbers, for: creator)
            guard !numbers.isEmpty else { throw GroupError.nobodyToInvite }
            guard numbers.count <= rules.numbersPerCall else {
                throw GroupError.tooManyMembers(limit: rules.numbersPerCall)
            }
            guard try groups.countGroups(tx, of: user) < rules.groupsPerUser else {
                throw GroupError.groupLimitReached
            }
            try invitations.blocks.recognise(tx, creator)
            if let limited = try rates.take(tx, [rules.creationLimit(of: user)]) {
                throw GroupError.creationLimitReached(retryAfter: limited.retryAfter)
            }
            let group = GroupID(rawValue: .version7())
            try groups.insertGroup(tx, id: group, name: name)
            try groups.insertMember(tx, group: group, user: user)
            let batch = try invitations.invite(
                tx, numbers, to: JoinedGroup(id: group, name: name), by: creator,
                whenSenderQuotaIsSpent: .leaveOutMessage)
            return (try groups.requireView(tx, of: group, for: user), batch)
        }
        await invitations.dispatch(batch)
        return (view, batch.results)
    }

    /// Renames the group. Every member may do so.
    func rename(_ group: GroupID, to name: String, by user: UserID) async throws -> GroupView {
        try await groups.postgres.transaction { tx in
            _ = try groups.requireLocked(tx, group, asMember: user)
            try groups.rename(tx, group: group, to: name)
            return try groups.requireView(tx, of: group, for: user)
        }
    }

    /// Ends the caller's membership. When the last member leaves, the group is deleted with its photos and invitations.
    func leave(_ group: GroupID, by user: UserID) async throws {
        try await groups.postgres.transaction { tx in
            // The lock on the group's row lasts until the end, so that nobody joins a group that is being deleted.
            _ = try groups.requireLocked(tx, group, asMember: user)
            guard try groups.countMembers(tx, of: group) == 1 else {
                try groups.deleteMember(tx, group: group, user: user)
                return try hooks.membershipsEnded(tx, of: user)
            }
            // Deleting the group deletes the membership and the invitations too, so that the journal of erasures gets one
            // record for all of them. It also deletes the event, but the event's signal still reaches the caller's streams.
            try groups.record(tx, .memberLeft, of: user, in: [group])
            try invitations.store.lockAll(tx, of: group)
            try groups.delete(tx, groups: [group])
            try hooks.membershipsEnded(tx, of: user)
        }
    }

    /// Removes a member from the group. Every member may remove every other member. Removing oneself is leaving.
    ///
    /// - Throws: `GroupError.notFound`, `.removalLimitReached`.
    func remove(_ member: UserID, from group: GroupID, by user: UserID) async throws {
        guard member != user else { return try await leave(group, by: user) }
        try await groups.postgres.transaction { tx in
            _ = try groups.requireLocked(tx, group, asMember: user)
            try groups.deleteMember(tx, group: group, user: member)
            try hooks.membershipsEnded(tx, of: member)
            if let limited = try rates.take(tx, [rules.removalLimit(of: user)]) {
                throw GroupError.removalLimitReached(retryAfter: limited.retryAfter)
            }
        }
    }

    /// Removes an account from groups before the account is deleted. The transaction has locked the user's row.
    ///
    /// It ends all memberships, deletes the groups that are empty then, all invitations to the account's number, and the
    /// unused invitations that it made. The account's own blocks are deleted with its row. Blocks of it by others stay,
    /// under the hash of its number.
    func erase(_ tx: PostgresTransaction, _ user: UserID) throws {
        let left = try groups.deleteMemberships(tx, of: user)
        let empty = try groups.empty(tx, among: left)
        try invitations.store.delete(tx, of: empty, leftBy: user)
        try groups.delete(tx, groups: empty)
        try invitations.blocks.lockAll(tx, about: user)
        try hooks.membershipsEnded(tx, of: user)
    }

    func deleteEmpty(_ tx: PostgresTransaction, among left: [GroupID]) throws {
        let empty = try groups.empty(tx, among: left)
        guard !empty.isEmpty else { return }
        try invitations.store.delete(tx, of: empty)
        try groups.delete(tx, groups: empty)
    }
}
