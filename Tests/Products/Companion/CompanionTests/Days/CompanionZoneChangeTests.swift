import DaylyTesting
import Foundation
import HTTPKit
import Testing

@testable import Companion

@Suite("Companion: a change of zone")
struct CompanionZoneChangeTests {
    @Test("a day that ends while the zone changes has one end, and the running day ends by the new zone")
    func race() async throws {
        for _ in 1...3 {
            try await CompanionWorld.run { world in
                let ada = try await world.owner(timeZone: "Europe/Berlin")
                try await world.set("2026-03-02T23:00:00Z")
                try await withThrowingTaskGroup(of: Int.self) { group in
                    group.addTask {
                        try await world.callAny(
                            .patch, "users/me", as: ada, #"{"time_zone": "America/New_York"}"#
                        ).status
                    }
                    for _ in 1...6 {
                        group.addTask { try await world.call(.get, "day", as: ada).status }
                        group.addTask {
                            try await world.call(
                                .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 90}"#
                            ).status
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                let (first, second) = (
                    try await world.call(.get, "days/2026-03-02", as: ada),
                    try await world.call(.get, "day", as: ada)
                )
                #expect(first.text("ends_at") == "2026-03-02T23:00:00Z", "\(first)")
                #expect(second.text("begins_at") == "2026-03-02T23:00:00Z", "\(second)")
                #expect(second.text("day") == "2026-03-03", "\(second)")
                #expect(second.text("ends_at") == "2026-03-04T05:00:00Z", "\(second)")
            }
        }
    }

    @Test(
        "a change of the name alone leaves days as they are, and one of an account without Companion is possible"
    )
    func others() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.person(name: "Bob"))
            try await world.move(bob, to: "Asia/Tokyo")
            let before = try await world.call(.get, "day", as: ada)
            let renamed = try await world.callAny(.patch, "users/me", as: ada, #"{"first_name": "Ada L"}"#)
            #expect(renamed.status == 200, "\(renamed)")
            #expect(try await world.call(.get, "day", as: ada).json() == before.json())
        }
    }

    @Test("no midnight from before the beginning of a first day ends it")
    func midnightBefore() async throws {
        try await CompanionWorld.run(at: "2026-03-02T22:30:00Z") { world in
            let ada = try await world.owner(timeZone: "Europe/Berlin")
            // In Auckland it has been 3 March for more than eleven hours.
            try await world.move(ada, to: "Pacific/Auckland")
            let first = try await world.call(.get, "day", as: ada)
            #expect(first.text("day") == "2026-03-02", "\(first)")
            #expect(first.text("ends_at") == "2026-03-03T11:00:00Z", "\(first)")
        }
    }

    @Test("a first day ends at the change of zone if its midnight by the new zone has passed")
    func firstDay() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner(timeZone: "Europe/Berlin")
            // Midnight in Tokyo came an hour ago.
            try await world.set("2026-03-02T16:00:00Z")
            try await world.move(ada, to: "Asia/Tokyo")
            let first = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(first.text("ends_at") == "2026-03-02T16:00:00Z", "\(first)")
            let second = try await world.call(.get, "day", as: ada)
            #expect(second.text("day") == "2026-03-03", "\(second)")
            #expect(second.text("ends_at") == "2026-03-03T15:00:00Z", "\(second)")
        }
    }

    @Test("the export has the settings and the days, or null")
    func export() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.person(name: "Bob"))
            let none = try await world.callAny(.get, "users/me/export", as: bob)
            #expect(none.text("companion") == "null", "\(none)")
            try await world.set("2026-03-03T12:00:00Z")
            let export = try await world.callAny(.get, "users/me/export", as: ada)
            #expect(export.text("companion", "settings", "limit_minutes") == "120", "\(export)")
            #expect(export.text("companion", "days", "0", "ends_at") == "2026-03-03T00:00:00Z", "\(export)")
            #expect(export.text("companion", "days", "1", "day") == "2026-03-03", "\(export)")
        }
    }
}
