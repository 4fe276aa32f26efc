import DaylyTesting
import Foundation
import HTTPKit
import Postgres
import Testing

@Suite("The profile of Focus")
struct FocusProfileTests {
    @Test("before the first PUT every call but PUT and DELETE of the profile is 409, and nothing is stored")
    func notJoined() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.person()
            let id = UUID().uuidString.lowercased()
            for (method, path, body) in [
                ("GET", "profile", nil), ("GET", "devices", nil), ("GET", "devices/\(id)", nil),
                ("PUT", "devices/\(id)", #"{"platform": "ios"}"#), ("DELETE", "devices/\(id)", nil),
                ("POST", "devices/\(id)/verification", nil), ("GET", "now", nil), ("GET", "weeks", nil),
                ("GET", "weeks/2026-03-02", nil), ("GET", "days/2026-03-02", nil),
                ("PUT", "days/2026-03-02/rating", #"{"rating": "up"}"#), ("GET", "quips?minutes=30", nil),
                (
                    "POST", "sync",
                    #"{"device_id": "\#(id)", "client_time": "2026-03-02T12:00:00Z", "events": []}"#
                ),
            ] as [(String, String, String?)] {
                let answer = try await world.call(.init(method) ?? .get, path, as: ada, body)
                #expect(
                    answer.status == 409 && answer.code == "focus_not_joined", "\(method) \(path): \(answer)")
            }
            #expect(try await world.call(.delete, "profile", as: ada).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_profiles") == 0)
        }
    }

    /// Guard: a user joins ten times a day: each leaving is a record of the journal
    /// (`FocusProfileService.put`, `CompanionSettingsService.join`)
    @Test("a user joins ten times a day, and may leave at any time")
    func joinings() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.person()
            let join = #"{"consent": "1"}"#
            for _ in 0..<10 {
                for _ in 0..<2 { #expect(try await world.call(.put, "profile", as: ada, join).status == 200) }
                #expect(try await world.call(.delete, "profile", as: ada).status == 204)
            }
            let refused = try await world.call(.put, "profile", as: ada, join)
            #expect(refused.status == 429 && refused.retryAfter != nil, "\(refused)")
            #expect(try await world.call(.get, "profile", as: ada).code == "focus_not_joined")
            #expect(try await world.call(.delete, "profile", as: ada).status == 204)
            try await world.clock.advance(by: .days(1))
            #expect(try await world.call(.put, "profile", as: ada, join).status == 200)
        }
    }

    @Test("a PUT replaces: a member left out, or null, takes its default")
    func defaults() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member(
                #"""
                {"consent": "1", "nickname": "Ada.L_1", "boards": false, "leagues": true, "feed": true,
                "morning": true, "goal_minutes": 180}
                """#)
            let first = try await world.call(.get, "profile", as: ada)
            #expect(first.text("nickname") == "Ada.L_1" && first.text("boards") == "false")
            #expect(first.text("goal_minutes") == "180" && first.text("goal_from_tomorrow") == "null")
            #expect(first.text("joined_at") == FocusWorld.start && first.text("consent") == "1")
            let token = first.text("app_account_token")
            #expect(UUID(uuidString: token) != nil && token == token.lowercased())
            let second = try await world.call(
                .put, "profile", as: ada, #"{"consent": "1", "boards": null, "goal_minutes": 120}"#)
            #expect(second.status == 200 && second.text("nickname") == "null")
            #expect(second.text("boards") == "true" && second.text("leagues") == "false")
            #expect(second.text("feed") == "false" && second.text("morning") == "false")
            #expect(second.text("goal_minutes") == "120" && second.text("app_account_token") == token)
        }
    }

    @Test("a wrong member is 400 with a pointer")
    func invalid() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.person()
            for (body, pointer) in [
                ("{}", "/consent"), (#"{"consent": "2"}"#, "/consent"), (#"{"consent": 1}"#, "/consent"),
                (#"{"consent": "1", "nickname": "ab"}"#, "/nickname"),
                (#"{"consent": "1", "nickname": "a b c"}"#, "/nickname"),
                (#"{"consent": "1", "nickname": "\#(String(repeating: "a", count: 31))"}"#, "/nickname"),
                (#"{"consent": "1", "nickname": "héloïse"}"#, "/nickname"),
                (#"{"consent": "1", "goal_minutes": 14}"#, "/goal_minutes"),
                (#"{"consent": "1", "goal_minutes": 961}"#, "/goal_minutes"),
                (#"{"consent": "1", "boards": "yes"}"#, "/boards"),
            ] {
                let answer = try await world.call(.put, "profile", as: ada, body)
                #expect(answer.code == "invalid_request" && answer.pointer == pointer, "\(body): \(answer)")
            }
        }
    }

    @Test("a nickname is unique regardless of case, also for two who ask at once")
    func nicknameTaken() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(name: "Ada"), try await world.member(name: "Bob"))
            let both = try await atOnce(2) { index in
                try await world.call(
                    .put, "profile", as: index == 0 ? ada : bob,
                    #"{"consent": "1", "nickname": "\#(index == 0 ? "Gauss" : "gAUSS")"}"#)
            }
            #expect(both.map(\.status).sorted() == [200, 409])
            #expect(both.first { $0.status == 409 }?.code == "nickname_taken")
        }
    }

    /// Guard: another nickname waits for 7 days (`FocusProfileService.requirePause`)
    @Test("a nickname can be set again after 7 days, given up at any time, and repeated")
    func nicknamePause() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member(#"{"consent": "1", "nickname": "first"}"#)
            func put(_ nickname: String) async throws -> HTTPAnswer {
                try await world.call(.put, "profile", as: ada, #"{"consent": "1", "nickname": \#(nickname)}"#)
            }
            #expect(try await put(#""first""#).status == 200)
            #expect(try await put("null").status == 200)
            try await world.clock.advance(by: .days(7) - .seconds(1))
            let early = try await put(#""second""#)
            #expect(early.status == 429 && early.code == "rate_limited" && early.retryAfter == 1)
            #expect(early.header("RateLimit") != nil && early.header("RateLimit-Policy") != nil)
            try await world.clock.advance(by: .seconds(1))
            #expect(try await put(#""second""#).status == 200)
            #expect(try await put(#""Second""#).status == 429)
        }
    }

    @Test(
        "G1: a goal is lowered at once and raised from the next local day on",
        arguments: [
            (180, [(1, "240")], ["180", "240", "240"]), (180, [(1, "120")], ["120", "120", "120"]),
            (nil, [(1, "180")], ["180", "180", "180"]), (180, [(1, "null")], ["180", "null", "null"]),
            (180, [(1, "240"), (1, "200")], ["180", "200", "200"]),
            (180, [(1, "240"), (1, "180")], ["180", "180", "180"]),
            (180, [(1, "240"), (2, "300")], ["180", "240", "300"]),
        ] as [(Int?, [(Int, String)], [String])])
    func goal(_ before: Int?, _ puts: [(Int, String)], _ inForce: [String]) async throws {
        try await FocusWorld.run(at: "2026-03-02T12:00:00Z") { world in
            let ada = try await world.member(
                #"{"consent": "1", "goal_minutes": \#(before.map(String.init) ?? "null")}"#)
            for day in 1...3 {
                for (_, goal) in puts where puts.contains(where: { $0.0 == day && $0.1 == goal }) {
                    let put = try await world.call(
                        .put, "profile", as: ada, #"{"consent": "1", "goal_minutes": \#(goal)}"#)
                    #expect(put.status == 200)
                }
                let now = try await world.call(.get, "now", as: ada)
                #expect(now.text("goal", "minutes") == inForce[day - 1], "day \(day)")
                try await world.clock.advance(by: .days(1))
            }
        }
    }

    @Test("the goal that waits is told, and the end of the goal that waits is not")
    func waiting() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member(#"{"consent": "1", "goal_minutes": 180}"#)
            let raised = try await world.call(
                .put, "profile", as: ada, #"{"consent": "1", "goal_minutes": 240}"#)
            #expect(raised.text("goal_minutes") == "180" && raised.text("goal_from_tomorrow") == "240")
            let ended = try await world.call(.put, "profile", as: ada, #"{"consent": "1"}"#)
            #expect(ended.text("goal_minutes") == "180" && ended.text("goal_from_tomorrow") == "null")
        }
    }

    @Test("leaving erases everything of Focus about the user, and only that")
    func leave() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(name: "Ada"), try await world.member(name: "Bob"))
            for person in [ada, bob] {
                let phone = try await world.phone(of: person)
                try await phone.sync(
                    phone.event("L", "10:00"), phone.event("U", "11:00"),
                    phone.usage("2026-03-02", 60, at: "2026-03-02T11:00:00Z"))
            }
            for _ in 0..<2 { #expect(try await world.call(.delete, "profile", as: ada).status == 204) }
            for table in ["profiles", "devices", "event_days", "days", "weeks"] {
                let rows = try await world.postgres.query(
                    "SELECT user_id FROM \(identifier: "focus_\(table)")")
                #expect(
                    try rows.map { try $0.get("user_id", as: UUID.self) } == [bob.id.rawValue], "\(table)")
            }
            #expect(try await world.call(.get, "now", as: ada).code == "focus_not_joined")
            let again = try await world.call(.put, "profile", as: ada, #"{"consent": "1"}"#)
            #expect(again.status == 200)
        }
    }

    /// Guard: leaving deletes the messages about the user and the keys of calls
    /// (`focus_profiles_forget_messages`, `companion_settings_forget_messages` (0054))
    @Test("leaving deletes messages to the user, messages to partners that name them, and keys of calls")
    func leaveMessages() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(name: "Ada"), try await world.member(name: "Bob"))
            let cleo = try await world.member(name: "Cleo")
            for person in [ada, bob] { try await world.registerForPush(person) }
            try await world.group(of: [ada.id, bob.id, cleo.id])
            for (asker, asked) in [(ada, bob), (bob, ada), (cleo, bob)] {
                let path = "partners/\(asked.id.rawValue)"
                #expect(try await world.call(.put, path, as: asker).status == 204)
            }
            for person in [ada, bob] { #expect(try await world.start(person, key: "once").status == 201) }
            #expect(try await world.count("SELECT count(*) AS count FROM outbox") == 3)
            #expect(try await world.count("SELECT count(*) AS count FROM idempotency_keys") == 2)
            #expect(try await world.call(.delete, "profile", as: ada).status == 204)
            let id = ada.id.rawValue.uuidString.lowercased()
            let outbox: SQL = """
                SELECT count(*) AS count FROM outbox o WHERE o::text LIKE '%' || \(id) || '%'
                """
            #expect(try await world.count(outbox) == 0)
            #expect(try await world.count("SELECT count(*) AS count FROM outbox") == 1)
            #expect(try await world.count("SELECT count(*) AS count FROM idempotency_keys") == 1)
        }
    }
}
