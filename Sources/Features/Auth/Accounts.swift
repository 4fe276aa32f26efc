import FeatureKit
import Foundation
import HTTPKit
import Postgres

/// Users and their sessions, for the features that use Auth.
///
/// It is apart from `AuthFeature`, because that one needs the other features in turn: deleting, renaming and exporting an
/// account runs their hooks. The composition root builds `Accounts` first and `AuthFeature` last.
package struct Accounts: Sendable {
    package let authenticator: Authenticator
    /// Reads phone numbers of the countries that the service sends to.
    package let phoneNumbers: PhoneNumberParser
    let tokens: AccessTokens
    private let users: UserStore
    private let reviewers: [ReviewNumber]

    /// - Parameters:
    ///   - countries: see `PhoneNumberParser`.
    ///   - reviewers: the numbers of app stores' reviewers.
    package init(
        postgres: PostgresClient, tokens: AccessTokens, countries: [String] = [],
        reviewers: [ReviewNumber] = [], callers: CallerLimits = CallerLimits()
    ) {
        authenticator = Authenticator(postgres: postgres, tokens: tokens, callers: callers)
        phoneNumbers = PhoneNumberParser(countries: countries)
        self.tokens = tokens
        users = UserStore(postgres: postgres)
        self.reviewers = reviewers
    }

    /// Whether the user reviews the app for an app store at present, by PostgreSQL's clock.
    ///
    /// - Throws: `AuthError.userGone` (401) when the account was deleted.
    package func isReviewer(_ id: UserID) async throws -> Bool {
        guard !reviewers.isEmpty else { return false }
        return try await users.postgres.transaction { tx in
            let (number, now) = (try users.require(tx, id).phoneNumber, try tx.now())
            return reviewers.contains { $0.number == number && $0.isOpen(at: now) }
        }
    }

    /// - Throws: `AuthError.userGone` (401) when the account was deleted.
    package func require(_ id: UserID) async throws -> UserProfile {
        try await users.require(id)
    }

    /// - Throws: `AuthError.userGone` (401) when the account was deleted.
    package func require(_ tx: PostgresTransaction, _ id: UserID) throws -> UserProfile {
        try users.require(tx, id)
    }

    /// Locks the user's row until the end of the transaction, so that transactions which count something of one user run
    /// one after the other. Users come first in the order of locks.
    ///
    /// - Throws: `AuthError.userGone` (401) when the account was deleted.
    @discardableResult
    package func requireLocked(_ tx: PostgresTransaction, _ id: UserID) throws -> UserProfile {
        try users.requireLocked(tx, id)
    }

    /// Locks the rows of several users in the order of their ids.
    ///
    /// - Returns: the users that exist.
    package func lockIfPresent(_ tx: PostgresTransaction, _ ids: [UserID]) throws -> [UserProfile] {
        try users.lockIfPresent(tx, ids)
    }

    /// One page of users, in the order of their ids, with the digests by which the journal of erasures knows them.
    package func digests(after: UUID, limit: Int) async throws -> [(UserID, PhoneNumber, [UInt8])] {
        try await users.digests(after: after, limit: limit)
    }
}
