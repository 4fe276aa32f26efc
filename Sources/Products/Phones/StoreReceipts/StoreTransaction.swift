import Foundation

/// A purchase, as the App Store has signed it (JWSTransactionDecodedPayload of Apple's App Store Server API).
package struct StoreTransaction: Sendable, Hashable {
    /// The store's id of this purchase or of this renewal.
    package let id: String
    /// The id of the first purchase of a subscription, which all its renewals carry; of other purchases their own.
    package let originalID: String?
    package let productID: String
    package let quantity: Int
    package let purchasedAt: Date?
    /// The end of a subscription's period; nil for other products.
    package let expiresAt: Date?
    /// When the store took the purchase back; nil unless it did.
    package let revokedAt: Date?
    /// The token that the phone gave to the store (`AppAccountToken`); nil if it gave none.
    package let accountToken: UUID?
    /// Whether nobody paid for it: it comes from the store's sandbox.
    package let isSandbox: Bool
}

/// A message of the App Store to the service (App Store Server Notifications, version 2).
package struct StoreNotification: Sendable, Hashable {
    /// Takes part in a notification. The store repeats one whose call fails, so all may come more than once.
    package typealias Listener = @Sendable (StoreNotification) async throws -> Void

    /// Such as `REFUND`.
    package let type: String
    package let subtype: String?
    /// The transaction that the message is about, verified by itself; nil for messages without one.
    package let transaction: StoreTransaction?

    /// The store has given the money of the transaction back.
    package var isRefund: Bool { type == "REFUND" }

    /// The transaction does not count any more: it was refunded, or its buyer does not share it with their family now.
    package var isRevocation: Bool { isRefund || type == "REVOKE" }
}
