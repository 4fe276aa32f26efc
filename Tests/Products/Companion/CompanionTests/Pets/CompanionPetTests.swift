import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import Testing

@testable import Companion

@Suite("Companion's pets")
struct CompanionPetTests {
    /// Guard: an account has one pet (`CompanionPetService.adopt`)
    @Test("a pet begins healthy and hungry, and an account has at most one")
    func adoption() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            world.expectProblem(try await world.call(.get, "pet", as: ada), 404, "not_found")
            let pet = try await world.adopt(ada)
            #expect(pet.species == "cat" && pet.name == "Momo" && pet.health == "healthy")
            #expect(pet.unfedDays == 0 && !pet.fedToday && pet.fedEnergy == 0 && pet.buff == 0)
            #expect(pet.fullness == 50 && pet.mood == 5 && pet.growth == 0 && pet.stage == "baby")
            #expect(pet.bornOn == "2026-03-02" && pet.diedOn == nil && pet.fragileUntil == nil)
            #expect(pet.outfit.isEmpty)
            #expect(try await world.pet(of: ada) == pet)
            let second = try await world.act("pet", ada, #"{"species": "dog", "name": "Rex"}"#)
            world.expectProblem(second, 409, "pet_exists")
            #expect(
                try await world.count("SELECT count(*) AS count FROM companion_settings WHERE has_pet") == 1)
        }
    }

    @Test("nobody who has not joined has a pet, and nobody sees another's")
    func strangers() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob, eve) = (
                try await world.owner(), try await world.owner(name: "Bob"), try await world.person()
            )
            _ = try await world.adopt(ada)
            world.expectProblem(try await world.call(.get, "pet", as: bob), 404, "not_found")
            for path in ["pet", "wallet", "ledger", "memorials"] {
                let answer = try await world.call(.get, path, as: eve)
                world.expectProblem(answer, 409, "companion_not_joined")
            }
            world.expectProblem(try await world.feed(eve, "kibble"), 409, "companion_not_joined")
        }
    }

    @Test("wrong members are 400 and change nothing")
    func wrongMembers() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            for body in [
                #"{"species": "bird", "name": "Momo"}"#, #"{"species": "cat", "name": ""}"#,
                #"{"species": "cat"}"#,
            ] {
                let answer = try await world.act("pet", ada, body)
                world.expectProblem(answer, 400, "invalid_request")
            }
            let unkeyed = try await world.act("pet", ada, #"{"species": "cat", "name": "Momo"}"#, key: nil)
            world.expectProblem(unkeyed, 400, "invalid_request")
            world.expectProblem(try await world.call(.get, "pet", as: ada), 404, "not_found")
            for path in ["pet/feed", "pet/cure", "pet/revive", "pet/restart"] {
                world.expectProblem(try await world.act(path, ada, "{}", key: nil), 400, "invalid_request")
            }
        }
    }

    @Test("an owner renames the pet, also a dead one")
    func rename() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            let missing = try await world.call(.patch, "pet", as: ada, #"{"name": "Nora"}"#)
            world.expectProblem(missing, 404, "not_found")
            _ = try await world.adopt(ada)
            let renamed = try await world.call(.patch, "pet", as: ada, #"{"name": "Nora"}"#)
            #expect(try renamed.decode(CompanionPet.self).name == "Nora")
            try await world.endDay(8)
            #expect(try await world.pet(of: ada).health == "dead")
            let late = try await world.call(.patch, "pet", as: ada, #"{"name": "Mia"}"#)
            #expect(try late.decode(CompanionPet.self).name == "Mia")
            let faulty = try await world.call(.patch, "pet", as: ada, #"{"name": " "}"#)
            #expect(faulty.status == 400 && faulty.pointer == "/name")
        }
    }

    /// Guard: a dead pet does not eat, and a pet wears what its owner owns (`CompanionPetService`)
    @Test("a pet wears what its owner owns, at most one of a category; problems come in their order")
    func outfit() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            @Sendable func dress(_ items: String...) async throws -> HTTPAnswer {
                let list = items.map { #""\#($0)""# }.joined(separator: ", ")
                return try await world.call(.put, "pet/outfit", as: ada, #"{"items": [\#(list)]}"#)
            }
            world.expectProblem(try await dress("red_scarf"), 404, "not_found")
            _ = try await world.adopt(ada)
            world.expectProblem(try await dress("red_scarf", "blue_bandana"), 409, "not_owned")
            world.expectProblem(try await dress("sword"), 409, "not_owned")
            try await world.own("red_scarf", "blue_bandana", "straw_hat", by: ada)
            world.expectProblem(try await dress("red_scarf", "blue_bandana"), 400, "invalid_request")
            world.expectProblem(try await dress("red_scarf", "red_scarf"), 400, "invalid_request")
            let dressed: CompanionPet = try await dress("straw_hat", "red_scarf").decode()
            #expect(dressed.outfit == ["red_scarf", "straw_hat"])
            var naked = dressed
            naked.outfit = []
            #expect(try await dress().decode(CompanionPet.self) == naked)
        }
    }

    @Test("a cosmetic that is taken back leaves the outfit")
    func takeOff() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            _ = try await world.adopt(ada)
            try await world.own("red_scarf", "straw_hat", "round_glasses", by: ada)
            _ = try await world.call(
                .put, "pet/outfit", as: ada, #"{"items": ["straw_hat", "red_scarf", "round_glasses"]}"#)
            try await world.postgres.transaction { tx in
                try CompanionPetStore.takeOff(tx, ["straw_hat", "cozy_blanket"], of: ada.id)
            }
            #expect(try await world.pet(of: ada).outfit == ["red_scarf", "round_glasses"])
        }
    }

    @Test("the export has the pet with its recoveries, the wallet, the ledger and the memorials")
    func export() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 100, gems: 500)
            _ = try await world.feed(ada, "dinner")
            try await world.endDay(8)
            #expect(try await world.restart(ada).status == 200)
            let export = try await world.postgres.transaction { tx in
                try CompanionPetExportStore.export(tx, ada.id)
            }
            #expect(Set(export.keys) == ["pet", "wallet", "ledger", "memorials"])
            let text = String(describing: export)
            for part in ["Rex", "Momo", "dinner", "restart", "recoveries"] {
                #expect(text.contains(part), "\(part)")
            }
        }
    }
}
