import DaylyTesting
import Foundation
import HTTPKit
import HTTPTypes
import Testing

@testable import Companion

@Suite("Companion: settings")
struct CompanionSettingsTests {
    @Test("before joining, the calls about settings and days are 409, and nothing is stored")
    func notJoined() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.person()
            for path in ["settings", "day", "days/2026-03-02", "days/nonsense"] {
                let answer = try await world.call(.get, path, as: ada)
                #expect(answer.status == 409 && answer.code == "companion_not_joined", "\(path): \(answer)")
            }
            #expect(try await world.call(.delete, "settings", as: ada).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM companion_settings") == 0)
            #expect(try await world.count("SELECT count(*) AS count FROM erasures") == 0)
        }
    }

    /// Guard: a user joins ten times a day: each leaving is a record of the journal
    /// (`FocusProfileService.put`, `CompanionSettingsService.join`)
    @Test("a user joins ten times a day, and may leave at any time")
    func joinings() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.person()
            let join = #"{"consent": "1", "limit_minutes": 60}"#
            for _ in 0..<10 {
                for _ in 0..<2 {
                    #expect(try await world.call(.put, "settings", as: ada, join).status == 200)
                }
                #expect(try await world.call(.delete, "settings", as: ada).status == 204)
            }
            let refused = try await world.call(.put, "settings", as: ada, join)
            #expect(refused.status == 429 && refused.retryAfter != nil, "\(refused)")
            #expect(try await world.call(.get, "settings", as: ada).code == "companion_not_joined")
            #expect(try await world.call(.delete, "settings", as: ada).status == 204)
            try await world.clock.advance(by: .days(1))
            #expect(try await world.call(.put, "settings", as: ada, join).status == 200)
        }
    }

    @Test("the first PUT joins, and a later one replaces: a member left out, or null, takes its default")
    func defaults() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner(
                #"""
                {"consent": "1", "limit_minutes": 90, "cooldown_minutes": 45, "nightly": false,
                "schedule": {"from": "22:00", "to": "06:05", "weekdays": [5, 1]}}
                """#)
            let first = try await world.call(.get, "settings", as: ada)
            #expect(first.text("consent") == "1" && first.text("joined_at") == CompanionWorld.start)
            #expect(first.text("limit_minutes") == "90" && first.text("limit_minutes_today") == "90")
            #expect(first.text("cooldown_minutes") == "45" && first.text("nightly") == "false")
            #expect(first.text("schedule", "from") == "22:00" && first.text("schedule", "to") == "06:05")
            #expect(first.text("schedule", "weekdays") == "[1, 5]")
            try await world.clock.advance(by: .hours(1))
            let second = try await world.call(
                .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 90, "nightly": null}"#)
            #expect(second.status == 200 && second.text("cooldown_minutes") == "30", "\(second)")
            #expect(second.text("schedule") == "null" && second.text("nightly") == "true")
            #expect(second.text("joined_at") == CompanionWorld.start)
            let read = try await world.call(.get, "settings", as: ada)
            #expect(read.json() == second.json())
            let tag = try #require(read.header("ETag"))
            let again = try await world.call(
                .get, "settings", as: ada, headers: [.ifNoneMatch: tag])
            #expect(again.status == 304)
        }
    }

    @Test("a wrong member is 400 with a pointer and changes nothing")
    func invalid() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.person()
            func schedule(_ from: String, _ to: String, _ days: String) -> String {
                #"{"consent": "1", "limit_minutes": 90, "schedule": {"from": "\#(from)", "to": "\#(to)", "weekdays": \#(days)}}"#
            }
            for (body, pointer) in [
                ("{}", "/consent"), (#"{"consent": "2", "limit_minutes": 90}"#, "/consent"),
                (#"{"consent": "1"}"#, "/limit_minutes"),
                (#"{"consent": "1", "limit_minutes": 14}"#, "/limit_minutes"),
                (#"{"consent": "1", "limit_minutes": 961}"#, "/limit_minutes"),
                (#"{"consent": "1", "limit_minutes": "90"}"#, "/limit_minutes"),
                (#"{"consent": "1", "limit_minutes": 90, "cooldown_minutes": 15}"#, "/cooldown_minutes"),
                (#"{"consent": "1", "limit_minutes": 90, "nightly": "yes"}"#, "/nightly"),
                (schedule("24:00", "06:00", "[1]"), "/schedule/from"),
                (schedule("9:00", "06:00", "[1]"), "/schedule/from"),
                (schedule("09:00", "06:60", "[1]"), "/schedule/to"),
                (schedule("09:00", "06:00", "[]"), "/schedule/weekdays"),
                (schedule("09:00", "06:00", "[0]"), "/schedule/weekdays"),
                (schedule("09:00", "06:00", "[8]"), "/schedule/weekdays"),
                (schedule("09:00", "06:00", "[1, 1]"), "/schedule/weekdays"),
            ] {
                let answer = try await world.call(.put, "settings", as: ada, body)
                #expect(answer.code == "invalid_request" && answer.pointer == pointer, "\(body): \(answer)")
            }
            #expect(try await world.count("SELECT count(*) AS count FROM companion_settings") == 0)
        }
    }

    @Test("limits: a lower one holds at once, a higher one from the next day on")
    func limits() async throws {
        for (set, today, tomorrow) in [
            ([240], 120, 240), ([90], 90, 90), ([240, 90], 90, 90), ([90, 120], 90, 120),
        ] {
            try await CompanionWorld.run { world in
                let ada = try await world.owner()
                for limit in set {
                    let put = try await world.call(
                        .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": \#(limit)}"#)
                    #expect(put.text("limit_minutes") == "\(limit)", "\(put)")
                }
                let settings = try await world.call(.get, "settings", as: ada)
                #expect(settings.text("limit_minutes_today") == "\(today)", "\(set): \(settings)")
                #expect(settings.text("limit_minutes") == "\(tomorrow)", "\(set): \(settings)")
                #expect(try await world.call(.get, "day", as: ada).text("limit_minutes") == "\(today)")
                try await world.set("2026-03-03T00:00:00Z")
                let next = try await world.call(.get, "day", as: ada)
                #expect(next.text("limit_minutes") == "\(tomorrow)", "\(set): \(next)")
                let ended = try await world.call(.get, "days/2026-03-02", as: ada)
                #expect(ended.text("limit_minutes") == "\(today)", "\(set): \(ended)")
                #expect(
                    try await world.call(.get, "settings", as: ada).text("limit_minutes_today")
                        == "\(tomorrow)")
            }
        }
    }

    @Test(
        "a change after midnight leaves the limit of the day that has ended, though nobody had looked since")
    func limitOfEndedDay() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            try await world.set("2026-03-03T00:00:00Z")
            let put = try await world.call(
                .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 60}"#)
            #expect(put.text("limit_minutes_today") == "60", "\(put)")
            let ended = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(ended.text("limit_minutes") == "120", "\(ended)")
        }
    }

    /// Guard: an account joins once (`CompanionSettingsStore.insert`)
    @Test("many who join at once with one account join once")
    func joinsAtOnce() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.person()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for limit in 15..<25 {
                    group.addTask {
                        try await world.call(
                            .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": \#(limit)}"#
                        ).status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await world.count("SELECT count(*) AS count FROM companion_settings") == 1)
            #expect(try await world.count("SELECT count(*) AS count FROM companion_days") == 1)
        }
    }
}
