import CompanionRules
import DaylyTesting
import Foundation
import HTTPTypes
import StoreTesting
import Testing

@testable import Companion

@Suite("Refunds of gems")
struct CompanionRefundTests {
    /// The steps before a refund.
    enum Step: Sendable {
        case purchase(String, Int)
        case cosmetic(String, Int)
        case cure(Int)
    }

    /// A row of the examples.
    struct Example: Sendable, CustomTestStringConvertible {
        let steps: [Step]
        let refunded: String
        let takenBack: [String]
        let gems: Int

        var testDescription: String { "\(steps)" }
    }

    private static let examples = [
        Example(
            steps: [.purchase("A", 100), .cosmetic("hat", 80)], refunded: "A", takenBack: ["hat"], gems: 0),
        Example(steps: [.purchase("A", 500), .cure(120)], refunded: "A", takenBack: [], gems: -120),
        Example(
            steps: [.purchase("A", 100), .cosmetic("scarf", 30), .cosmetic("hat", 40)], refunded: "A",
            takenBack: ["hat", "scarf"], gems: 0),
        Example(
            steps: [.purchase("A", 100), .cosmetic("hat", 80), .purchase("B", 100), .cure(120)],
            refunded: "B", takenBack: [], gems: -100),
        // Only as much is taken back as the debt asks for.
        Example(
            steps: [.purchase("A", 100), .purchase("B", 100), .cosmetic("scarf", 30), .cosmetic("hat", 80)],
            refunded: "A", takenBack: ["hat"], gems: 70),
    ]

