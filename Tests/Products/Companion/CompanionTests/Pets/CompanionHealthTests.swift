import CompanionRules
import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import Testing

@testable import Companion

@Suite("The health of a pet, day by day")
struct CompanionHealthTests {
    @Test(
        "health by the examples",
        arguments: [
            ("UU F UU", "healthy", 2, ""), ("UUU", "sick", 3, "s"), ("UUU FF", "healthy", 0, "sh"),
            ("UUU FUF", "healthy", 0, "sh"), ("UUU FU", "sick", 1, "s"), ("UUUUUUU", "dead", 7, "sd"),
            ("UUUUUUUUUU", "dead", 7, "sd"), ("UUU F UUUUUUU", "dead", 7, "sd"),
            ("UUU cure UU", "healthy", 2, "sh"), ("UUUUUUU revive UUU", "sick", 3, "sdhs"),
        ])
    func health(_ resets: String, _ health: String, _ unfed: Int, _ changes: String) async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(gems: 1_000)
            try await world.live(ada, resets)
            let pet = try await world.pet(of: ada)
            #expect(pet.health == health && pet.unfedDays == unfed)
            #expect((pet.diedOn == nil) == (health != "dead"))
            for (name, letter) in [("healthy", "h"), ("sick", "s"), ("dead", "d")] {
                let count = changes.count { String($0) == letter }
                #expect(try await world.total("companion_\(name)") == count, "\(name)")
            }
        }
    }

    @Test(
        "growth of one fed day by the examples",
        arguments: [
            ("", ["kibble", "kibble", "kibble", "kibble"], 100),
            ("", ["snack", "kibble", "kibble", "kibble"], 103),
            ("", ["dinner", "feast", "dinner", "feast"], 125),
            ("UUUUUUU revive", ["dinner", "feast", "dinner", "feast"], 115),
            ("UUU", ["dinner", "feast", "dinner", "feast"], 110),
        ])
    func growth(_ before: String, _ foods: [String], _ growth: Int) async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 500, gems: 500)
            try await world.live(ada, before)
            for food in foods { #expect(try await world.feed(ada, food).status == 200) }
            try await world.endDay()
            #expect(try await world.pet(of: ada).growth == growth)
        }
    }

    @Test("the day of adoption counts nothing")
    func adoption() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            _ = try await world.adopt(ada)
            try await world.give(100, .energy, to: ada)
            _ = try await world.feed(ada, "feast")
            try await world.endDay()
            let pet = try await world.pet(of: ada)
            #expect(pet.growth == 0 && pet.unfedDays == 0 && pet.fedEnergy == 0 && pet.buff == 0)
            #expect(pet.fullness == 90 && pet.mood == 7)
        }
    }

    @Test("fullness falls by 30 and mood by 1 at each reset")
    func hunger() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper()
            try await world.live(ada, "U")
            var pet = try await world.pet(of: ada)
            #expect(pet.fullness == 20 && pet.mood == 4)
            try await world.live(ada, "U")
            pet = try await world.pet(of: ada)
            #expect(pet.fullness == 0 && pet.mood == 3)
        }
    }

    @Test("the operator chooses how much food feeds a pet, and when it falls ill and dies")
    func settings() async throws {
        try await CompanionWorld.run(settings: { settings in
            (settings.fedEnergy, settings.sickAfter, settings.deadAfter) = (25, 1, 2)
        }) { world in
            let ada = try await world.keeper(energy: 25)
            _ = try await world.feed(ada, "kibble")
            #expect(try await world.pet(of: ada).fedToday)
            try await world.endDay()
            #expect(try await world.pet(of: ada).health == "healthy")
            try await world.endDay()
            #expect(try await world.pet(of: ada).health == "sick")
            try await world.endDay()
            let pet = try await world.pet(of: ada)
            #expect(pet.health == "dead" && pet.diedOn == "2026-03-05")
        }
    }

    @Test("the job resets pets once, however often it runs, and missed days at once")
    func job() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.keeper(), try await world.keeper())
            for _ in 0..<3 {
                try await world.endDay()
                for _ in 0..<2 { try await world.feature.roll.runOnce() }
                _ = try await world.pet(of: ada)
            }
            try await world.endDay(2)
            try await world.feature.roll.runOnce()
            let (one, other) = (try await world.pet(of: ada), try await world.pet(of: bob))
            #expect(one.unfedDays == 6 && other.unfedDays == 5 && one.health == "sick")
            #expect(try await world.total("companion_sick") == 2)
        }
    }

    @Test("the job and calls at once reset a pet once")
    func race() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper()
            for day in 1...6 {
                try await world.endDay()
                async let job = world.feature.roll.runOnce()
                _ = try await world.together(4) { _ in try await world.call(.get, "pet", as: ada) }
                _ = try await job
                #expect(try await world.pet(of: ada).unfedDays == day)
            }
        }
    }

    /// Guard: a day in which Companion was not offered counts against no pet (`companion_missed` (0057),
    /// `CompanionOfferStore.beat`)
    @Test("days in which nobody was offered Companion count against no pet, and those with a short outage do")
    func gaps() async throws {
        try await CompanionWorld.run { world in
            let person = try await world.owner()
            _ = try await world.adopt(person)
            func state() async throws -> (health: String, unfed: Int) {
                try await world.feature.roll.runOnce()
                let row = try await world.postgres.first("SELECT health, unfed_days FROM companion_pets")
                return (try row?.get("health") ?? "", try row?.get("unfed_days") ?? -1)
            }
            func beat() async throws { try await CompanionOfferStore.beat(world.postgres) }
            /// Offers Companion for a day, but for some hours at its end.
            func live(gap hours: Int = 0) async throws {
                for _ in 0..<(24 - hours) * 6 {
                    try await world.clock.advance(by: .minutes(10))
                    try await beat()
                }
                try await world.clock.advance(by: .hours(hours))
            }
            try await beat()
            try await live()
            #expect(try await state() == ("healthy", 0))
            try await live(gap: 5)
            #expect(try await state() == ("healthy", 1))
            try await beat()
            // Eight days without the product, a job that is the first to run afterwards, and a beat that notes it.
            try await world.clock.advance(by: .days(8))
            #expect(try await state() == ("healthy", 1))
            try await beat()
            #expect(try await state() == ("healthy", 1))
            // A longer outage, before which nobody noted anything.
            try await world.clock.advance(by: .days(9))
            #expect(try await state() == ("healthy", 1))
            try await beat()
            // The first of these days began in the outage.
            for unfed in 1...3 {
                try await live()
                #expect(try await state() == (unfed == 3 ? "sick" : "healthy", unfed))
            }
        }
    }
}
