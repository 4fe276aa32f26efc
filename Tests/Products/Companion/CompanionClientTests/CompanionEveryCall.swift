import ClientFixtures
@testable import CompanionClient
import CompanionAPI
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

/// Calls every method of Companion once.
struct EveryCompanionCall {
    let companion: CompanionRepository
    private let id = ResourceID.numbered(1)

    func make() async throws {
        _ = try await companion.join(CompanionPreferencesRequest(limitMinutes: 240))
        _ = try await companion.settings()
        _ = try await companion.score(CompanionExamples.survey)
        _ = try await companion.flags()
        try await days()
        try await pet()
        try await shop()
        try await companion.leave()
    }

    private func days() async throws {
        try await companion.queue.record(.open)
        await companion.queue.settle()
        _ = try await companion.devices()
        try await companion.remove(device: id)
        _ = try await companion.day()
        _ = try await companion.day("2026-03-02")
        _ = try await companion.diary(after: "cursor")
        _ = try await companion.texts()
    }

    private func pet() async throws {
        _ = try await companion.adopt(CompanionNewPet(species: "cat", name: "Miso"))
        _ = try await companion.pet()
        _ = try await companion.renamePet(to: "Mochi")
        _ = try await companion.feed("dinner")
        _ = try await companion.cure()
        _ = try await companion.revive()
        _ = try await companion.restart(with: CompanionNewPet(species: "dog", name: "Miso"))
        _ = try await companion.memorials()
        try await companion.remove(memorial: id)
    }

    private func shop() async throws {
        _ = try await companion.catalog()
        _ = try await companion.buy("red_scarf", for: "energy")
        _ = try await companion.dress(in: ["red_scarf"])
        _ = try await companion.wallet()
        _ = try await companion.ledger(after: "cursor")
        _ = try await companion.claim(signedTransaction: "a.b.c")
    }
}

/// A good answer to each call of Companion that has one.
enum CompanionScriptedAnswers {
    private typealias Examples = CompanionExamples

    static func answer(to request: TransportRequest) -> StubAnswer {
        guard let operation = Operation.allCompanion.called(by: request) else {
            return ScriptedAnswers.answer(to: request)
        }
        return answer(to: operation)
    }

    private static func answer(to operation: DaylyClient.Operation) -> StubAnswer {
        switch operation {
        case .getCompanionSettings, .putCompanionSettings: .json(Examples.preferences)
        case .listCompanionDevices: .json(CompanionDeviceList(devices: []))
        case .scoreCompanionSurvey: .json(CompanionSurveyResult(score: 63, level: "high", years: 10.4))
        case .syncCompanion: .json(Examples.synced)
        case .getCompanionToday, .getCompanionDay: .json(Examples.day())
        case .listCompanionDiary: .json(CompanionDiary(entries: [], cursor: nil))
        case .getCompanionTexts: .json(CompanionTextPools(version: 1, pools: ["plain": ["A day."]]))
        case .getCompanionFlags: .json(CompanionFlags(flags: []))
        default: pet(operation)
        }
    }

    private static func pet(_ operation: DaylyClient.Operation?) -> StubAnswer {
        switch operation {
        case .adoptCompanionPet: .json(Examples.pet, status: 201)
        case .getCompanionPet, .renameCompanionPet, .putCompanionOutfit: .json(Examples.pet)
        case .feedCompanionPet, .cureCompanionPet, .reviveCompanionPet, .restartCompanionPet:
            .json(CompanionPetAndWallet(pet: Examples.pet, wallet: Examples.wallet))
        case .listCompanionMemorials: .json(CompanionMemorialPage(memorials: [], cursor: nil))
        case .getCompanionCatalog: .json(Examples.catalog)
        case .buyCompanionCosmetic:
            .json(CompanionCosmeticAndWallet(cosmetic: Examples.scarf, wallet: Examples.wallet))
        case .getCompanionWallet: .json(Examples.wallet)
        case .listCompanionLedger: .json(CompanionLedgerPage(entries: [], cursor: nil))
        case .redeemCompanionPurchase:
            .json(CompanionPurchaseAnswer(wallet: Examples.wallet, transactionID: "1"))
        default: .done
        }
    }
}
