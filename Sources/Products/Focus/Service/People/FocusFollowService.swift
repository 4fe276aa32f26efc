import Auth
import FeatureKit
import FocusRules
import Foundation
import Postgres
import RateLimiting

/// Following. A user may follow members of shared groups, and any other user by nickname.
struct FocusFollowService: Sendable {
    /// The people whom one user may follow.
    static let maxFollows = 200
    private static let newFollowsPerDay = 100

    let postgres: PostgresClient
    let accounts: Accounts
    let members: FocusMemberStore
    let follows: FocusFollowStore
    let rates: RateLimits

    init(platform: Platform, accounts: Accounts, members: FocusMemberStore) {
        postgres = platform.database
        self.accounts = accounts
        self.members = members
        follows = FocusFollowStore(postgres: platform.database)
        rates = platform.rates
    }

    /// Follows a member of a shared group. Following again changes nothing.
    ///
    /// - Throws: `FocusError.notFound`, `.followLimitReached`; `RateLimited`.
    func follow(_ other: UserID, by user: UserID) async throws {
        try await postgres.transaction { tx in
            try requireLocked(tx, user, other)
            if try follows.exists(tx, by: user, of: other) { return }
            guard try FocusPersonStore.shareGroup(tx, user, other) else { throw FocusError.notFound }
            try insert(tx, other, by: user)
        }
    }

    /// Follows the user with a nickname, in any case. Following again changes nothing.
    ///
    /// - Throws: `FocusError.notFound`, `.followLimitReached`; `RateLimited`.
    func follow(nickname: String, by user: UserID) async throws -> FocusFollow {
        try await postgres.transaction { tx in
            _ = try members.require(tx, user)
            guard let other = try FocusPersonStore.find(tx, nickname: nickname) else {
                throw FocusError.notFound
            }
            try requireLocked(tx, user, other)
            if try !follows.exists(tx, by: user, of: other) { try insert(tx, other, by: user) }
            guard let follow = try follows.find(tx, by: user, of: other) else { throw FocusError.notFound }
            return follow
        }
    }

    /// Ends a follow, at the wish of either side.
    func end(by follower: UserID, of followed: UserID, wishOf user: UserID) async throws {
        try await postgres.transaction { tx in _ = try members.require(tx, user) }
        try await follows.delete(by: follower, of: followed)
    }

    /// Locks the rows of both users, so that no block comes in between, and then the caller's profile, so that two calls do not
    /// exceed the limit together.
    private func requireLocked(_ tx: PostgresTransaction, _ user: UserID, _ other: UserID) throws {
        let found = try accounts.lockIfPresent(tx, [user, other])
        _ = try members.requireLocked(tx, user)
        guard found.count == 2, try FocusPersonStore.hasProfile(tx, other),
            try !FocusPersonStore.isBlocked(tx, between: user, other)
        else { throw FocusError.notFound }
    }

    private func insert(_ tx: PostgresTransaction, _ other: UserID, by user: UserID) throws {
        guard try follows.count(tx, by: user) < Self.maxFollows else { throw FocusError.followLimitReached }
        let limit = RateLimit(
            scope: "focus.follow.day", subject: user.rawValue.uuidString, limit: Self.newFollowsPerDay,
            per: .seconds(86_400))
        try rates.check(tx, [limit])
        try follows.insert(tx, by: user, of: other)
    }
}
