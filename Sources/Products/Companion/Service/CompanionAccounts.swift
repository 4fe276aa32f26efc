import CompanionRules
import FeatureKit
import Foundation
import Notifications
import Postgres

/// Finds the accounts that have joined. Every call of Companion begins here, so that what is due is done before anything
/// else, and no answer depends on how late a job is.
struct CompanionAccounts: Sendable {
    let postgres: PostgresClient
    let roll: CompanionRoll

    init(_ settings: CompanionSettings, postgres: PostgresClient, notifications: NotificationOutbox) {
        self.postgres = postgres
        let rules = settings.petRules
        roll = CompanionRoll(
            resets: CompanionPetResets(
                rules: rules, totals: CompanionTotals(),
                notices: CompanionPetNotices(outbox: notifications, rules: rules)))
    }

    /// Locks the row of `companion_settings` until the end of the transaction, so that an account's changes run one after
    /// the other, and does what is due. In the order of locks the row comes after users and before every other row of
    /// Companion.
    ///
    /// - Throws: `CompanionError.notJoined`.
    func requireLocked(_ tx: PostgresTransaction, _ user: UserID) throws -> CompanionOwner {
        guard let owner = try lock(tx, user) else { throw CompanionError.notJoined }
        return owner
    }

    /// As ``requireLocked(_:_:)``; nil for whoever has not joined.
    func lock(_ tx: PostgresTransaction, _ user: UserID) throws -> CompanionOwner? {
        guard try CompanionOwnerStore.lock(tx, user) else { return nil }
        return try takeLocked(tx, [user]).first
    }

    /// Locks the row without doing what is due, for whoever leaves.
    ///
    /// - Returns: false for whoever has not joined.
    func lockAsIs(_ tx: PostgresTransaction, _ user: UserID) throws -> Bool {
        try CompanionOwnerStore.lock(tx, user)
    }

    /// Does what is due for accounts whose rows of `companion_settings` the caller has locked. Days that have ended never begin
    /// again, so the time needs to be agreed.
    ///
    /// - Returns: the accounts afterwards, without those that have left.
    @discardableResult
    func takeLocked(_ tx: PostgresTransaction, _ users: [UserID]) throws -> [CompanionOwner] {
        let found = try CompanionOwnerStore.find(tx, users)
        if let now = found.first?.owner.now { try tx.requireAgreed(Date(instant: now)) }
        return found.contains { $0.isDue } ? try roll.run(tx, found.map(\.owner)) : found.map(\.owner)
    }

    /// As ``lock(_:_:)``, for whoever only reads: while the time is not agreed nothing is done.
    func lockToRead(_ tx: PostgresTransaction, _ user: UserID) throws -> CompanionOwner? {
        guard try CompanionOwnerStore.lock(tx, user),
            let found = try CompanionOwnerStore.find(tx, [user]).first?.owner
        else {
            return nil
        }
        return tx.isAgreed(Date(instant: found.now)) ? try takeLocked(tx, [user]).first : found
    }

    /// Reads in one transaction. Only if something is due it is done first, under the lock.
    ///
    /// - Throws: `CompanionError.notJoined`.
    func read<Value: Sendable>(
        _ user: UserID,
        _ body: @Sendable @escaping (PostgresTransaction, CompanionOwner) throws -> Value
    ) async throws -> Value {
        try await postgres.transaction { tx in
            guard let found = try CompanionOwnerStore.find(tx, [user]).first,
                let owner = found.isDue ? try lockToRead(tx, user) : found.owner
            else { throw CompanionError.notJoined }
            return try body(tx, owner)
        }
    }

    /// Notes that the account has a pet, whose days the job `companion_roll` ends in time. The account is locked.
    func setHasPet(_ tx: PostgresTransaction, _ hasPet: Bool, of user: UserID) throws {
        try CompanionOwnerStore.setHasPet(tx, hasPet, of: user)
    }
}
