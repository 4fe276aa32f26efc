import DaylyAPI
import Foundation

/// `POST /v1/focus/pro`.
public struct FocusPurchase: Codable, Sendable {
    /// The signed transaction of the App Store, as StoreKit gives it.
    public var signedTransaction: String

    public init(signedTransaction: String) {
        self.signedTransaction = signedTransaction
    }

    enum CodingKeys: String, CodingKey {
        case signedTransaction = "signed_transaction"
    }
}

/// The answer to a `FocusPurchase`.
public struct FocusPro: Codable, Sendable {
    @Nullable public var proUntil: Date?

    public init(proUntil: Date?) {
        self._proUntil = Nullable(wrappedValue: proUntil)
    }

    enum CodingKeys: String, CodingKey {
        case proUntil = "pro_until"
    }
}
