import FeatureKit
import Auth
import Postgres
import RateLimiting

extension InvitationService {
    private enum Redemption: Sendable {
        case joined(JoinedGroup)
        /// Counted, and the count is to be committed.
        case refused
        case limited(retryAfter: Duration)
    }

    /// Makes the caller a member of the group that the code is for. The code must be open and of his own number, and no
    /// block may stand between him and the inviter or a member: his own row and the group's are held, and whoever blocks
    /// holds the rows of both, so that no block and no membership slips in meanwhile.
    ///
    /// Again by who used it: the same answer for as long as he is in the group. Who is in the group already, having
    /// come another way, uses the code up. When the group is full or he is in too many, the code stays open.
    ///
    /// Every refusal takes the same look-ups: a code of another number is found by none of them.
    /// - Parameter typed: any case, with spaces and dashes.
    /// - Parameter address: what wrong codes are counted by beside the user. It never bars a right one.
    /// - Throws: `GroupError.inviteNotFound`, `.groupFull`, `.groupLimitReached`, `.tooManyWrongCodes`.
    package func redeem(_ typed: String, by user: UserID, from address: String?) async throws -> JoinedGroup {
        let code = InvitationCode(typed: typed)
        let ownLimit = wrongCodeLimit(user: user)
        let limits = [ownLimit] + (address.map { [wrongCodeLimit(address: $0)] } ?? [])
        let redemption = try await groups.postgres.transaction { transaction -> Redemption in
            let redeemer = try UserStore.lockUser(transaction, user)
            let group = try groups.lockInvited(
                in: transaction, code: code, phoneNumber: redeemer.phoneNumber)
            let invite = try store.lock(in: transaction, code: code, for: redeemer)
            let isRight = group.map { invite?.opens($0.id) ?? false } ?? false
            // Only the caller's own wrong codes refuse a right one. Wrong codes of other users at the same address
            // must not keep anybody out of a group.
            let limited =
                try isRight
                ? rates.exceeded(transaction, [ownLimit]) : rates.take(transaction, limits)
            if let limited { return .limited(retryAfter: limited.retryAfter) }
            guard isRight, let group, let invite else { return .refused }
            if !invite.isCallerMember { try join(group.id, redeemer, in: transaction) }
            if invite.isOpen { try store.markUsed(in: transaction, invite: invite.id, by: user) }
            return .joined(group)
        }
        switch redemption {
        case .joined(let group): return group
        case .refused: throw GroupError.inviteNotFound
        case .limited(let retryAfter): throw GroupError.tooManyWrongCodes(retryAfter: retryAfter)
        }
    }

    /// The user's and the group's rows are held, so both counts stay true until the end.
    private func join(_ group: GroupID, _ user: UserProfile, in transaction: PostgresTransaction) throws {
        guard try groups.countMembers(in: transaction, of: group) < rules.membersPerGroup else {
            throw GroupError.groupFull
        }
        guard try groups.countGroups(in: transaction, of: user.id) < rules.groupsPerUser else {
            throw GroupError.groupLimitReached
        }
        try blocks.recognise(in: transaction, user)
        try groups.insertMember(in: transaction, group: group, user: user.id)
    }
}

extension InvitationStore.Found {
    /// Whether its code is to be answered with the group, whose row is held.
    fileprivate func opens(_ group: GroupID) -> Bool {
        self.group == group && (isOpen || (isUsedByCaller && isCallerMember))
    }
}
