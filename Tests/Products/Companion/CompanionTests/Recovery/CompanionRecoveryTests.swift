import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Testing

@testable import Companion

@Suite("Recoveries")
struct CompanionRecoveryTests {
    /// Notes recoveries of other pets that long ago.
    private func note(_ kind: String, _ ago: [Int], _ world: CompanionWorld, _ person: Person) async throws {
        for seconds in ago {
            try await world.postgres.execute(
                """
                INSERT INTO companion_recoveries (user_id, id, kind, pet_id, at)
                VALUES (\(person.id), gen_random_uuid(), \(kind), gen_random_uuid(), now() - \(Duration.seconds(seconds)))
                """)
        }
    }

    private static let day = 86_400

    /// Guard: a recovery fits the pet's health, its pause and its count (`CompanionRecoveryService.take`)
    @Test(
        "pause and count by the examples",
        arguments: [
            ("cure", [23 * 3_600], 3_600), ("cure", [day], nil),
            ("cure", [29 * day + 86_399, 19 * day + 86_399, 9 * day + 86_399, 4 * day + 86_399, 86_399], 1),
            ("cure", [30 * day, 20 * day, 10 * day, 5 * day, day], nil),
            ("cure", [10 * day, 8 * day, 6 * day, 4 * day, 2 * day], 20 * day),
            ("revive", [80 * day, 40 * day], 10 * day), ("revive", [168 * 3_600], nil),
            ("restart", [86_399], 1), ("restart", [86_400, 2 * 86_400], nil),
        ] as [(String, [Int], Int?)])
    func limits(_ kind: String, _ ago: [Int], _ retryIn: Int?) async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(gems: 1_000)
            try await world.live(ada, kind == "cure" ? "UUU" : "UUUUUUU")
            try await note(kind, ago, world, ada)
            let answer =
                kind == "restart" ? try await world.restart(ada) : try await world.act("pet/\(kind)", ada)
            guard let retryIn else {
                #expect(answer.status == 200, "\(answer)")
                return
            }
            world.expectProblem(answer, 409, "recovery_unavailable")
            let retryAt = WireJSON.timestamp(world.clock.now.addingTimeInterval(Double(retryIn)))
            #expect(answer.member("retry_at") == retryAt)
            #expect(try await world.wallet(of: ada).gems == 1_000)
            try await world.clock.advance(by: .seconds(retryIn))
            if kind != "cure" || retryIn < 86_400 {
                #expect(try await world.act("pet/\(kind)", ada, Self.body(kind)).status == 200)
            }
        }
    }

    private static func body(_ kind: String) -> String {
        kind == "restart" ? #"{"species": "dog", "name": "Rex"}"# : "{}"
    }

    @Test("a cure heals a sick pet and keeps what it has")
    func cure() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 50, gems: 200)
            try await world.live(ada, "UUU")
            _ = try await world.feed(ada, "dinner")
            let before = try await world.pet(of: ada)
            let cured: CompanionPetAndWallet = try await world.act("pet/cure", ada).decode()
            var wanted = before
            (wanted.health, wanted.unfedDays) = ("healthy", 0)
            #expect(cured.pet == wanted && cured.wallet.gems == 80)
            let entry = try #require(try await world.ledger(of: ada).first)
            #expect(entry.kind == "cure" && entry.amount == -120 && entry.balance == 80)
            #expect(entry.currency == "gems" && entry.ref == before.id.description)
            #expect(try await world.total("companion_cure") == 1)
        }
    }

    @Test("a revived pet is fragile for 7 days")
    func revive() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 500, gems: 500)
            try await world.live(ada, "UUUUUUU")
            let dead = try await world.pet(of: ada)
            #expect(dead.health == "dead" && dead.diedOn == "2026-03-09")
            let answer: CompanionPetAndWallet = try await world.act("pet/revive", ada).decode()
            #expect(answer.pet.health == "healthy" && answer.pet.diedOn == nil && answer.pet.id == dead.id)
            #expect(answer.pet.unfedDays == 0 && answer.wallet.gems == 100)
            #expect(answer.pet.fragileUntil == world.clock.now.addingTimeInterval(7 * 86_400))
            for food in ["feast", "feast"] { _ = try await world.feed(ada, food) }
            #expect(try await world.pet(of: ada).buff == 0.15)
            try await world.clock.set(to: try #require(answer.pet.fragileUntil))
            try await world.give(300, .energy, to: ada)
            for food in ["feast", "feast", "feast"] { _ = try await world.feed(ada, food) }
            let later = try await world.pet(of: ada)
            #expect(later.buff == (later.health == "sick" ? 0.1 : 0.25))
            #expect(later.fragileUntil == nil)
        }
    }

    @Test("a restart begins a new pet, and remembers the dead one")
    func restart() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(gems: 250)
            try await world.own("red_scarf", by: ada)
            _ = try await world.call(.put, "pet/outfit", as: ada, #"{"items": ["red_scarf"]}"#)
            try await world.live(ada, "UUUUUUU")
            let dead = try await world.pet(of: ada)
            let answer: CompanionPetAndWallet = try await world.restart(ada).decode()
            #expect(answer.pet.id != dead.id && answer.pet.species == "dog" && answer.pet.name == "Rex")
            #expect(answer.pet.health == "healthy" && answer.pet.bornOn == "2026-03-10")
            #expect(answer.pet.outfit.isEmpty && answer.pet.fullness == 50 && answer.wallet.gems == 50)
            let memorials: CompanionMemorialPage = try await world.call(.get, "memorials", as: ada).decode()
            #expect(
                memorials.memorials == [
                    CompanionMemorial(
                        id: dead.id, name: "Momo", species: "cat", stage: "baby", bornOn: "2026-03-02",
                        diedOn: "2026-03-09", days: 8, outfit: ["red_scarf"])
                ])
            try await world.endDay()
            #expect(try await world.pet(of: ada).unfedDays == 0)
            try await world.endDay()
            #expect(try await world.pet(of: ada).unfedDays == 1)
        }
    }

    /// Guard: a price is paid from what is there, and one of 0 makes no entry (`CompanionWalletStore.spend`,
    /// `CompanionWallets.spend`)
    @Test("a restart is free from 30 days after the death on, also for an owner who owes gems")
    func freeRestart() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper()
            try await world.live(ada, "UUUUUUU")
            try await world.postgres.transaction { tx in
                let posting = CompanionPosting(100, .gems, .refund, ref: "1")
                try CompanionWallets.takeBack(tx, posting, of: ada.id)
            }
            try await world.clock.advance(by: .days(30) - .seconds(1))
            world.expectProblem(try await world.restart(ada), 409, "not_enough_gems")
            try await world.clock.advance(by: .seconds(1))
            let answer: CompanionPetAndWallet = try await world.restart(ada).decode()
            #expect(answer.wallet.gems == -100 && answer.pet.health == "healthy")
            #expect(try await world.ledger(of: ada).map(\.kind) == ["refund"])
            #expect(try await world.total("companion_restart") == 1)
            // The pause counts free ones too.
            try await world.postgres.execute(
                """
                UPDATE companion_pets SET health = 'dead', died_on = '2026-01-01', died_at = '2026-01-02 00:00+00'
                """)
            world.expectProblem(try await world.restart(ada), 409, "recovery_unavailable")
        }
    }

    /// Guard: a recovery fits the pet's health, its pause and its count (`CompanionRecoveryService.take`)
    /// Guard: a price is paid from what is there, and one of 0 makes no entry (`CompanionWalletStore.spend`,
    /// `CompanionWallets.spend`)
    @Test("problems come in their order", arguments: ["cure", "revive", "restart"])
    func problems(_ kind: String) async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            @Sendable func recover() async throws -> HTTPAnswer {
                try await world.act("pet/\(kind)", ada, Self.body(kind))
            }
            world.expectProblem(try await recover(), 404, "not_found")
            _ = try await world.adopt(ada)
            try await note(kind, [3_600], world, ada)
            world.expectProblem(try await recover(), 409, "wrong_pet_state")
            try await world.endDay(kind == "cure" ? 4 : 8)
            try await note(kind, [3_600], world, ada)
            world.expectProblem(try await recover(), 409, "recovery_unavailable")
            try await world.postgres.execute("DELETE FROM companion_recoveries")
            world.expectProblem(try await recover(), 409, "not_enough_gems")
            try await world.give(kind == "cure" ? 119 : kind == "revive" ? 399 : 199, .gems, to: ada)
            world.expectProblem(try await recover(), 409, "not_enough_gems")
            try await world.give(1, .gems, to: ada)
            #expect(try await recover().status == 200)
            world.expectProblem(try await recover(), 409, "wrong_pet_state")
        }
    }

    @Test("a wrong name or species of a restart is 400")
    func wrongMembers() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            let answer = try await world.act("pet/restart", ada, #"{"species": "fish", "name": "Rex"}"#)
            #expect(answer.status == 400 && answer.pointer == "/species")
        }
    }

    /// Guard: a repeated call has no effect (`CompanionPetService`, `CompanionRecoveryService`,
    /// `CompanionCosmeticService` (`IdempotencyKeyStore.once`))
    @Test("eight calls at once under one key recover once, under different keys too")
    func atOnce() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(gems: 1_000)
            try await world.live(ada, "UUU")
            let same = try await world.together(8) { _ in try await world.act("pet/cure", ada, key: "one") }
            #expect(same.allSatisfy { $0.status == 200 }, "\(same)")
            #expect(try await world.wallet(of: ada).gems == 880)
            try await world.live(ada, "UUU")
            let other = try await world.together(8) { _ in try await world.act("pet/cure", ada) }
            #expect(other.count { $0.status == 200 } == 1, "\(other)")
            #expect(other.count { $0.code == "wrong_pet_state" } == 7)
            #expect(try await world.wallet(of: ada).gems == 760)
            try await world.live(ada, "UUUUUUU")
            let restarts = try await world.together(8) { _ in try await world.restart(ada) }
            #expect(restarts.count { $0.status == 200 } == 1, "\(restarts)")
            #expect(try await world.wallet(of: ada).gems == 560)
            #expect(try await world.count("SELECT count(*) AS count FROM companion_memorials") == 1)
            #expect(try await world.count("SELECT count(*) AS count FROM companion_recoveries") == 3)
        }
    }

    /// Guard: a recovery fits the pet's health, its pause and its count (`CompanionRecoveryService.take`)
    @Test("never more than five cures in 30 days, however many calls come at once")
    func neverMore() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(gems: 5_000)
            for day in 0..<40 {
                // A refused call would undo the reset, and a pet that misses many days dies.
                _ = try await world.pet(of: ada)
                try await world.postgres.execute("UPDATE companion_pets SET health = 'sick', unfed_days = 3")
                _ = try await world.together(4) { _ in try await world.act("pet/cure", ada) }
                if day < 30 {
                    #expect(
                        try await world.count("SELECT count(*) AS count FROM companion_recoveries")
                            == min(day + 1, 5))
                }
                try await world.postgres.execute("UPDATE companion_pets SET unfed_days = 0")
                try await world.clock.advance(by: .days(1))
            }
            let most = try await world.count(
                """
                SELECT max(n)::bigint AS count FROM (
                    SELECT count(*) OVER (ORDER BY at RANGE BETWEEN INTERVAL '2591999 seconds' PRECEDING AND CURRENT ROW)
                    AS n FROM companion_recoveries
                ) AS counts
                """)
            #expect(most == 5)
            #expect(try await world.count("SELECT count(*) AS count FROM companion_recoveries") > 5)
        }
    }

    @Test("the offers name the price, and when a recovery is possible")
    func offers() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(gems: 1_000)
            try await world.live(ada, "UUU cure UUUUUUU")
            let offers = try await world.feature.accounts.read(ada.id) { tx, owner in
                CompanionRecovery(
                    try CompanionRecoveryState(
                        tx, owner, CompanionPetStore.find(tx, of: ada.id),
                        CompanionCatalogueStore.current(tx).catalogue))
            }
            let now = world.clock.now
            #expect(offers.cure == CompanionRecoveryOffer(gems: 120, retryAt: nil))
            #expect(offers.revive == CompanionRecoveryOffer(gems: 400, retryAt: nil))
            #expect(
                offers.restart
                    == CompanionRestartOffer(
                        gems: 200, retryAt: nil, freeAt: now.addingTimeInterval(30 * 86_400)))
        }
    }
}
