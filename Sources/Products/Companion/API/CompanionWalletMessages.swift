import DaylyAPI
import Foundation

/// The balances that a user can pay with.
public struct CompanionWallet: Codable, Sendable, Equatable {
    /// Earned by using the phone less. Never below 0.
    public var energy: Int
    /// Bought in the App Store. Below 0 only after a refund.
    public var gems: Int
    /// The token that the phone gives to the App Store with a purchase.
    public var appAccountToken: ResourceID

    public init(energy: Int, gems: Int, appAccountToken: ResourceID) {
        self.energy = energy
        self.gems = gems
        self.appAccountToken = appAccountToken
    }

    enum CodingKeys: String, CodingKey {
        case energy
        case gems
        case appAccountToken = "app_account_token"
    }
}

/// A change of a user's wallet.
public struct CompanionLedgerEntry: Codable, Sendable, Equatable {
    public var id: ResourceID
    public var at: Date
    /// `energy` or `gems`.
    public var currency: String
    /// Below 0: spent.
    public var amount: Int
    /// How much of the currency the user had afterwards.
    public var balance: Int
    /// `award`, `food`, `cosmetic`, `cure`, `revive`, `restart`, `purchase`, `refund` or `rollback`.
    public var kind: String
    /// The reason: the day of an award, the food, the cosmetic, the pet's id or the id of the transaction.
    public var ref: String

    public init(
        id: ResourceID, at: Date, currency: String, amount: Int, balance: Int, kind: String, ref: String
    ) {
        self.id = id
        self.at = at
        self.currency = currency
        self.amount = amount
        self.balance = balance
        self.kind = kind
        self.ref = ref
    }
}

/// `GET /v1/companion/ledger`: newest first.
public struct CompanionLedgerPage: Codable, Sendable {
    public var entries: [CompanionLedgerEntry]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(entries: [CompanionLedgerEntry], cursor: String?) {
        self.entries = entries
        self._cursor = Nullable(wrappedValue: cursor)
    }
}
