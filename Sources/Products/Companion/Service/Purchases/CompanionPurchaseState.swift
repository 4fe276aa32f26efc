import FeatureKit
import KeyDerivation
import StoreReceipts

/// The products of the App Store and the gems that each gives (`companion.products`).
struct CompanionProducts: Sendable {
    private let gems: [String: Int]

    /// - Parameter gems: by product id.
    init(_ gems: [String: Int]) { self.gems = gems }

    /// The credit of a transaction; nil if the service does not sell such a product, or not so much of it.
    func credit(of transaction: StoreTransaction) -> Int? {
        guard let price = gems[transaction.productID], transaction.quantity >= 1 else { return nil }
        let (credit, isTooGreat) = price.multipliedReportingOverflow(by: transaction.quantity)
        return isTooGreat || credit > Self.greatestCredit ? nil : credit
    }

    /// More than this no purchase gives, so that no sum of gems overflows.
    private static let greatestCredit = 1_000_000_000
}

/// A transaction that was credited to an owner.
struct CompanionCreditedPurchase: Sendable, Equatable {
    let id: String
    let user: UserID
    let gems: Int
    /// In the order of the owner's purchases and cosmetics.
    let place: Int
}

extension TransactionCodes {
    /// The codes of `companion_claims`.
    static func companion(_ secret: some SecretSource) -> Self {
        Self(secret: secret, for: "dayly companion transactions v1")
    }
}

/// The knowledge that the service has of a transaction that no owner has at present.
enum CompanionClaim: Sendable, Equatable {
    /// Nothing, until now.
    case new
    /// It was credited to an account.
    case credited
    /// It was taken back before it was credited.
    case refused
}