    /// Guard: a refund counts once, and takes back what was bought after its purchase
    /// (`CompanionPurchaseStore.refund`, `CompanionCosmeticStore.boughtForGems`)
    @Test("the examples, by a notification and by a call", arguments: examples, [true, false])
    func example(_ example: Example, byNotification: Bool) async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            try await shop.take(example.steps, ada)
            let before = try await shop.owned(ada)
            let product = example.steps.product(example.refunded)
            let jws = try shop.revoked(example.refunded, for: ada, product)
            if byNotification {
                try await shop.notifyRefund(of: jws)
            } else {
                let answer = try await shop.redeem(jws, ada)
                #expect(answer.status == 200 && answer.wallet("gems") == example.gems, "\(answer)")
            }
            #expect(try await shop.gems(ada) == example.gems)
            #expect(try await shop.owned(ada) == before.subtracting(example.takenBack))
            let rollbacks = try await shop.ledger(ada).filter { $0.hasPrefix("rollback") }
            #expect(
                rollbacks.compactMap { $0.split(separator: " ").last.map(String.init) } == example.takenBack)
            // Counted once, in whichever way it comes again.
            let ledger = try await shop.ledger(ada)
            try await shop.notifyRefund(of: jws)
            #expect(try await shop.redeem(jws, ada).status == 200)
            #expect(try await shop.ledger(ada) == ledger)
        }
    }

    /// Guard: a refund counts once, and takes back what was bought after its purchase
    /// (`CompanionPurchaseStore.refund`, `CompanionCosmeticStore.boughtForGems`)
    @Test("many refunds of one transaction at once count once")
    func atTheSameTime() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            #expect(try await shop.redeem(try shop.transaction("t1", for: ada), ada).status == 200)
            let jws = try shop.revoked("t1", for: ada)
            let notice = try shop.store.notification("REFUND", about: jws)
            let answers = try await atOnce(8) { number in
                number % 2 == 0 ? try await shop.redeem(jws, ada) : try await shop.notify(notice)
            }
            #expect(answers.allSatisfy { [200, 204].contains($0.status) }, "\(answers)")
            #expect(try await shop.ledger(ada) == ["purchase 100 t1", "refund -100 t1"])
            #expect(try await shop.world.total("companion_refund") == 1)
        }
    }

    /// Guard: what was refunded before it was credited is refused for good
    /// (`CompanionPurchaseService.isCounted`)
    @Test("what was refunded before it was credited is refused for good", arguments: [true, false])
    func refundFirst(byNotification: Bool) async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let jws = try shop.revoked("t1", for: ada)
            if byNotification {
                try await shop.notifyRefund(of: jws)
            } else {
                #expect(try await shop.redeem(jws, ada).code == "invalid_receipt")
            }
            // The phone still has the transaction as it was before.
            for _ in 0..<2 {
                let answer = try await shop.redeem(try shop.transaction("t1", for: ada), ada)
                #expect(answer.status == 422 && answer.code == "invalid_receipt", "\(answer)")
            }
            #expect(try await shop.world.call(.delete, "settings", as: ada).status == 204)
            let joined = try await shop.world.call(
                .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 60}"#)
            #expect(joined.status == 200)
            #expect(
                try await shop.redeem(try shop.transaction("t1", for: ada), ada).code == "invalid_receipt")
            #expect(try await shop.ledger(ada) == [])
        }
    }

    @Test("a credit and its refund at once end without gems")
    func race() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            for number in 0..<10 {
                let jws = try shop.transaction("t\(number)", for: ada)
                let notice = try shop.store.notification("REFUND", about: jws)
                let answers = try await atOnce(2) {
                    $0 == 0 ? try await shop.redeem(jws, ada) : try await shop.notify(notice)
                }
                #expect(answers.map(\.status).allSatisfy { [200, 204, 422].contains($0) }, "\(answers)")
                #expect(try await shop.gems(ada) == 0)
            }
        }
    }

    @Test("while gems are owed nothing that costs gems can be bought, and energy still buys")
    func debt() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            #expect(try await shop.redeem(try shop.transaction("A", for: ada, "gems_500"), ada).status == 200)
            try await shop.spend(120, .cure, ref: "pet", by: ada)
            try await shop.notifyRefund(of: try shop.revoked("A", for: ada, "gems_500"))
            #expect(try await shop.buy("blue_bandana", for: "gems", ada).code == "not_enough_gems")
            try await shop.give(80, .energy, to: ada)
            #expect(try await shop.buy("red_scarf", for: "energy", ada).status == 200)
            // The next purchase pays the debt first.
            let answer = try await shop.redeem(try shop.transaction("B", for: ada), ada)
            #expect(answer.wallet("gems") == -20)
            #expect(try await shop.redeem(try shop.transaction("C", for: ada), ada).wallet("gems") == 80)
            #expect(try await shop.buy("blue_bandana", for: "gems", ada).status == 200)
        }
    }

    @Test("a refund takes no cosmetic that was bought for energy, and one that it took can be bought again")
    func rebuy() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            #expect(try await shop.redeem(try shop.transaction("A", for: ada), ada).status == 200)
            try await shop.give(120, .energy, to: ada)
            #expect(try await shop.buy("flower_crown", for: "energy", ada).status == 200)
            #expect(try await shop.buy("straw_hat", for: "gems", ada).status == 200)
            try await shop.notifyRefund(of: try shop.revoked("A", for: ada))
            #expect(try await shop.owned(ada) == ["flower_crown"])
            #expect(try await shop.redeem(try shop.transaction("B", for: ada), ada).wallet("gems") == 100)
            #expect(try await shop.buy("straw_hat", for: "gems", ada).status == 200)
        }
    }

    /// Guard: what a refund takes back leaves the outfit (`CompanionPetStore.takeOff`)
    @Test("what a refund takes back leaves the outfit, and nothing else does")
    func outfit() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let pet = try await shop.world.call(
                .post, "pet", as: ada, #"{"species": "cat", "name": "Miso"}"#,
                headers: [HTTPField.Name("Idempotency-Key").unsafelyUnwrapped: "k"])
            #expect(pet.status == 201, "\(pet)")
            #expect(try await shop.redeem(try shop.transaction("A", for: ada), ada).status == 200)
            try await shop.give(80, .energy, to: ada)
            #expect(try await shop.buy("red_scarf", for: "energy", ada).status == 200)
            #expect(try await shop.buy("straw_hat", for: "gems", ada).status == 200)
            let dressed = try await shop.world.call(
                .put, "pet/outfit", as: ada, #"{"items": ["red_scarf", "straw_hat"]}"#)
            #expect(dressed.status == 200, "\(dressed)")
            try await shop.notifyRefund(of: try shop.revoked("A", for: ada))
            let now = try await shop.world.call(.get, "pet", as: ada)
            #expect(now.members["outfit"] as? [String] == ["red_scarf"], "\(now)")
        }
    }

    @Test("notifications that do not verify are 400, and others than refunds change nothing")
    func notifications() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let good = try shop.transaction("t1", for: ada)
            #expect(try await shop.redeem(good, ada).status == 200)
            let stranger = try TestAppStore()
            let theirs = try stranger.transaction(["transactionId": "t1"])
            let sandbox = try shop.transaction("t1", for: ada, "gems_100", ["environment": "Sandbox"])
            for payload in [
                "nonsense", good, try stranger.notification("REFUND", about: theirs),
                try shop.store.notification("REFUND", about: theirs),
                try shop.store.notification("REFUND", about: good, data: ["bundleId": "app.other"]),
                try shop.store.notification("REFUND", about: good, data: ["environment": "Sandbox"]),
                try shop.store.notification("REFUND", about: sandbox),
            ] {
                let answer = try await shop.notify(payload)
                #expect(answer.status == 400 && answer.pointer == "/signedPayload", "\(answer)")
            }
            for type in ["CONSUMPTION_REQUEST", "REFUND_REVERSED", "REFUND_DECLINED", "REVOKE", "TEST"] {
                let answer = try await shop.notify(try shop.store.notification(type, about: good))
                #expect(answer.status == 204, "\(answer)")
            }
            #expect(try await shop.notify(try shop.store.notification("REFUND", about: nil)).status == 204)
            #expect(try await shop.ledger(ada) == ["purchase 100 t1"])
        }
    }
}

extension CompanionShopWorld {
    fileprivate func take(_ steps: [CompanionRefundTests.Step], _ person: Person) async throws {
        try await sell { catalogue in
            catalogue.cosmetics += steps.cosmetics.map {
                Cosmetic(id: $0.id, title: $0.id, category: $0.id, gems: $0.gems)
            }
        }
        for step in steps {
            switch step {
            case .purchase(let id, let gems):
                #expect(
                    try await redeem(try transaction(id, for: person, "gems_\(gems)"), person).status == 200)
            case .cosmetic(let id, _):
                let answer = try await buy(id, for: "gems", person)
                #expect(answer.status == 200, "\(answer)")
            case .cure(let gems): try await spend(gems, .cure, ref: "pet", by: person)
            }
        }
    }
}

extension [CompanionRefundTests.Step] {
    fileprivate var cosmetics: [GemCosmetic] {
        compactMap { step in
            guard case .cosmetic(let id, let gems) = step else { return nil }
            return GemCosmetic(id: id, gems: gems)
        }
    }

    fileprivate func product(_ purchase: String) -> String {
        let gems = compactMap { step in
            if case .purchase(purchase, let gems) = step { gems } else { nil }
        }
        return "gems_\(gems.first ?? 0)"
    }
}
