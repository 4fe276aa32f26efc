import Foundation

/// The answer to a `CompanionCosmeticPurchase`.
public struct CompanionCosmeticAndWallet: Codable, Sendable, Equatable {
    public var cosmetic: CompanionCosmetic
    public var wallet: CompanionWallet

    public init(cosmetic: CompanionCosmetic, wallet: CompanionWallet) {
        self.cosmetic = cosmetic
        self.wallet = wallet
    }
}

/// The answer to a `CompanionPurchase`.
public struct CompanionPurchaseAnswer: Codable, Sendable, Equatable {
    public var wallet: CompanionWallet
    /// The App Store's id of the transaction.
    public var transactionID: String

    public init(wallet: CompanionWallet, transactionID: String) {
        self.wallet = wallet
        self.transactionID = transactionID
    }

    enum CodingKeys: String, CodingKey {
        case wallet
        case transactionID = "transaction_id"
    }
}
