import DaylyTesting
import Foundation
import HTTPKit
import HTTPTypes
import Postgres
import Testing

@Suite("The phones of Focus")
struct FocusPhoneTests {
    @Test("phones are numbered in the order of registration, and a number is never given again")
    func numbers() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phones = [try await world.phone(of: ada), try await world.phone(of: ada, platform: "ios")]
            #expect(try await world.call(.get, "devices", as: ada).texts("devices", "number") == ["1", "2"])
            for _ in 0..<2 {
                #expect(try await world.call(.delete, "devices/\(phones[1].id)", as: ada).status == 204)
            }
            #expect(try await phones[1].state().status == 404)
            let again = try await phones[1].report(#""platform": "ios""#)
            #expect(again.text("number") == "3" && again.text("setup") == "not_started")
            #expect(again.text("status") == "pending" && again.text("issue") == "never_verified")
            let bob = try await world.member(name: "Bob")
            let same = try await world.call(.put, "devices/\(phones[0].id)", as: bob, #"{"platform": "ios"}"#)
            #expect(same.text("number") == "1" && same.text("id") == phones[0].id)
        }
    }

    /// Guard: a user has a limited number of phones (`FocusDeviceStore.insert`)
    @Test("a user has at most five phones, also if the last two come at once")
    func limit() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            for _ in 0..<4 { _ = try await world.phone(of: ada) }
            let both = try await atOnce(2) { _ in
                try await world.call(
                    .put, "devices/\(UUID().uuidString)", as: ada, #"{"platform": "android"}"#)
            }
            #expect(both.map(\.status).sorted() == [200, 409])
            #expect(both.first { $0.status == 409 }?.code == "device_limit_reached")
        }
    }

    /// Guard: a user registers five phones a day, since each leaves a row that folds read
    /// (`FocusDeviceService.register`)
    @Test("a user registers five phones a day, however often they replace one")
    func replacements() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            for _ in 0..<5 {
                let phone = try await world.phone(of: ada)
                #expect(try await world.call(.delete, "devices/\(phone.id)", as: ada).status == 204)
            }
            let path = "devices/\(UUID().uuidString)"
            let refused = try await world.call(.put, path, as: ada, #"{"platform": "android"}"#)
            #expect(refused.status == 429 && refused.retryAfter != nil)
            try await world.clock.advance(by: .hours(24))
            #expect(try await world.call(.put, path, as: ada, #"{"platform": "android"}"#).status == 200)
        }
    }

    @Test("a report is taken as section 3 says, and what it leaves out stays as it is")
    func reports() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            #expect(try await phone.state().text("setup") == "verified")
            #expect(try await phone.state().text("status") == "verified")
            #expect(try await phone.state().text("verified_at") == FocusWorld.start)
            var answer = try await phone.report(
                #""platform": "android", "setup": "failed", "reason": "unknown""#)
            #expect(answer.text("setup") == "failed" && answer.text("reason") == "unknown")
            #expect(answer.text("status") == "verified")
            answer = try await phone.report(#""platform": "android", "status": "broken""#)
            #expect(answer.text("setup") == "failed" && answer.text("status") == "broken")
            #expect(answer.text("issue") == "no_recent_unlocks" && answer.text("issue_hours") == "null")
            answer = try await phone.report(#""platform": "android", "setup": "in_progress""#)
            #expect(answer.text("setup") == "in_progress" && answer.text("reason") == "null")
            #expect(answer.text("status") == "broken")
            try await phone.sync(phone.event("U", "11:59"))
            #expect(try await phone.state().text("status") == "verified")
            answer = try await phone.report(
                #""platform": "android", "issue": "app_open_without_recent_unlock""#)
            #expect(answer.text("status") == "verified")
            #expect(answer.text("issue") == "app_open_without_recent_unlock")
            try await phone.sync()
            #expect(try await phone.state().text("issue") == "app_open_without_recent_unlock")
            try await phone.sync(phone.event("U", "12:00"))
            #expect(try await phone.state().text("issue") == "null")
        }
    }

    @Test("a wrong report is 400 with a pointer")
    func invalid() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let (android, ios) = (
                try await world.phone(of: ada), try await world.phone(of: ada, platform: "ios")
            )
            for (phone, body, pointer) in [
                (android, #""platform": "windows""#, "/platform"),
                (android, #""platform": "ios""#, "/platform"),
                (android, #""setup": "in_progress""#, "/platform"),
                (android, #""platform": "android", "setup": "not_started""#, "/setup"),
                (android, #""platform": "android", "setup": "awaiting_verification""#, "/setup"),
                (ios, #""platform": "ios", "setup": "verified""#, "/setup"),
                (ios, #""platform": "ios", "setup": "failed""#, "/reason"),
                (ios, #""platform": "ios", "setup": "failed", "reason": "no_event_received""#, "/reason"),
                (ios, #""platform": "ios", "status": "verified""#, "/status"),
                (ios, #""platform": "ios", "issue": "never_verified""#, "/issue"),
            ] {
                let answer = try await phone.report(body)
                #expect(answer.status == 400 && answer.pointer == pointer, "\(body): \(answer)")
            }
            #expect(try await android.state().text("platform") == "android")
            let window = try await world.call(.post, "devices/\(android.id)/verification", as: ada)
            #expect(window.status == 400)
        }
    }

    @Test(
        "V1: an unlock in the window verifies",
        arguments: [
            ("S", "12:00:00", "2026-03-02T12:00:01Z", true), ("V", "12:02:00", "2026-03-02T12:02:01Z", true),
            ("S", "12:02:01", "2026-03-02T12:02:02Z", false),
            ("S", "11:59:59", "2026-03-02T12:00:05Z", false),
            ("M", "12:01:00", "2026-03-02T12:01:01Z", false), ("S", "12:01:00", "2026-03-03T12:00:00Z", true),
            ("S", "12:01:00", "2026-03-03T12:00:01Z", false),
        ] as [(Character, String, String, Bool)])
    func window(_ kind: Character, _ time: String, _ arrival: String, _ verifies: Bool) async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada, platform: "ios")
            let window = try await world.call(.post, "devices/\(phone.id)/verification", as: ada)
            #expect(window.status == 201 && window.text("window_starts_at") == "2026-03-02T12:00:00Z")
            #expect(window.text("window_ends_at") == "2026-03-02T12:02:00Z")
            #expect(try await phone.state().text("setup") == "awaiting_verification")
            try await world.set(arrival)
            try await phone.sync(phone.event(kind, time))
            let state = try await phone.state()
            #expect((state.text("verified_at") != "null") == verifies)
            #expect((state.text("status") == "pending") == !verifies)
            if verifies { #expect(state.text("setup") == "verified") }
        }
    }

    @Test("a window that ends without an unlock has failed, until an unlock of it arrives late")
    func late() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada, platform: "ios")
            _ = try await world.call(.post, "devices/\(phone.id)/verification", as: ada)
            try await world.set("2026-03-02T12:02:00Z")
            #expect(try await phone.state().text("setup") == "awaiting_verification")
            try await world.set("2026-03-02T12:02:01Z")
            #expect(try await phone.state().text("setup") == "failed")
            #expect(try await phone.state().text("reason") == "no_event_received")
            try await phone.sync(phone.event("S", "12:00:30"))
            #expect(try await phone.state().text("setup") == "verified")
            #expect(try await phone.state().text("reason") == "null")
        }
    }

    @Test("a report ends the open window")
    func ended() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada, platform: "ios")
            _ = try await world.call(.post, "devices/\(phone.id)/verification", as: ada)
            try await phone.report(#""platform": "ios", "setup": "in_progress""#)
            try await phone.sync(phone.event("S", "12:00:00"))
            #expect(try await phone.state().text("verified_at") == "null")
            #expect(try await phone.state().text("setup") == "in_progress")
        }
    }

    @Test(
        "H1: the health at a sync without an unlock",
        arguments: [
            (10, "verified", "null", "null"), (86_400, "verified", "null", "null"),
            (86_401, "broken", "no_recent_unlocks", "24"), (90_000, "broken", "no_recent_unlocks", "25"),
        ])
    func health(_ seconds: Int, _ status: String, _ issue: String, _ hours: String) async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            try await phone.sync(phone.event("U", "12:00:00"))
            try await world.clock.advance(by: .seconds(seconds))
            let answer = try await phone.sync()
            #expect(answer.text("now", "status") == status)
            let state = try await phone.state()
            #expect(state.text("status") == status && state.text("issue") == issue)
            #expect(state.text("issue_hours") == hours && state.text("last_unlock_at") == FocusWorld.start)
        }
    }

    @Test(
        "a phone without any unlock is broken after its first sync, and one that was never verified stays pending"
    )
    func neverUnlocked() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let pending = try await world.phone(of: ada, platform: "ios")
            #expect(try await pending.sync(pending.event("S", "11:59:50")).text("now", "status") == "pending")
            #expect(
                try await pending.report(#""platform": "ios", "status": "broken""#).text("status")
                    == "pending")
            let phone = try await world.phone(of: ada)
            #expect(try await world.call(.get, "now", as: ada).text("status") == "verified")
            #expect(try await phone.sync().text("now", "status") == "broken")
            #expect(try await phone.state().text("issue_hours") == "null")
            #expect(try await pending.state().text("issue") == "never_verified")
        }
    }

    /// Guard: verifications are counted by the hour (`FocusDeviceService.openWindow`)
    @Test("ten verifications an hour, and a repeated call with the same key counts once")
    func verificationLimit() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada, platform: "ios")
            func open(_ key: String? = nil) async throws -> HTTPAnswer {
                let headers: HTTPFields = key.map { [.idempotencyKey: $0] } ?? [:]
                return try await world.call(
                    .post, "devices/\(phone.id)/verification", as: ada, headers: headers)
            }
            let first = try await open("one")
            try await world.clock.advance(by: .seconds(5))
            let again = try await open("one")
            #expect(first.status == 201 && again.status == 200)
            #expect(again.text("window_starts_at") == first.text("window_starts_at"))
            for _ in 0..<9 { #expect(try await open().status == 201) }
            let refused = try await open()
            #expect(refused.status == 429 && refused.header("RateLimit") != nil)
            #expect(refused.header("RateLimit-Policy") != nil)
            #expect(try await open("one").status == 200)
        }
    }
}
