import CompanionRules
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import HTTPTypes
import Postgres
import Testing

@testable import Companion

/// Guard: a change sends a hint to the owner alone, and what changes nothing sends none (`CompanionHints`,
/// `CompanionSettingsService.put`, `CompanionPetService.change`, `CompanionIntake.hasChangedDays`,
/// `CompanionRoll.run`, `CompanionZoneChange.moveEnd`)
@Suite("Hints of Companion")
struct CompanionHintTests {
    private static let all = ["companion.day", "companion.pet", "companion.wallet"]

    @Test("joining, other settings and leaving send hints, and a call that changes nothing sends none")
    func settings() async throws {
        try await CompanionWorld.run { world in
            let heard = HeardHints(world.postgres)
            let ada = try await world.owner()
            #expect(heard.names(to: ada) == ["companion.day"])
            let schedule = #"{"from": "22:00", "to": "06:00", "weekdays": [1]}"#
            for more in [
                #""limit_minutes": 240"#, #""limit_minutes": 90"#,
                #""limit_minutes": 90, "cooldown_minutes": 10"#, #""limit_minutes": 90, "nightly": false"#,
                #""limit_minutes": 90, "schedule": \#(schedule)"#,
            ] {
                for expected in [["companion.day"], []] {
                    let put = try await world.call(.put, "settings", as: ada, #"{"consent": "1", \#(more)}"#)
                    #expect(put.status == 200, "\(put)")
                    #expect(heard.names(to: ada) == expected, "\(more)")
                }
            }
            let wrong = try await world.call(
                .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 1}"#)
            #expect(wrong.status == 400 && heard.take() == [])
            for expected in [Self.all, []] {
                #expect(try await world.call(.delete, "settings", as: ada).status == 204)
                #expect(heard.names(to: ada) == expected)
            }
        }
    }

    @Test("a call that only reads sends a hint when something was due, and none else")
    func reading() async throws {
        try await CompanionWorld.run { world in
            let (ada, _) = (try await world.owner(), try await world.owner(name: "Bob"))
            let heard = HeardHints(world.postgres)
            let paths = [
                "settings", "devices", "day", "days/2026-03-02", "diary", "texts", "pet", "wallet", "ledger",
                "memorials", "catalog", "flags",
            ]
            func read() async throws -> [String] {
                for path in paths { _ = try await world.call(.get, path, as: ada) }
                _ = try await world.callAny(.get, "users/me/export", as: ada)
                return heard.names(to: ada)
            }
            #expect(try await read() == [])
            try await world.endDay()
            #expect(try await read() == ["companion.day"])
            // The summary of a day without an event is due too, and the cat writes none.
            try await world.clock.advance(by: .hours(1))
            #expect(try await read() == [])
            _ = try await world.adopt(ada)
            #expect(heard.names(to: ada) == ["companion.pet"])
            try await world.endDay()
            #expect(try await read() == ["companion.day", "companion.pet"])
        }
    }

    /// Guard: a repeated call has no effect (`CompanionPetService`, `CompanionRecoveryService`,
    /// `CompanionCosmeticService` (`IdempotencyKeyStore.once`))
    @Test("a pet's owner hears of each change of it, and of no refusal and no repetition")
    func pets() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            let heard = HeardHints(world.postgres)
            func expect(
                _ names: [String], _ status: Int, _ call: () async throws -> HTTPAnswer
            ) async throws {
                let answer = try await call()
                #expect(answer.status == status && heard.names(to: ada) == names, "\(answer)")
            }
            let momo = #"{"species": "cat", "name": "Momo"}"#
            _ = heard.take()
            try await expect(["companion.pet"], 201) { try await world.act("pet", ada, momo, key: "a") }
            try await expect([], 200) { try await world.act("pet", ada, momo, key: "a") }
            try await expect([], 409) { try await world.act("pet", ada, momo) }
            for names in [["companion.pet"], []] {
                try await expect(names, 200) {
                    try await world.call(.patch, "pet", as: ada, #"{"name": "Nora"}"#)
                }
            }
            try await expect([], 409) {
                try await world.call(.put, "pet/outfit", as: ada, #"{"items": ["red_scarf"]}"#)
            }
            try await world.own("red_scarf", by: ada)
            for names in [["companion.pet"], []] {
                try await expect(names, 200) {
                    try await world.call(.put, "pet/outfit", as: ada, #"{"items": ["red_scarf"]}"#)
                }
            }
            try await expect([], 409) { try await world.feed(ada, "dinner") }
            try await world.give(50, .energy, to: ada)
            #expect(heard.names(to: ada) == ["companion.wallet"])
            for names in [["companion.pet", "companion.wallet"], []] {
                try await expect(names, 200) { try await world.feed(ada, "dinner", key: "b") }
            }
        }
    }

    @Test("a recovery sends hints of the pet, and of the wallet when it costs something")
    func recoveries() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(gems: 120)
            try await world.live(ada, "UUU")
            _ = try await world.pet(of: ada)
            let heard = HeardHints(world.postgres)
            for names in [["companion.pet", "companion.wallet"], []] {
                #expect(try await world.act("pet/cure", ada, key: "a").status == 200)
                #expect(heard.names(to: ada) == names)
            }
            world.expectProblem(try await world.act("pet/cure", ada), 409, "wrong_pet_state")
            #expect(heard.take() == [])
            try await world.live(ada, "UUUUUUU")
            // From 30 days after the death on a restart is free.
            try await world.clock.advance(by: .days(30))
            _ = try await world.pet(of: ada)
            _ = heard.take()
            #expect(try await world.restart(ada).status == 200)
            #expect(heard.names(to: ada) == ["companion.pet"])
            let page = try await world.call(.get, "memorials", as: ada)
            for (names, status) in [(["companion.pet"], 204), ([], 404)] {
                let id = page.text("memorials", "0", "id")
                #expect(try await world.call(.delete, "memorials/\(id)", as: ada).status == status)
                #expect(heard.names(to: ada) == names)
            }
        }
    }

