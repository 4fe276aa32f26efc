import Foundation

/// `POST /v1/companion/cosmetics/{id}`.
public struct CompanionCosmeticPurchase: Codable, Sendable {
    /// `energy` or `gems`.
    public var currency: String

    public init(currency: String) {
        self.currency = currency
    }
}

/// `POST /v1/companion/purchases`.
public struct CompanionPurchase: Codable, Sendable {
    /// The signed transaction of the App Store, as StoreKit gives it.
    public var signedTransaction: String

    public init(signedTransaction: String) {
        self.signedTransaction = signedTransaction
    }

    enum CodingKeys: String, CodingKey {
        case signedTransaction = "signed_transaction"
    }
}

/// `POST /v1/companion/store-notifications`, which only the App Store sends.
public struct CompanionStoreNotification: Codable, Sendable {
    /// Apple's own name for it, without an underscore.
    public var signedPayload: String

    public init(signedPayload: String) {
        self.signedPayload = signedPayload
    }
}

/// `GET /v1/companion/flags`.
public struct CompanionFlags: Codable, Sendable, Equatable {
    public var flags: [CompanionFlag]

    public init(flags: [CompanionFlag]) {
        self.flags = flags
    }
}

/// A feature that an operator switches on or off for all clients.
public struct CompanionFlag: Codable, Sendable, Equatable {
    public var key: String
    public var enabled: Bool

    public init(key: String, enabled: Bool) {
        self.key = key
        self.enabled = enabled
    }
}
