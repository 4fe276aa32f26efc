import CompanionAPI
import CompanionRules
import DaylyAPI
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import StoreReceipts

/// `POST /v1/companion/pet/cure`, `/revive` and `/restart`.
struct CompanionRecoveryRoutes: Sendable {
    let service: CompanionRecoveryService
    let tokens: AppAccountToken

    var routes: [Route] {
        [
            Route(.post, "companion/pet/cure") { try await recover(.cure, $0, $1) },
            Route(.post, "companion/pet/revive") { try await recover(.revive, $0, $1) },
            Route(.post, "companion/pet/restart", use: restart),
        ]
    }

    private func recover(
        _ recovery: CompanionRecoveryWish, _ request: Request, _ context: AppContext
    ) async throws -> Reply<CompanionPetAndWallet> {
        let (_, call) = try await request.decodeKeyedJSON(CompanionRecoveryRequest.self, context: context)
        return try await take(recovery, call, context)
    }

    private func restart(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<CompanionPetAndWallet> {
        let (body, call) = try await request.decodeKeyedJSON(CompanionNewPet.self, context: context)
        return try await take(.restart(CompanionPetDraft(body)), call, context)
    }

    private func take(
        _ recovery: CompanionRecoveryWish, _ call: RepeatableCall, _ context: AppContext
    ) async throws -> Reply<CompanionPetAndWallet> {
        let user = try context.requireUser()
        let payment = try await service.take(recovery, call, by: user)
        return Reply(CompanionPetAndWallet(payment, token: tokens.make(for: user.rawValue)))
    }
}

extension CompanionRecovery {
    init(_ offers: CompanionRecoveryState) {
        let restart = offers[.restart]
        self.init(
            cure: CompanionRecoveryOffer(offers[.cure]), revive: CompanionRecoveryOffer(offers[.revive]),
            restart: CompanionRestartOffer(
                gems: restart.gems, retryAt: restart.retryAt.map(Date.init(instant:)),
                freeAt: restart.freeAt.map(Date.init(instant:))))
    }
}

extension CompanionRecoveryOffer {
    fileprivate init(_ terms: CompanionRecoveryTerms) {
        self.init(gems: terms.gems, retryAt: terms.retryAt.map(Date.init(instant:)))
    }
}
