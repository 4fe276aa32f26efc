import CompanionAPI
import Auth
import CompanionRules
import DaylyAPI
import DeviceIntake
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import PhoneService
import StoreReceipts

/// `/v1/companion/pet`, its food and its outfit.
struct CompanionPetRoutes: Sendable {
    let service: CompanionPetService
    let tokens: AppAccountToken

    var routes: [Route] {
        [
            Route(.get, "companion/pet", use: get),
            Route(.post, "companion/pet", use: adopt),
            Route(.patch, "companion/pet", use: rename),
            Route(.post, "companion/pet/feed", use: feed),
            Route(.put, "companion/pet/outfit", use: dress),
        ]
    }

    private func get(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionPet> {
        ConditionalJSON(CompanionPet(try await service.pet(of: context.requireUser())))
    }

    private func adopt(_ request: Request, _ context: AppContext) async throws -> Reply<CompanionPet> {
        let user = try context.requireUser()
        let (body, call) = try await request.decodeKeyedJSON(CompanionNewPet.self, context: context)
        return try await service.adopt(CompanionPetDraft(body), call, by: user).reply(CompanionPet.init)
    }

    private func rename(_ request: Request, _ context: AppContext) async throws -> Reply<CompanionPet> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(CompanionPetName.self, context: context)
        let name = try CompanionPetDraft.name(body.name)
        return Reply(CompanionPet(try await service.rename(to: name, by: user)))
    }

    private func feed(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<CompanionPetAndWallet> {
        let user = try context.requireUser()
        let (body, call) = try await request.decodeKeyedJSON(CompanionMeal.self, context: context)
        let paid = try await service.feed(body.itemID, call, by: user)
        return Reply(CompanionPetAndWallet(paid, token: tokens.make(for: user.rawValue)))
    }

    private func dress(_ request: Request, _ context: AppContext) async throws -> Reply<CompanionPet> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(CompanionOutfit.self, context: context)
        return Reply(CompanionPet(try await service.dress(in: body.items, by: user)))
    }
}

extension CompanionPetDraft {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: CompanionNewPet) throws(InputFault) {
        guard let species = Species(rawValue: body.species) else {
            throw InputFault("/species", "must be cat or dog")
        }
        self.init(species: species, name: try Self.name(body.name))
    }

    /// - Throws: 400.
    static func name(_ text: String) throws(InputFault) -> String {
        do { return try DisplayName(checking: text).rawValue } catch {
            throw InputFault("/name", error.rule)
        }
    }
}

extension CompanionPet {
    init(_ view: CompanionPetView) {
        let (state, pet) = (view.state, view.state.pet)
        self.init(
            id: state.id.resourceID, species: state.species.rawValue, name: state.name,
            health: pet.health.rawValue,
            fragileUntil: pet.fragileUntil.flatMap { $0 > view.now ? Date(instant: $0) : nil },
            unfedDays: pet.unfedDays, fedToday: pet.isFed(view.rules), fedEnergy: pet.foodEnergy,
            buff: Double(pet.buff(at: view.now)) / 1_000, fullness: pet.fullness, mood: pet.mood,
            growth: pet.growth, stage: pet.stage.rawValue, bornOn: isoText(day: pet.bornOn),
            diedOn: pet.diedOn.map { isoText(day: $0) }, outfit: state.outfit)
    }
}

extension CompanionPetAndWallet {
    init(_ payment: CompanionPetPayment, token: UUID) {
        self.init(pet: CompanionPet(payment.pet), wallet: CompanionWallet(payment.balances, token: token))
    }
}