    @Test("purchases, refunds and cosmetics send hints once, however often they are told")
    func shop() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            _ = try await shop.world.adopt(ada)
            let heard = HeardHints(shop.world.postgres)
            _ = heard.take()
            let bought = try shop.transaction("A", for: ada)
            for names in [["companion.wallet"], []] {
                #expect(try await shop.redeem(bought, ada).status == 200)
                #expect(heard.names(to: ada) == names)
            }
            #expect(try await shop.redeem("nonsense", ada).status == 422)
            #expect(heard.take() == [])
            for names in [["companion.wallet"], []] {
                #expect(try await shop.buy("straw_hat", for: "gems", ada, key: "a").status == 200)
                #expect(heard.names(to: ada) == names)
            }
            #expect(try await shop.buy("cozy_blanket", for: "gems", ada).code == "not_enough_gems")
            #expect(heard.take() == [])
            // The refund takes the hat back, which the pet may wear.
            for names in [["companion.pet", "companion.wallet"], []] {
                try await shop.notifyRefund(of: try shop.revoked("A", for: ada))
                #expect(heard.names(to: ada) == names)
            }
            #expect(try await shop.redeem(try shop.transaction("B", for: ada), ada).status == 200)
            _ = heard.take()
            try await shop.notifyRefund(of: try shop.revoked("B", for: ada))
            #expect(heard.names(to: ada) == ["companion.wallet"])
        }
    }

    @Test("a change of zone sends a hint when it moves the end of the day")
    func zone() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner(timeZone: "Europe/Berlin")
            let heard = HeardHints(world.postgres)
            try await world.move(ada, to: "Europe/Paris")
            #expect(heard.take() == [])
            try await world.clock.advance(by: .days(1))
            _ = try await world.call(.get, "day", as: ada)
            _ = heard.take()
            try await world.move(ada, to: "Asia/Tokyo")
            #expect(heard.names(to: ada) == ["companion.day"])
        }
    }

    @Test("the job that ends days tells the owners of pets, each once, and nobody else")
    func rollJob() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner(name: "Bob"))
            _ = try await world.owner(name: "Cleo")
            for person in [ada, bob] { _ = try await world.adopt(person) }
            try await world.endDay()
            let heard = HeardHints(world.postgres)
            #expect(try await world.feature.roll.runOnce() == 2)
            let hints = heard.take()
            #expect(hints.map(\.name) == ["companion.day", "companion.pet"])
            for hint in hints { #expect(hint.data == "{}" && Set(hint.users) == [ada.id, bob.id]) }
            #expect(try await world.feature.roll.runOnce() == 0)
            #expect(heard.take() == [])
        }
    }
}
