import CompanionAPI
import DaylyClient
import DaylyAPI
import Foundation

extension CompanionRepository {
    /// Foods for the pet, cosmetics and recoveries, with the prices of now.
    public func catalog(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<CompanionCatalog> {
        try await calls.getIfChanged(.getCompanionCatalog, unless: version)
    }

    /// Buys a cosmetic for good.
    ///
    /// - Parameters:
    ///   - cosmetic: its id.
    ///   - currency: `energy` or `gems`.
    ///   - key: the app's id for this purchase. The same key again buys nothing more.
    /// - Throws: `not_found`, `already_owned`, `out_of_season`; `invalid_request` where the currency does not buy it;
    ///   `not_enough_energy`, `not_enough_gems`.
    public func buy(
        _ cosmetic: String, for currency: String, key: UUID = UUID()
    ) async throws(DaylyError) -> CompanionCosmeticAndWallet {
        try await calls.get(
            .buyCompanionCosmetic, path: [cosmetic], json: CompanionCosmeticPurchase(currency: currency),
            headers: .key(key))
    }

    /// Replaces what the pet wears, at most one thing of each category.
    ///
    /// - Throws: `not_found` without a pet; `not_owned`; `invalid_request` for two of one category.
    public func dress(in items: [String]) async throws(DaylyError) -> CompanionPet {
        try await calls.get(.putCompanionOutfit, json: CompanionOutfit(items: items))
    }

    // MARK: Energy and gems

    public func wallet(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<CompanionWallet> {
        try await calls.getIfChanged(.getCompanionWallet, unless: version)
    }

    /// The changes of the wallet, newest first, 50 at a time.
    public func ledger(after cursor: String? = nil) async throws(DaylyError) -> CompanionLedgerPage {
        try await calls.get(.listCompanionLedger, query: [("cursor", cursor)])
    }

    /// Claims bought gems by the signed transaction that StoreKit gives. The purchase must carry the wallet's
    /// `appAccountToken`. An app may send its transactions at every start: each is credited once.
    ///
    /// - Throws: `invalid_receipt`, `purchase_claimed`.
    public func claim(signedTransaction: String) async throws(DaylyError) -> CompanionPurchaseAnswer {
        try await calls.get(
            .redeemCompanionPurchase, json: CompanionPurchase(signedTransaction: signedTransaction))
    }
}
