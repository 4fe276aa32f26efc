import FeatureKit
import FocusRules
import Foundation
import Postgres
import RateLimiting
import StoreReceipts

/// Focus Pro, by purchases in the App Store.
struct FocusProService: Sendable {
    private static let badReceiptsPerHour = 20

    let postgres: PostgresClient
    let members: FocusMemberStore
    let receipts: ReceiptVerifier
    let products: Set<String>
    let codes: TransactionCodes
    let rates: RateLimits

    /// Takes a signed transaction, whose end raises the end of Pro, or the refund of one. Sent again, it changes nothing.
    ///
    /// - Returns: the end of Pro afterwards.
    /// - Throws: `FocusError.invalidReceipt`, `.purchaseClaimed`; `RateLimited` after too many invalid ones.
    func redeem(_ jws: String, by user: UserID) async throws -> Date? {
        let limit = RateLimit(
            scope: "focus.receipt.hour", subject: user.rawValue.uuidString, limit: Self.badReceiptsPerHour,
            per: .seconds(3_600))
        try await postgres.transaction { tx in
            _ = try members.require(tx, user)
            if let refusal = try rates.exceeded(tx, [limit]) { throw refusal }
        }
        do {
            return try await count(try await receipts.transaction(jws, of: user.rawValue), for: user)
        } catch is InvalidReceipt {
            try await postgres.transaction { tx in try rates.count(tx, [limit]) }
            throw FocusError.invalidReceipt
        }
    }

    /// Takes a notification of the App Store. Only one about a purchase that does not count any more changes something.
    func take(_ notification: StoreNotification) async throws {
        // Things that have no end are sold by other products.
        guard notification.isRevocation, let transaction = notification.transaction,
            transaction.expiresAt != nil
        else { return }
        try await postgres.transaction { tx in
            try FocusProStore.lock(tx, transaction.id)
            try FocusProStore.remember(tx, codes.codes(of: transaction.id))
            guard let owner = try FocusProStore.owner(tx, transaction.id) else { return }
            do {
                _ = try members.requireLocked(tx, owner)
            } catch FocusError.notJoined {
                // The owner left just now, and their purchases with them.
                return
            }
            try revoke(tx, transaction.id, of: owner)
        }
    }

    private func count(_ transaction: StoreTransaction, for user: UserID) async throws -> Date? {
        try await postgres.transaction { tx in
            try FocusProStore.lock(tx, transaction.id)
            _ = try members.requireLocked(tx, user)
            if let owner = try FocusProStore.owner(tx, transaction.id) {
                guard owner == user else { throw FocusError.purchaseClaimed }
                if transaction.revokedAt != nil {
                    try FocusProStore.remember(tx, codes.codes(of: transaction.id))
                    try revoke(tx, transaction.id, of: user)
                }
            } else {
                try claim(tx, transaction, for: user)
            }
            return try FocusProStore.end(tx, of: user)
        }
    }

    private func claim(
        _ tx: PostgresTransaction, _ transaction: StoreTransaction, for user: UserID
    ) throws {
        guard products.contains(transaction.productID), transaction.quantity >= 1,
            let expiresAt = transaction.expiresAt
        else { throw InvalidReceipt(.product) }
        // A renewal carries the token of the subscription's first purchase, whose secret may not be in force any more.
        guard
            try receipts.tokens.name(transaction, user: user.rawValue)
                || FocusProStore.renews(tx, transaction, of: user)
        else { throw InvalidReceipt(.account) }
        guard transaction.revokedAt == nil,
            try !FocusProStore.isRemembered(tx, codes.codes(of: transaction.id))
        else { throw InvalidReceipt(.revoked) }
        try FocusProStore.insert(tx, transaction, expiresAt: expiresAt, for: user)
        try refresh(tx, of: user)
    }

    private func revoke(_ tx: PostgresTransaction, _ id: String, of user: UserID) throws {
        guard try FocusProStore.revoke(tx, id) else { return }
        try refresh(tx, of: user)
    }

    private func refresh(_ tx: PostgresTransaction, of user: UserID) throws {
        try FocusProStore.refresh(tx, of: user)
        FocusHints().nowChanged(tx, of: user)
    }
}
