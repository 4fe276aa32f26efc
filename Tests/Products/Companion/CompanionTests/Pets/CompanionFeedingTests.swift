import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion

@Suite("Feeding a pet")
struct CompanionFeedingTests {
    @Test("food costs energy, and adds to fullness, mood, the day's food and its buff")
    func feed() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 300)
            let before = try await world.pet(of: ada)
            let first: CompanionPetAndWallet = try await world.feed(ada, "dinner").decode()
            #expect(first.wallet.energy == 250 && first.pet.fedEnergy == 50 && !first.pet.fedToday)
            #expect(first.pet.fullness == before.fullness + 25 && first.pet.mood == before.mood + 1)
            #expect(first.pet.buff == 0.05)
            let second: CompanionPetAndWallet = try await world.feed(ada, "tuna").decode()
            #expect(second.wallet.energy == 190 && second.pet.fedEnergy == 110 && second.pet.fedToday)
            #expect(second.pet.buff == 0.1 && second.pet.fullness == before.fullness + 50)
            #expect(try await world.pet(of: ada) == second.pet)
            #expect(try await world.wallet(of: ada) == second.wallet)
            #expect(try await world.total("companion_food") == 2)
        }
    }

    /// Guard: counts of a transaction are a row of their own, for which nobody waits, and are summed up once
    /// (`AnalyticsStore.append`, `.sumUp`)
    @Test("a meal waits for no total that somebody else adds to")
    func waitsForNoTotal() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 300)
            let row: SQL = """
                INSERT INTO analytics_totals (day, name, count)
                VALUES ((now() AT TIME ZONE 'UTC')::date, 'companion_food', 1)
                """
            let fed = try await world.postgres.holding(row) { try await world.feed(ada, "dinner") }
            #expect(fed.status == 200, "\(fed)")
            #expect(try await world.total("companion_food") == 1)
        }
    }

    @Test("the figures are those of the pet's species")
    func species() async throws {
        try await CompanionWorld.run { world in
            let dog = try await world.keeper(species: "dog", energy: 100)
            let before = try await world.pet(of: dog)
            let fed: CompanionPetAndWallet = try await world.feed(dog, "dinner").decode()
            #expect(fed.pet.fullness == before.fullness + 20)
        }
    }

    /// Guard: a dead pet does not eat, and a pet wears what its owner owns (`CompanionPetService`)
    /// Guard: a price is paid from what is there, and one of 0 makes no entry (`CompanionWalletStore.spend`,
    /// `CompanionWallets.spend`)
    @Test("problems come in their order")
    func problems() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            world.expectProblem(try await world.feed(ada, "kibble"), 404, "not_found")
            _ = try await world.adopt(ada)
            world.expectProblem(try await world.feed(ada, "bone"), 404, "not_found")
            world.expectProblem(try await world.feed(ada, "sword"), 404, "not_found")
            world.expectProblem(try await world.feed(ada, "kibble"), 409, "not_enough_energy")
            try await world.give(1_000, .energy, to: ada)
            try await world.give(1_000, .gems, to: ada)
            try await world.endDay(8)
            #expect(try await world.pet(of: ada).health == "dead")
            world.expectProblem(try await world.feed(ada, "bone"), 404, "not_found")
            world.expectProblem(try await world.feed(ada, "kibble"), 409, "wrong_pet_state")
            #expect(try await world.wallet(of: ada).energy == 1_000)
            #expect(try await world.total("companion_food") == 0)
        }
    }

    @Test("a repeated call has no effect and answers with things as they are now")
    func repeated() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 100)
            let first = try await world.feed(ada, "dinner", key: "one")
            #expect(first.status == 200)
            let other: CompanionPetAndWallet = try await world.feed(ada, "kibble", key: "two").decode()
            let again = try await world.feed(ada, "dinner", key: "one")
            #expect(try again.decode(CompanionPetAndWallet.self) == other)
            world.expectProblem(
                try await world.feed(ada, "kibble", key: "one"), 422, "idempotency_key_reused")
            #expect(try await world.wallet(of: ada).energy == 25)
        }
    }

    @Test("a refusal leaves the key free")
    func refused() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper()
            world.expectProblem(
                try await world.feed(ada, "dinner", key: "one"), 409, "not_enough_energy")
            try await world.give(50, .energy, to: ada)
            #expect(try await world.feed(ada, "dinner", key: "one").status == 200)
            #expect(try await world.wallet(of: ada).energy == 0)
        }
    }

    @Test("a key is known for 7 days")
    func lifetime() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 500)
            _ = try await world.feed(ada, "feast", key: "one")
            try await world.clock.advance(by: .days(7) - .seconds(1))
            _ = try await world.feed(ada, "feast", key: "one")
            #expect(try await world.wallet(of: ada).energy == 400)
            try await world.clock.advance(by: .seconds(1))
            _ = try await world.act("pet/feed", ada, #"{"item_id": "dinner"}"#, key: "one")
            #expect(try await world.total("companion_food") == 2)
        }
    }

    /// Guard: a repeated call has no effect (`CompanionPetService`, `CompanionRecoveryService`,
    /// `CompanionCosmeticService` (`IdempotencyKeyStore.once`))
    @Test("eight calls at once under one key feed once")
    func sameKey() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 500)
            let answers = try await world.together(8) { _ in
                try await world.feed(ada, "dinner", key: "one")
            }
            #expect(answers.allSatisfy { $0.status == 200 }, "\(answers)")
            #expect(try await world.wallet(of: ada).energy == 450)
            #expect(try await world.pet(of: ada).fedEnergy == 50)
        }
    }

    /// Guard: a price is paid from what is there, and one of 0 makes no entry (`CompanionWalletStore.spend`,
    /// `CompanionWallets.spend`)
    @Test("sixteen calls at once under different keys never spend more than there is")
    func differentKeys() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 110)
            let answers = try await world.together(16) { _ in try await world.feed(ada, "kibble") }
            #expect(answers.count { $0.status == 200 } == 4, "\(answers)")
            #expect(answers.count { $0.code == "not_enough_energy" } == 12)
            let entries = try await world.ledger(of: ada)
            #expect(entries.map(\.balance) == [10, 35, 60, 85, 110])
            #expect(entries.reduce(0) { $0 + $1.amount } == 10)
            #expect(try await world.wallet(of: ada).energy == 10)
            #expect(try await world.pet(of: ada).fedEnergy == 100)
            #expect(try await world.total("companion_food") == 4)
        }
    }
}
