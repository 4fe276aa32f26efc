import CompanionRules
import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Testing

@testable import Companion

@Suite("The reset of many pets in one statement")
struct CompanionResetTests {
    private static let firstDay = 20_514
    private static let rules = PetRules(fedEnergy: 100, sickAfter: 3, deadAfter: 7)

    /// Any pet that may exist at the end of the first day.
    private static func pet(_ numbers: inout SeededNumbers) -> Pet {
        let health = PetHealth.allCases.randomElement(using: &numbers) ?? .healthy
        let isDead = health == .dead
        let fragile = Int.random(in: -2...8, using: &numbers)
        return Pet(
            bornOn: firstDay - [0, 0, 1, 5, 400].randomElement(using: &numbers).unsafelyUnwrapped,
            health: health, unfedDays: Int.random(in: 0...6, using: &numbers),
            lastFed: (0..<3).map { _ in Bool.random(using: &numbers) },
            growth: Int.random(in: 0...7_000, using: &numbers),
            fullness: Int.random(in: 0...100, using: &numbers), mood: Int.random(in: 0...10, using: &numbers),
            foodEnergy: [0, 25, 99, 100, 101, 300].randomElement(using: &numbers).unsafelyUnwrapped,
            foodBuff: [0, 5, 25, 100, 101, 149, 150, 151, 250, 251, 600].randomElement(using: &numbers)
                .unsafelyUnwrapped,
            fragileUntil: Bool.random(using: &numbers) ? end(of: firstDay + fragile) : nil,
            diedOn: isDead ? firstDay - 1 : nil, diedAt: isDead ? end(of: firstDay - 1) : nil)
    }

    private static func end(of day: DayNumber) -> Instant { (day + 1) * 86_400 }

    /// Owners with these pets.
    private func owners(_ world: CompanionWorld, _ pets: [Pet]) async throws -> [UserID] {
        var owners: [UserID] = []
        for pet in pets {
            let person = try await world.owner()
            try await world.postgres.transaction { tx in try write(tx, pet, of: person.id) }
            owners.append(person.id)
        }
        return owners
    }

    private func write(_ tx: PostgresTransaction, _ pet: Pet, of user: UserID) throws {
        let state = CompanionPetState(
            id: CompanionPetID(.version7()), species: .cat, name: "Momo", pet: Pet(bornOn: pet.bornOn))
        try CompanionPetStore.insert(tx, state, of: user)
        try CompanionPetStore.feed(tx, pet, of: user)
        try tx.execute(
            """
            UPDATE companion_pets
            SET growth = \(pet.growth), died_on = DATE '1970-01-01' + \(pet.diedOn)::integer,
                died_at = to_timestamp(\(pet.diedAt)), health = \(pet.health.rawValue),
                unfed_days = \(pet.unfedDays), last_fed = \(pet.lastFedBits),
                fragile_until = to_timestamp(\(pet.fragileUntil))
            WHERE user_id = \(user)
            """)
    }

    private func read(_ world: CompanionWorld, _ owners: [UserID]) async throws -> [Pet] {
        try await world.postgres.transaction { tx in
            try owners.map { try CompanionPetStore.require(tx, of: $0).pet }
        }
    }

    /// Guard: a reset happens once for a day, and changes no dead pet (`CompanionResetStore.reset`)
    @Test("it does what the rule does for each pet, day by day", arguments: 0..<4)
    func equalsRule(seed: Int) async throws {
        try await CompanionWorld.run { world in
            var numbers = SeededNumbers(seed: UInt64(seed))
            let owners = try await owners(world, (0..<60).map { _ in Self.pet(&numbers) })
            var pets = try await read(world, owners)
            for day in Self.firstDay..<Self.firstDay + 4 {
                let ended = CompanionEndedDay(day: day, endsAt: Self.end(of: day))
                let findings = try await world.postgres.transaction { tx in
                    try CompanionResetStore.reset(
                        tx, owners.map { CompanionPetDay(user: $0, ended: ended) }, rules: Self.rules)
                }
                var changed: Set<UserID> = []
                for place in pets.indices {
                    let rule = EndedDay(day: day, endedAt: ended.endsAt)
                    if pets[place].reset(rule, rules: Self.rules) != nil { changed.insert(owners[place]) }
                }
                #expect(try await read(world, owners) == pets)
                #expect(Set(findings.findings.filter(\.hasChanged).map(\.user)) == changed)
                try await feed(world, owners, &pets, &numbers)
            }
        }
    }

    /// Feeds some of the living pets between two resets.
    private func feed(
        _ world: CompanionWorld, _ owners: [UserID], _ pets: inout [Pet], _ numbers: inout SeededNumbers
    ) async throws {
        for place in pets.indices where pets[place].health != .dead && Bool.random(using: &numbers) {
            pets[place].eat(FoodFigures(energy: 100, fullness: 40, mood: 2, buff: 120))
            let pet = pets[place]
            try await world.postgres.transaction { tx in
                try CompanionPetStore.feed(tx, pet, of: owners[place])
            }
        }
    }

    /// Guard: a reset happens once for a day, and changes no dead pet (`CompanionResetStore.reset`)
    @Test("a day's reset is done once, and an earlier day's never after it")
    func once() async throws {
        try await CompanionWorld.run { world in
            var numbers = SeededNumbers(seed: 7)
            let owners = try await owners(world, (0..<20).map { _ in Self.pet(&numbers) })
            @Sendable func reset(_ day: DayNumber) async throws -> Int {
                let ended = CompanionEndedDay(day: day, endsAt: Self.end(of: day))
                return try await world.postgres.transaction { tx in
                    try CompanionResetStore.reset(
                        tx, owners.map { CompanionPetDay(user: $0, ended: ended) }, rules: Self.rules
                    ).count
                }
            }
            #expect(try await reset(Self.firstDay) > 0)
            let after = try await read(world, owners)
            #expect(try await reset(Self.firstDay) == 0)
            #expect(try await reset(Self.firstDay - 1) == 0)
            #expect(try await read(world, owners) == after)
        }
    }

    @Test("missed days at once give the same pet as one after the other", arguments: [1, 2, 3, 6, 9])
    func missed(count: Int) async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner())
            for person in [ada, bob] {
                _ = try await world.adopt(person)
                try await world.give(1_000, .energy, to: person)
                _ = try await world.feed(person, "feast")
            }
            for _ in 0..<count {
                try await world.endDay()
                _ = try await world.pet(of: ada)
            }
            let (one, other) = (try await world.pet(of: ada), try await world.pet(of: bob))
            #expect(one.health == other.health && one.unfedDays == other.unfedDays)
            #expect(one.fullness == other.fullness && one.mood == other.mood)
            #expect(one.diedOn == other.diedOn && one.growth == other.growth)
        }
    }
}
