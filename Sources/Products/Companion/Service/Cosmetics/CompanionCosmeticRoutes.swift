import CompanionAPI
import CompanionRules
import DaylyAPI
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import PhoneService
import StoreReceipts

/// `POST /v1/companion/cosmetics/{id}`.
struct CompanionCosmeticRoutes: Sendable {
    let service: CompanionCosmeticService
    let tokens: AppAccountToken

    var routes: [Route] { [Route(.post, "companion/cosmetics/:id", use: buy)] }

    private func buy(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<CompanionCosmeticAndWallet> {
        let user = try context.requireUser()
        let id = try context.requireParameter("id")
        let (body, call) = try await request.decodeKeyedJSON(CompanionCosmeticPurchase.self, context: context)
        guard let currency = Currency(rawValue: body.currency) else {
            throw InputFault("/currency", "must be energy or gems")
        }
        let sale = try await service.buy(id, for: currency, call, by: user)
        return Reply(
            CompanionCosmeticAndWallet(
                cosmetic: CompanionCosmetic(sale.cosmetic),
                wallet: CompanionWallet(sale.balances, token: tokens.make(for: user.rawValue))))
    }
}

extension CompanionCosmetic {
    init(_ view: CompanionCosmeticView) {
        let cosmetic = view.cosmetic
        self.init(
            id: cosmetic.id, title: cosmetic.title, category: cosmetic.category, energy: cosmetic.energy,
            gems: cosmetic.gems, from: cosmetic.from.map(Date.init(instant:)),
            to: cosmetic.to.map(Date.init(instant:)), owned: view.isOwned, available: view.isAvailable)
    }
}
