import Auth
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion

@Suite("Companion: what is due comes first")
struct CompanionRollTests {
    /// Guard: an account's changes run one after the other (`CompanionOwnerStore.lock`)
    @Test("many instances that end the same days end each of them once, the oldest first")
    func manyInstances() async throws {
        try await CompanionWorld.run { world in
            let (accounts, roll) = (world.feature.accounts, world.feature.roll)
            var people: [Person] = []
            for name in ["Ada", "Bob", "Cleo"] {
                people.append(try await world.owner(name: name))
                _ = try await world.adopt(people[people.endIndex - 1])
            }
            try await world.clock.advance(by: .days(4))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    group.addTask { try await roll.runOnce() }
                    for person in people {
                        group.addTask {
                            let day = try await accounts.read(person.id) { _, owner in owner.day }
                            #expect(day == 20_518)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for person in people {
                let pet = try await world.pet(of: person)
                #expect(pet.unfedDays == 3 && pet.health == "sick" && pet.mood == 2, "\(pet)")
            }
            #expect(try await world.count("SELECT count(*) AS count FROM companion_days") == 15)
        }
    }

    @Test("the job leaves accounts without a pet alone")
    func job() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            _ = try await world.owner(name: "Bob")
            try await world.postgres.execute(
                "UPDATE companion_settings SET has_pet = true WHERE user_id = \(ada.id)")
            let due = world.feature.roll
            #expect(try await due.runOnce() == 0)
            try await world.set("2026-03-03T00:00:00Z")
            #expect(try await due.runOnce() == 1)
            #expect(try await due.runOnce() == 0)
            let day = try await world.postgres.query(
                "SELECT day::text AS day FROM companion_settings ORDER BY has_pet")
            #expect(try day.map { try $0.get("day", as: String.self) } == ["2026-03-02", "2026-03-03"])
        }
    }

    /// Guard: a summary is due once (`CompanionDayStore.takeDueSummaries`)
    @Test("a summary is due once, an hour after the end, for a day that has events by then")
    func summaries() async throws {
        try await CompanionWorld.run { world in
            let accounts = world.feature.accounts
            let (ada, bob) = (try await world.owner(), try await world.owner(name: "Bob"))
            try await world.postgres.execute(
                "UPDATE companion_days SET has_events = true WHERE user_id = \(ada.id)")
            func look() async throws -> [String] {
                for person in [ada, bob] { _ = try await accounts.read(person.id) { _, owner in owner.day } }
                let rows = try await world.postgres.query(
                    "SELECT day::text AS day FROM companion_diary WHERE kind = 'nightly' ORDER BY day")
                return try rows.map { try $0.get("day", as: String.self) }
            }
            try await world.set("2026-03-03T00:59:59Z")
            #expect(try await look() == [])
            try await world.set("2026-03-03T01:00:00Z")
            #expect(try await look() == ["2026-03-02"])
            // An event that comes later makes no summary due.
            try await world.postgres.transaction { tx in
                for user in [ada.id, bob.id] {
                    var days = try CompanionDayStore.list(tx, from: 20_514, of: user)
                    for index in days.indices { days[index].figures.hasEvents = true }
                    try CompanionDayStore.write(tx, days, of: user)
                }
            }
            try await world.set("2026-03-03T02:00:00Z")
            #expect(try await look() == ["2026-03-02"])
            // The running day has an event, and nobody looks for days.
            try await world.set("2026-03-09T02:00:00Z")
            #expect(try await look() == ["2026-03-02", "2026-03-03", "2026-03-03"])
        }
    }

    /// Guard: one account that fails holds up no other (`RowBatches.takeEach`)
    @Test("one account that fails holds up no other of its batch, and the run fails nevertheless")
    func failingAccount() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner(name: "Bob"))
            try await world.postgres.execute("UPDATE companion_settings SET has_pet = true")
            try await world.set("2026-03-03T00:00:00Z")
            try await world.postgres.execute(
                """
                ALTER TABLE companion_days ADD CONSTRAINT refused
                CHECK (user_id <> \(fragment: SQL(stringLiteral: "'\(ada.id.rawValue)'"))) NOT VALID
                """)
            let job = world.feature.roll
            await #expect(throws: PostgresError.self) { try await job.runOnce() }
            let days = try await world.postgres.query(
                "SELECT user_id FROM companion_settings WHERE day = '2026-03-03'")
            #expect(try days.map { try $0.get("user_id", as: UUID.self) } == [bob.id.rawValue])
        }
    }

    /// Guard: names of days only rise (`CompanionPassage.beginDay`)
    @Test("an account whose zone moved west without a call about it goes on with the next name")
    func movedSilently() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner(timeZone: "Europe/Berlin")
            try await world.postgres.execute(
                "UPDATE users SET time_zone = 'America/New_York' WHERE id = \(ada.id)")
            try await world.set("2026-03-02T23:30:00Z")
            #expect(try await world.call(.get, "day", as: ada).text("day") == "2026-03-03")
            try await world.set("2026-03-04T05:00:00Z")
            #expect(try await world.call(.get, "day", as: ada).text("day") == "2026-03-04")
        }
    }

    /// Guard: a day is gone 90 days after its end, whether or not it is deleted (`CompanionDayStore.find`)
    @Test("days are deleted at 03:00 UTC once 90 days have passed since their end")
    func purge() async throws {
        try await CompanionWorld.run(at: "2026-03-02T12:00:00Z") { world in
            let ada = try await world.owner(timeZone: "Europe/Berlin")
            try await world.set("2026-05-31T22:59:59Z")
            #expect(try await world.call(.get, "days/2026-03-02", as: ada).status == 200)
            try await world.set("2026-05-31T23:00:00Z")
            #expect(try await world.call(.get, "days/2026-03-02", as: ada).status == 404)
            #expect(try await world.feature.purge.runOnce() == 0)
            try await world.set("2026-06-01T03:00:00Z")
            #expect(try await world.feature.purge.runOnce() == 1)
            #expect(try await world.call(.get, "days/2026-03-03", as: ada).status == 200)
        }
    }
}
