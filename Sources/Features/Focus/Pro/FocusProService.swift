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
    let rates: RateLimits
    let signals: FocusSignals

    /// Takes a signed transaction, whose end raises the end of Pro. Sent again, it changes nothing.
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
            let transaction = try await verified(jws, of: user)
            return try await count(transaction, for: user)
        } catch is InvalidReceipt {
            try await postgres.transaction { tx in try rates.count(tx, [limit]) }
            throw FocusError.invalidReceipt
        }
    }

    private func verified(_ jws: String, of user: UserID) async throws(InvalidReceipt) -> StoreTransaction {
        let transaction = try await receipts.transaction(jws)
        guard products.contains(transaction.productID), transaction.quantity >= 1 else {
            throw InvalidReceipt(.product)
        }
        guard let token = transaction.accountToken, receipts.tokens.isValid(token, of: user.rawValue) else {
            throw InvalidReceipt(.account)
        }
        return transaction
    }

    private func count(_ transaction: StoreTransaction, for user: UserID) async throws -> Date? {
        guard let expiresAt = transaction.expiresAt else { throw InvalidReceipt(.product) }
        return try await postgres.transaction { tx in
            _ = try members.requireLocked(tx, user)
            // A purchase that the store has taken back counts for the account that has it already, and for no other one.
            if transaction.revokedAt != nil, try !FocusProStore.isClaimed(tx, transaction.id, by: user) {
                throw InvalidReceipt(.revoked)
            }
            let isNew = try FocusProStore.claim(
                tx, transaction.id, product: transaction.productID, expiresAt: expiresAt, for: user)
            if isNew {
                try FocusProStore.raise(tx, to: expiresAt, of: user)
                try signals.nowChanged(tx, user)
            }
            return try FocusProStore.end(tx, of: user)
        }
    }
}
