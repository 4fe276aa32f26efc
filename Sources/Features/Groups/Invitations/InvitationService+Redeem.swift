import Auth
import FeatureKit
import Postgres
import RateLimiting

extension InvitationService {
    private enum Redemption: Sendable {
        case joined(JoinedGroup)
        /// The wrong code was counted. This is not an error, because the count must be committed.
        case refused
        /// The text shows by itself that it is not a code, so it is not counted.
        case mistaken(GroupError)
        case limited(retryAfter: Duration)
    }

    /// Makes the caller a member of the code's group. The invitation must be open and for the caller's own number, and there
    /// must be no block between the caller and the inviter or a member. The transaction locks the caller's row and the
    /// group's row, and a block locks the rows of both its users, so that no block or membership is added meanwhile.
    ///
    /// The same user gets the same answer again while they are a member. A caller who became a member in another way uses
    /// the code up. When the group is full, or the caller is in too many groups, the code stays open.
    ///
    /// Every refusal takes the same look-ups, and none of them finds a code for another number.
    ///
    /// - Parameters:
    ///   - typed: a text with the code: see `TypedInvitationCode`. A text that cannot be a code is looked up and counted like a
    ///     wrong one, unless the caller can see the mistake in it.
    ///   - address: the address block by which wrong codes are counted, beside the user. It never refuses a right code.
    /// - Throws: `GroupError.inviteNotFound`, `.codeMisread`, `.codeForeign`, `.groupFull`, `.groupLimitReached`,
    ///   `.tooManyWrongCodes`.
    package func redeem(_ typed: String, by user: UserID, from address: String?) async throws -> JoinedGroup {
        let reading = TypedInvitationCode(typed)
        let ownLimit = wrongCodeLimit(user: user)
        let redemption = try await groups.postgres.transaction { tx -> Redemption in
            let redeemer = try accounts.requireLocked(tx, user)
            if let mistake = reading.mistake {
                if let limited = try rates.exceeded(tx, [ownLimit]) {
                    return .limited(retryAfter: limited.retryAfter)
                }
                return .mistaken(mistake)
            }
            let code = reading.code
            let group = try groups.lockInvited(
                tx, code: code, phoneNumber: redeemer.phoneNumber)
            let invitation = try store.lockIfPresent(tx, code: code, for: redeemer)
            let isRight = group.map { invitation?.opens($0.id) ?? false } ?? false
            // Only the caller's own wrong codes refuse a right code. Wrong codes of other users at the same address must not
            // keep the caller out of a group.
            let limited =
                try isRight
                ? rates.exceeded(tx, [ownLimit]) : countWrongCode(tx, ownLimit, address)
            if let limited { return .limited(retryAfter: limited.retryAfter) }
            guard isRight, let group, let invitation else { return .refused }
            if !invitation.isCallerMember { try join(tx, group.id, redeemer) }
            if invitation.isOpen { try store.markUsed(tx, invitation.id, by: user) }
            return .joined(group)
        }
        switch redemption {
        case .joined(let group): return group
        case .refused: throw GroupError.inviteNotFound
        case .mistaken(let mistake): throw mistake
        case .limited(let retryAfter): throw GroupError.tooManyWrongCodes(retryAfter: retryAfter)
        }
    }

    /// Counts the code for the user also where the address has none left, so that it has the same end for them everywhere.
    private func countWrongCode(
        _ tx: PostgresTransaction, _ ownLimit: RateLimit, _ address: String?
    ) throws -> RateLimited? {
        if let limited = try rates.take(tx, [ownLimit]) { return limited }
        return try address.flatMap { try rates.take(tx, [wrongCodeLimit(address: $0)]) }
    }

    /// The transaction has locked the rows of the user and the group, so both counts stay right until it ends.
    private func join(_ tx: PostgresTransaction, _ group: GroupID, _ user: UserProfile) throws {
        guard try groups.countMembers(tx, of: group) < rules.membersPerGroup else {
            throw GroupError.groupFull
        }
        guard try groups.countGroups(tx, of: user.id) < rules.groupsPerUser else {
            throw GroupError.groupLimitReached
        }
        try blocks.recognise(tx, user)
        try groups.insertMember(tx, group: group, user: user.id)
    }
}

extension TypedInvitationCode {
    /// A text without a code gives one that never matches, so that it costs the same look-ups as a wrong code.
    fileprivate var code: InvitationCode {
        if case .code(let code) = self { code } else { InvitationCode(rawValue: "") }
    }

    fileprivate var mistake: GroupError? {
        switch self {
        case .misread: .codeMisread
        case .foreign: .codeForeign
        case .code, .none: nil
        }
    }
}

extension InvitationStore.Found {
    /// Whether the code admits its owner to the group, whose row is locked.
    fileprivate func opens(_ group: GroupID) -> Bool {
        self.group == group && (isOpen || (isUsedByCaller && isCallerMember))
    }
}
