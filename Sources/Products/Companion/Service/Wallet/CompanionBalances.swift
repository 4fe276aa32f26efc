import CompanionRules

/// The balances that an owner can pay with.
struct CompanionBalances: Sendable, Equatable {
    /// The balances of an owner who has never had anything.
    static let none = CompanionBalances(energy: 0, gems: 0)

    /// Never below 0.
    let energy: Int
    /// Below 0 only after a refund.
    let gems: Int

    subscript(currency: Currency) -> Int {
        switch currency {
        case .energy: energy
        case .gems: gems
        }
    }
}

/// A change of a wallet that is to be made.
struct CompanionPosting: Sendable, Equatable {
    /// How much the balance rises or falls by. More than 0.
    let amount: Int
    let currency: Currency
    let kind: LedgerKind
    /// The reason: the day of an award, the food, the cosmetic, the pet's id or that of the transaction.
    let ref: String

    init(_ amount: Int, _ currency: Currency, _ kind: LedgerKind, ref: String) {
        self.amount = amount
        self.currency = currency
        self.kind = kind
        self.ref = ref
    }
}
