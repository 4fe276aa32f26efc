import FeatureKit
import Auth
import Foundation
import Postgres
import RateLimiting

/// What members do with groups. Every change takes its locks in the order that `GroupStore` names.
package struct GroupService: Sendable {
    package let groups: GroupStore
    let invites: InvitationService
    let rates: RateLimits
    let rules: GroupSettings

    package init(
        groups: GroupStore, invites: InvitationService, rates: RateLimits,
        rules: GroupSettings = GroupSettings()
    ) {
        self.groups = groups
        self.invites = invites
        self.rates = rates
        self.rules = rules
    }

    /// Makes a group whose only member is the caller, and invites the numbers to it.
    ///
    /// The group stands although the caller's SMS of the day may be used up: the invitations are open all the same,
    /// only the SMS are left out.
    /// - Throws: `GroupError.groupLimitReached`, `.creationLimitReached`, `.nobodyToInvite`, `.tooManyMembers`.
    package func create(
        name: String, inviting numbers: [PhoneNumber], by user: UserID
    ) async throws -> (group: GroupView, invitations: [InvitationResult]) {
        let (view, batch) = try await groups.postgres.transaction { transaction in
            // Held from counting to inserting: of several creations at once only as many as there is room for pass.
            let creator = try UserStore.lockUser(transaction, user)
            let numbers = invites.invitees(among: numbers, for: creator)
            guard !numbers.isEmpty else { throw GroupError.nobodyToInvite }
            guard numbers.count <= rules.numbersPerCall else {
                throw GroupError.tooManyMembers(limit: rules.numbersPerCall)
            }
            guard try groups.countGroups(in: transaction, of: user) < rules.groupsPerUser else {
                throw GroupError.groupLimitReached
            }
            try invites.blocks.recognise(in: transaction, creator)
            if let limited = try rates.take(transaction, [rules.creationLimit(of: user)]) {
                throw GroupError.creationLimitReached(retryAfter: limited.retryAfter)
            }
            let group = GroupID(rawValue: .version7())
            try groups.insertGroup(in: transaction, id: group, name: name)
            try groups.insertMember(in: transaction, group: group, user: user)
            let batch = try invites.invite(
                numbers, in: transaction, to: JoinedGroup(id: group, name: name), by: creator,
                whenSenderQuotaIsSpent: .leaveOutMessage)
            return (try groups.requireView(in: transaction, of: group, for: user), batch)
        }
        await invites.dispatch(batch)
        return (view, batch.results)
    }

    /// Any member may rename the group.
    package func rename(_ group: GroupID, to name: String, by user: UserID) async throws -> GroupView {
        try await groups.postgres.transaction { transaction in
            _ = try groups.lockAsMember(in: transaction, group: group, user: user)
            try groups.rename(in: transaction, group: group, to: name)
            return try groups.requireView(in: transaction, of: group, for: user)
        }
    }

    /// The caller leaves; the last one out deletes the group, its photos and its invitations.
    package func leave(_ group: GroupID, by user: UserID) async throws {
        try await groups.postgres.transaction { transaction in
            // The group's row is held until the end: nobody joins a group that is about to go.
            _ = try groups.lockAsMember(in: transaction, group: group, user: user)
            guard try groups.countMembers(in: transaction, of: group) == 1 else {
                return try groups.deleteMember(in: transaction, group: group, user: user)
            }
            // The membership and the invitations go with the group, so that the journal of erasures gets one record for
            // all. The event goes too; its signal lets the caller's streams notice.
            try groups.record(in: transaction, .memberLeft, of: user, in: [group])
            try invites.store.lockAll(in: transaction, of: group)
            try groups.delete(in: transaction, groups: [group])
        }
    }

    /// Any member may remove any other; removing oneself is leaving.
    /// - Throws: `GroupError.notFound`, `.removalLimitReached`.
    package func remove(_ member: UserID, from group: GroupID, by user: UserID) async throws {
        guard member != user else { return try await leave(group, by: user) }
        try await groups.postgres.transaction { transaction in
            _ = try groups.lockAsMember(in: transaction, group: group, user: user)
            try groups.deleteMember(in: transaction, group: group, user: member)
            if let limited = try rates.take(transaction, [rules.removalLimit(of: user)]) {
                throw GroupError.removalLimitReached(retryAfter: limited.retryAfter)
            }
        }
    }

    /// For the deletion of an account, whose user row the transaction holds: leaves every group, deletes those that
    /// are empty then, all invitations to its number and the open ones that it made. Its blocks go with its row; those
    /// against it stay, under its number's hash.
    package func erase(_ user: UserID, in transaction: PostgresTransaction) throws {
        let left = try groups.deleteMemberships(in: transaction, of: user)
        let empty = try groups.empty(in: transaction, among: left)
        try invites.store.delete(in: transaction, of: empty, leftBy: user)
        try groups.delete(in: transaction, groups: empty)
        try invites.blocks.lockAll(in: transaction, about: user)
    }

    func deleteEmpty(among left: [GroupID], in transaction: PostgresTransaction) throws {
        let empty = try groups.empty(in: transaction, among: left)
        guard !empty.isEmpty else { return }
        try invites.store.delete(in: transaction, of: empty)
        try groups.delete(in: transaction, groups: empty)
    }
}
