import CompanionRules

/// A cosmetic that an owner has bought.
struct CompanionOwnedCosmetic: Sendable, Equatable {
    let id: String
    let currency: Currency
    /// The price that was paid.
    let price: Int
}

/// A cosmetic of the catalogue, as an owner sees it.
struct CompanionCosmeticView: Sendable, Equatable {
    let cosmetic: Cosmetic
    let isOwned: Bool
    let isAvailable: Bool

    init(_ cosmetic: Cosmetic, isOwned: Bool, now: Instant) {
        self.cosmetic = cosmetic
        self.isOwned = isOwned
        isAvailable = cosmetic.isAvailable(at: now)
    }
}
