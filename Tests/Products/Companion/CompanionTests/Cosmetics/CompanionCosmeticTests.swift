import CompanionRules
import DaylyTesting
import Foundation
import HTTPKit
import HTTPTypes
import Testing

@testable import Companion

@Suite("Cosmetics")
struct CompanionCosmeticTests {
    @Test("a cosmetic is bought in one of its currencies, for good")
    func buy() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            try await shop.give(200, .energy, to: ada)
            try await shop.give(100, .gems, to: ada)
            let scarf = try await shop.buy("red_scarf", for: "energy", ada)
            #expect(scarf.status == 200 && scarf.wallet("energy") == 120, "\(scarf)")
            let cosmetic = try #require(scarf.members["cosmetic"] as? [String: any Sendable])
            #expect(cosmetic["owned"] as? Bool == true && cosmetic["id"] as? String == "red_scarf")
            let crown = try await shop.buy("flower_crown", for: "gems", ada)
            #expect(crown.wallet("gems") == 40 && crown.wallet("energy") == 120)
            #expect(try await shop.owned(ada) == ["red_scarf", "flower_crown"])
            #expect(
                try await shop.ledger(ada).suffix(2) == [
                    "cosmetic -80 red_scarf", "cosmetic -60 flower_crown",
                ])
        }
    }

    /// Guard: a cosmetic is bought once, in its season (`CompanionCosmeticService.sell`)
    @Test("the problems come in their order")
    func problems() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            try await shop.sell { catalogue in
                catalogue.cosmetics[0].to = Instant(1_772_452_860)
                catalogue.cosmetics[2].isRetired = true
            }
            try await shop.give(100, .energy, to: ada)
            #expect(try await shop.buy("red_scarf", for: "energy", ada).status == 200)
            try await shop.world.clock.advance(by: .seconds(60))
            func problem(_ id: String, _ currency: String) async throws -> String {
                let answer = try await shop.buy(id, for: currency, ada)
                return "\(answer.status) \(answer.code ?? "-")"
            }
            // Each of these has the later faults too.
            #expect(try await problem("nothing", "gems") == "404 not_found")
            #expect(try await problem("nothing", "euros") == "400 invalid_request")
            let long = (0..<100).map { _ in UUID().uuidString }.joined()
            #expect(try await problem(long, "gems") == "404 not_found")
            #expect(try await problem("red_scarf", "gems") == "409 already_owned")
            #expect(try await problem("straw_hat", "energy") == "409 out_of_season")
            #expect(try await problem("blue_bandana", "energy") == "400 invalid_request")
            #expect(try await problem("round_glasses", "energy") == "409 not_enough_energy")
            #expect(try await problem("blue_bandana", "gems") == "409 not_enough_gems")
            #expect(try await shop.ledger(ada).count == 2)
        }
    }

    /// Guard: a cosmetic is bought once, in its season (`CompanionCosmeticService.sell`)
    @Test("a season begins with its first second and ends before its last one")
    func seasons() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let begin = Instant(try CompanionWorld.date("2026-03-03T00:00:00Z").timeIntervalSince1970)
            try await shop.sell { catalogue in
                catalogue.cosmetics.append(
                    Cosmetic(
                        id: "mask", title: "Mask", category: "face", gems: 10, from: begin, to: begin + 60))
            }
            try await shop.give(100, .gems, to: ada)
            for (time, code) in [
                ("2026-03-02T23:59:59Z", "out_of_season"), ("2026-03-03T00:01:00Z", "out_of_season"),
            ] {
                try await shop.world.set(time)
                #expect(try await shop.buy("mask", for: "gems", ada).code == code)
            }
            try await shop.world.set("2026-03-03T00:00:59Z")
            #expect(try await shop.buy("mask", for: "gems", ada).status == 200)
        }
    }

    @Test("the key is needed, known for seven days, bound to the bytes, and free after a refusal")
    func keys() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            #expect(try await shop.buy("red_scarf", for: "energy", ada, key: nil).status == 400)
            #expect(try await shop.buy("red_scarf", for: "energy", ada, key: "a b").status == 400)
            #expect(try await shop.buy("red_scarf", for: "energy", ada, key: "k").code == "not_enough_energy")
            try await shop.give(300, .energy, to: ada)
            #expect(try await shop.buy("red_scarf", for: "energy", ada, key: "k").status == 200)
            try await shop.world.clock.advance(by: .seconds(7 * 86_400 - 1))
            let again = try await shop.buy("red_scarf", for: "energy", ada, key: "k")
            #expect(again.status == 200 && again.wallet("energy") == 220, "\(again)")
            let other = try await shop.buy("red_scarf", for: "gems", ada, key: "k")
            #expect(other.status == 422 && other.code == "idempotency_key_reused", "\(other)")
            // The same key under another path is another call.
            #expect(try await shop.buy("round_glasses", for: "energy", ada, key: "k").wallet("energy") == 120)
            try await shop.world.clock.advance(by: .seconds(1))
            #expect(try await shop.buy("red_scarf", for: "energy", ada, key: "k").code == "already_owned")
        }
    }

    /// Guard: a repeated call has no effect (`CompanionPetService`, `CompanionRecoveryService`,
    /// `CompanionCosmeticService` (`IdempotencyKeyStore.once`))
    @Test("equal calls at once buy once, and different ones do not spend the same gems")
    func atTheSameTime() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            try await shop.give(100, .gems, to: ada)
            let equal = try await atOnce(6) { _ in
                try await shop.buy("blue_bandana", for: "gems", ada, key: "k")
            }
            #expect(equal.allSatisfy { $0.status == 200 && $0.wallet("gems") == 60 }, "\(equal)")
            let others = try await atOnce(6) { number in
                try await shop.buy(number % 2 == 0 ? "flower_crown" : "straw_hat", for: "gems", ada)
            }
            #expect(others.filter { $0.status == 200 }.count == 1, "\(others)")
            #expect(try await shop.gems(ada) == 0)
        }
    }

    @Test("the catalogue shows the prices of now, and retired things to their owners")
    func catalogue() async throws {
        try await CompanionShopWorld.run { shop in
            let (ada, bob) = (try await shop.world.owner(), try await shop.world.owner())
            try await shop.give(100, .gems, to: ada)
            #expect(try await shop.buy("straw_hat", for: "gems", ada).status == 200)
            let first = try await shop.world.call(.get, "catalog", as: ada)
            #expect(first.status == 200 && first.members["version"] as? Int == 0, "\(first)")
            #expect((first.members["foods"] as? [Any])?.count == 6)
            let tag = try #require(first.header("ETag"))
            let same = try await shop.world.call(.get, "catalog", as: ada, headers: [.ifNoneMatch: tag])
            #expect(same.status == 304)
            try await shop.sell { catalogue in
                catalogue.cosmetics[2].isRetired = true
                catalogue.cosmetics[1].gems = 60
            }
            let now = try await shop.world.call(.get, "catalog", as: ada, headers: [.ifNoneMatch: tag])
            #expect(now.status == 200 && now.members["version"] as? Int == 1)
            let hat = try #require(now.cosmetic("straw_hat"))
            #expect(hat["owned"] as? Bool == true && hat["available"] as? Bool == false)
            #expect(now.cosmetic("blue_bandana")?["gems"] as? Int == 60)
            #expect(now.cosmetic("blue_bandana")?["from"] is NSNull)
            let theirs = try await shop.world.call(.get, "catalog", as: bob)
            #expect(theirs.status == 200 && theirs.cosmetic("straw_hat") == nil)
            // The price in force is the one that is paid.
            try await shop.give(80, .gems, to: bob)
            #expect(try await shop.buy("blue_bandana", for: "gems", bob).wallet("gems") == 20)
        }
    }
}

extension HTTPAnswer {
    fileprivate func cosmetic(_ id: String) -> [String: any Sendable]? {
        (members["cosmetics"] as? [[String: any Sendable]])?.first { $0["id"] as? String == id }
    }
}
