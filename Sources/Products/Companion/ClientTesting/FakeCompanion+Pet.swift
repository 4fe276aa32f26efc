import CompanionClient
import DaylyClientTesting
import CompanionAPI
import DaylyAPI
import DaylyClient
import Foundation

/// The pet is always well, because the time of a ``FakeService`` stands still.
extension FakeCompanion {
    mutating func answerPet(
        _ operation: DaylyClient.Operation?, _ request: TransportRequest
    ) -> StubAnswer {
        switch operation {
        case .getCompanionCatalog: return .json(self.catalog)
        case .getCompanionWallet: return .json(self.wallet)
        case .listCompanionLedger: return .json(CompanionLedgerPage(entries: [], cursor: nil))
        case .listCompanionMemorials: return .json(CompanionMemorialPage(memorials: [], cursor: nil))
        case .deleteCompanionDevice, .deleteCompanionMemorial: return .done
        case .buyCompanionCosmetic: return buy(request)
        case .redeemCompanionPurchase: return .problem(422, .invalidReceipt)
        case .adoptCompanionPet:
            guard self.pet == nil else { return .problem(409, .petExists) }
            let pet = newPet(
                body(request, CompanionNewPet.self) ?? CompanionNewPet(species: "cat", name: "Miso"))
            self.pet = pet
            return .json(pet, status: 201)
        default: return self.pet.map { answer(operation, $0, request) } ?? .problem(404, .notFound)
        }
    }

    private mutating func answer(
        _ operation: DaylyClient.Operation?, _ pet: CompanionPet, _ request: TransportRequest
    ) -> StubAnswer {
        var pet = pet
        switch operation {
        case .feedCompanionPet: return feed(&pet, request)
        case .cureCompanionPet, .reviveCompanionPet, .restartCompanionPet:
            return .problem(409, .wrongPetState)
        case .renameCompanionPet: pet.name = body(request, CompanionPetName.self)?.name ?? pet.name
        case .putCompanionOutfit:
            let items = body(request, CompanionOutfit.self)?.items ?? []
            guard self.owned.isSuperset(of: items) else { return .problem(409, .notOwned) }
            pet.outfit = items.sorted()
        default: break
        }
        self.pet = pet
        return .json(pet)
    }

    private mutating func feed(_ pet: inout CompanionPet, _ request: TransportRequest) -> StubAnswer {
        let id = body(request, CompanionMeal.self)?.itemID
        guard let food = self.catalog.foods.first(where: { $0.id == id }) else {
            return .problem(404, .notFound)
        }
        guard self.wallet.energy >= food.energy else { return .problem(409, .notEnoughEnergy) }
        self.wallet.energy -= food.energy
        pet.fullness = min(100, pet.fullness + food.fullness)
        pet.mood = min(10, pet.mood + food.mood)
        pet.fedEnergy += food.energy
        pet.fedToday = pet.fedEnergy >= 100
        self.pet = pet
        return .json(CompanionPetAndWallet(pet: pet, wallet: self.wallet))
    }

    private mutating func buy(_ request: TransportRequest) -> StubAnswer {
        let id = request.url.lastPathComponent
        guard let cosmetic = self.catalog.cosmetics.first(where: { $0.id == id }) else {
            return .problem(404, .notFound)
        }
        guard !cosmetic.owned else { return .problem(409, .alreadyOwned) }
        if body(request, CompanionCosmeticPurchase.self)?.currency == "gems" {
            guard let gems = cosmetic.gems else { return .problem(400, .invalidRequest) }
            guard self.wallet.gems >= gems else { return .problem(409, .notEnoughGems) }
            self.wallet.gems -= gems
        } else {
            guard let energy = cosmetic.energy else { return .problem(400, .invalidRequest) }
            guard self.wallet.energy >= energy else { return .problem(409, .notEnoughEnergy) }
            self.wallet.energy -= energy
        }
        self.owned.insert(id)
        var bought = cosmetic
        bought.owned = true
        return .json(CompanionCosmeticAndWallet(cosmetic: bought, wallet: self.wallet))
    }
}
