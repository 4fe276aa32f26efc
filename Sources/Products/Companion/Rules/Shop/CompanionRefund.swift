/// A cosmetic that is owned and was bought for gems.
package struct GemCosmetic: Hashable, Sendable {
    package let id: String
    /// The price that was paid.
    package let gems: Int

    package init(id: String, gems: Int) {
        self.id = id
        self.gems = gems
    }
}

/// The effect of a refund.
package struct RefundEffect: Hashable, Sendable {
    /// In the order of their entries in the ledger. Each pays its price back and leaves the outfit.
    package private(set) var takenBack: [GemCosmetic]
    /// The balance afterwards. The account owes gems while it is below 0.
    package private(set) var gems: Int

    /// - Parameters:
    ///   - credited: the gems of the purchase that is refunded.
    ///   - gems: the balance before.
    ///   - boughtAfter: the cosmetics that were bought after that purchase, in the order of the ledger.
    package init(credited: Int, gems: Int, boughtAfter: [GemCosmetic]) {
        takenBack = []
        self.gems = gems - credited
        for cosmetic in boughtAfter.reversed() where self.gems < 0 {
            takenBack.append(cosmetic)
            self.gems += cosmetic.gems
        }
    }
}
