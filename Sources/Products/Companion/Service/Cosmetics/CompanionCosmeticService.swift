import CompanionRules
import FeatureKit
import HTTPKit
import PhoneService
import Postgres

/// The sale of cosmetics. They change no number of the pet.
struct CompanionCosmeticService: Sendable {
    let postgres: PostgresClient
    let accounts: CompanionAccounts

    /// The contents of the answer to a purchase.
    struct Sale: Sendable {
        let cosmetic: CompanionCosmeticView
        let balances: CompanionBalances
    }

    private enum SaleMark {}

    /// Sells a cosmetic at the price of now. A repeated call sells nothing more.
    ///
    /// - Throws: `CompanionError.notFound`, `.alreadyOwned`, `.outOfSeason`, `.notEnoughEnergy`, `.notEnoughGems`;
    ///   `InputFault` for one that this currency does not buy; `IdempotencyKeyReused`.
    func buy(
        _ id: String, for currency: Currency, _ call: RepeatableCall, by user: UserID
    ) async throws -> Sale {
        try await postgres.transaction { tx in
            let owner = try accounts.requireLocked(tx, user)
            // The call's path is remembered, and a path of any length has no place in an index.
            guard isCatalogueID(id) else { throw CompanionError.notFound }
            let sale = try IdempotencyKeyStore.once(tx, call, of: user, id: ID<SaleMark>(.version7())) { _ in
                try sell(tx, id, for: currency, to: owner)
                return try view(tx, id, owner)
            } find: { _ in
                try view(tx, id, owner)
            }
            return sale.value
        }
    }

    private func sell(
        _ tx: PostgresTransaction, _ id: String, for currency: Currency, to owner: CompanionOwner
    ) throws {
        let cosmetic = try require(tx, id)
        guard try !CompanionCosmeticStore.owned(tx, by: owner.user).contains(id) else {
            throw CompanionError.alreadyOwned
        }
        guard cosmetic.isAvailable(at: owner.now) else { throw CompanionError.outOfSeason }
        guard let price = cosmetic.price(in: currency) else {
            throw InputFault("/currency", "this cosmetic is not sold for \(currency.rawValue)")
        }
        try CompanionWallets.spend(
            tx, CompanionPosting(price, currency, .cosmetic, ref: id), of: owner.user)
        try CompanionCosmeticStore.insert(
            tx, CompanionOwnedCosmetic(id: id, currency: currency, price: price), of: owner.user)
    }

    private func view(_ tx: PostgresTransaction, _ id: String, _ owner: CompanionOwner) throws -> Sale {
        let owned = try CompanionCosmeticStore.owned(tx, by: owner.user)
        return Sale(
            cosmetic: CompanionCosmeticView(
                try require(tx, id), isOwned: owned.contains(id), now: owner.now),
            balances: try CompanionWallets.balances(tx, of: owner.user))
    }

    private func require(_ tx: PostgresTransaction, _ id: String) throws -> Cosmetic {
        guard let cosmetic = try CompanionCatalogueStore.current(tx).catalogue.cosmetic(id) else {
            throw CompanionError.notFound
        }
        return cosmetic
    }
}
