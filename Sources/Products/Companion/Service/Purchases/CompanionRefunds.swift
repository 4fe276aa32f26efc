import CompanionRules
import FeatureKit
import Postgres
import StoreReceipts

/// Takes back what a purchase gave, after the store has given the money back.
struct CompanionRefunds: Sendable {
    let accounts: CompanionAccounts
    let codes: TransactionCodes
    let totals = CompanionTotals()

    /// Counts the refund of a transaction once.
    ///
    /// - Returns: false if the transaction was credited, or its owner left, just now: the caller tries again.
    func refund(_ tx: PostgresTransaction, _ id: String) throws -> Bool {
        guard let purchase = try CompanionPurchaseStore.find(tx, id) else {
            let claim = try CompanionPurchaseStore.claim(tx, codes.codes(of: id), isRefused: true)
            return try claim != .credited || CompanionPurchaseStore.find(tx, id) == nil
        }
        let owner: CompanionOwner
        do {
            owner = try accounts.requireLocked(tx, purchase.user)
        } catch CompanionError.notJoined {
            return false
        }
        try refund(tx, purchase, of: owner)
        return true
    }

    /// - Parameter owner: has the purchase, and is locked.
    func refund(
        _ tx: PostgresTransaction, _ purchase: CompanionCreditedPurchase, of owner: CompanionOwner
    ) throws {
        guard try CompanionPurchaseStore.refund(tx, purchase.id) else { return }
        let bought = try CompanionCosmeticStore.boughtForGems(tx, by: owner.user, after: purchase.place)
        let effect = RefundEffect(
            credited: purchase.gems, gems: try CompanionWallets.balances(tx, of: owner.user).gems,
            boughtAfter: bought)
        try CompanionWallets.takeBack(
            tx, CompanionPosting(purchase.gems, .gems, .refund, ref: purchase.id), of: owner.user)
        try takeBack(tx, effect.takenBack, from: owner.user)
        try totals.add(tx, [.refund])
    }

    private func takeBack(
        _ tx: PostgresTransaction, _ cosmetics: [GemCosmetic], from user: UserID
    ) throws {
        guard !cosmetics.isEmpty else { return }
        for cosmetic in cosmetics {
            try CompanionWallets.credit(
                tx, CompanionPosting(cosmetic.gems, .gems, .rollback, ref: cosmetic.id), of: user)
        }
        let ids = cosmetics.map(\.id)
        try CompanionCosmeticStore.delete(tx, ids, of: user)
        try CompanionPetStore.takeOff(tx, ids, of: user)
        CompanionHints.petChanged(tx, of: user)
    }
}
