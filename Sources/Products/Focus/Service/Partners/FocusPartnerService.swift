import Auth
import FeatureKit
import Postgres
import RateLimiting

/// Partners: members of a shared group who agreed to be told when the user breaks a streak.
struct FocusPartnerService: Sendable {
    static let maxPartners = 5
    private static let requestsPerDay = 10

    let postgres: PostgresClient
    let accounts: Accounts
    let members: FocusMemberStore
    let rates: RateLimits
    let notices: FocusPartnerNotices

    func list(
        of user: UserID
    ) async throws -> (partners: [FocusPartnerState], partnerOf: [FocusPartnerState]) {
        try await postgres.transaction { tx in
            _ = try members.require(tx, user)
            return (
                try FocusPartnerStore.partners(tx, of: user), try FocusPartnerStore.partnerOf(tx, user)
            )
        }
    }

    /// Asks a member of a shared group to become the user's partner. Asking again changes nothing.
    ///
    /// - Throws: `FocusError.notFound`, `.partnerLimitReached`; `RateLimited`.
    func ask(_ other: UserID, by user: UserID) async throws {
        try await postgres.transaction { tx in
            let member = try requireLocked(tx, user, other)
            if try FocusPartnerStore.isAccepted(tx, by: other, of: user) != nil { return }
            guard try FocusPartnerStore.count(tx, of: user) < Self.maxPartners else {
                throw FocusError.partnerLimitReached
            }
            let limit = RateLimit(
                scope: "focus.partner.day", subject: user.rawValue.uuidString, limit: Self.requestsPerDay,
                per: .seconds(86_400))
            try rates.check(tx, [limit])
            try FocusPartnerStore.insert(tx, other, of: user)
            try notices.requested(tx, by: member, of: other)
        }
    }

    /// Agrees to be told of the breaks of the user who asked. Agreeing again changes nothing.
    ///
    /// - Throws: `FocusError.notFound` without a request.
    func accept(_ asker: UserID, by user: UserID) async throws {
        try await postgres.transaction { tx in
            _ = try members.require(tx, user)
            guard try FocusPartnerStore.accept(tx, by: user, of: asker) else { throw FocusError.notFound }
        }
    }

    /// Ends every partnership and request between the two.
    func end(_ other: UserID, by user: UserID) async throws {
        try await postgres.transaction { tx in
            _ = try members.require(tx, user)
            try FocusPartnerStore.end(tx, between: user, and: other)
        }
    }

    /// Locks the rows of both users and their memberships of shared groups, so that no block and no end of these memberships
    /// comes in between, and then the caller's profile, so that two calls do not exceed the limit together.
    private func requireLocked(_ tx: PostgresTransaction, _ user: UserID, _ other: UserID) throws
        -> FocusMember
    {
        let found = try accounts.lockIfPresent(tx, [user, other])
        let shareGroup = try FocusPersonStore.lockSharedGroups(tx, user, other)
        let member = try members.requireLocked(tx, user)
        guard other != user, found.count == 2, shareGroup, try FocusPersonStore.hasProfile(tx, other)
        else { throw FocusError.notFound }
        return member
    }
}
