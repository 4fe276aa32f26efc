import FeatureKit
import HTTPKit

/// The rooms in which everything is sold: catalogue, cosmetics, purchases and flags.
struct CompanionShop: Sendable {
    let catalogue: CompanionCatalogueService
    let cosmetics: CompanionCosmeticService
    let purchases: CompanionPurchaseService
    private let flags: CompanionFlagStore

    init(_ core: CompanionCore) {
        let (postgres, accounts) = (core.postgres, core.accounts)
        catalogue = CompanionCatalogueService(accounts: accounts, recoveries: CompanionRecoveryRoom())
        cosmetics = CompanionCosmeticService(postgres: postgres, accounts: accounts)
        purchases = CompanionPurchaseService(
            postgres: postgres, accounts: accounts,
            refunds: CompanionRefunds(
                accounts: accounts, codes: .companion(core.platform.secrets)),
            receipts: core.receipts, products: CompanionProducts(core.settings.products),
            rates: core.platform.rates, listeners: core.storeListeners)
        flags = CompanionFlagStore(postgres: postgres)
    }

    var routes: [Route] {
        CompanionCatalogueRoutes(service: catalogue).routes
            + CompanionCosmeticRoutes(service: cosmetics, tokens: purchases.receipts.tokens).routes
            + CompanionPurchaseRoutes(service: purchases).routes + CompanionFlagRoutes(store: flags).routes
    }

    static let exports: [UserDataExport] = [CompanionCosmeticStore.export, CompanionPurchaseStore.export]
}
