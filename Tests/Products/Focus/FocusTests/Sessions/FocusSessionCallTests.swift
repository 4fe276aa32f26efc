import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Testing

@testable import Focus

@Suite("Sessions of Focus")
struct FocusSessionCallTests {
    /// The examples X1 of the contract.
    struct Example: Sendable, CustomTestStringConvertible {
        let goal: Int
        let elapsed: Int
        let beast: Bool
        let state: String
        let xp: Int
        let extra: Int

        var testDescription: String { "\(goal) min, \(elapsed) s, beast mode \(beast): \(state)" }

        init(_ goal: Int, _ elapsed: Int, _ beast: Bool, _ state: String, _ xp: Int, _ extra: Int) {
            (self.goal, self.elapsed, self.beast) = (goal, elapsed, beast)
            (self.state, self.xp, self.extra) = (state, xp, extra)
        }
    }

    @Test(
        "a session ends as the examples say",
        arguments: [
            Example(25, 1_500, false, "completed", 5, 0), Example(25, 1_499, false, "gave_up", 0, 0),
            Example(5, 7_200, false, "completed", 3, 6_900), Example(15, 900, true, "completed", 3, 0),
            Example(16, 960, false, "completed", 5, 0), Example(91, 5_460, false, "completed", 25, 0),
            Example(60, 10, true, "canceled", 0, 0), Example(60, 11, false, "gave_up", 0, 0),
            Example(60, 11, true, "beast_mode", 0, 0),
        ])
    func ends(_ example: Example) async throws {
        try await FocusWorld.run { world in
            let ada = try await world.proMember()
            let ended = try await world.hold(
                ada, goal: example.goal, seconds: example.elapsed, beast: example.beast)
            guard example.state != "beast_mode" else {
                #expect(ended.status == 409 && ended.code == "beast_mode", "\(ended)")
                let end = WireJSON.timestamp(try FocusWorld.date(FocusWorld.start).addingTimeInterval(3_600))
                #expect(ended.text("ends_at") == end)
                return
            }
            #expect(ended.status == 200 && ended.text("state") == example.state, "\(ended)")
            #expect(ended.text("xp") == "\(example.xp)" && ended.text("coins") == "\(example.xp)")
            #expect(ended.text("extra_seconds") == "\(example.extra)")
            #expect(ended.text("elapsed_seconds") == "\(example.elapsed)")
            #expect(try await world.ledger(of: ada) == [example.xp, example.xp])
        }
    }

    @Test("a running session says everything about itself, and ending it again gives the same answer")
    func answers() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let session = try await world.start(ada, more: #", "name": " Reading ", "emoji": "📚""#)
            #expect(session.status == 201)
            #expect(session.text("name") == "Reading" && session.text("emoji") == "📚")
            #expect(session.text("goal_minutes") == "25" && session.text("mode") == "block_list")
            #expect(session.text("beast_mode") == "false" && session.text("state") == "running")
            #expect(session.text("started_at") == "2026-03-02T12:00:00Z")
            #expect(session.text("goal_ends_at") == "2026-03-02T12:25:00Z")
            for member in [
                "schedule_id", "date", "ended_at", "elapsed_seconds", "extra_seconds", "xp", "coins",
            ] { #expect(session.text(member) == "null", "\(member)") }
            let now = try await world.call(.get, "now", as: ada)
            #expect(now.text("session", "id") == session.text("id"))
            let path = "sessions/\(session.text("id"))"
            #expect(try await world.call(.get, path, as: ada).text == session.text)
            try await world.clock.advance(by: .minutes(30))
            let ended = try await world.end(session, ada, "{}")
            #expect(ended.text("state") == "completed" && ended.text("ended_at") == "2026-03-02T12:30:00Z")
            try await world.clock.advance(by: .minutes(30))
            #expect(try await world.end(session, ada).text == ended.text)
            let after = try await world.call(.get, "now", as: ada)
            #expect(after.text("session") == "null" && after.text("xp") == "5" && after.text("coins") == "5")
            let tag = try #require(try await world.call(.get, path, as: ada).headers[.eTag])
            #expect(try await world.call(.get, path, as: ada, headers: [.ifNoneMatch: tag]).status == 304)
        }
    }

    @Test("a stranger's session, and an unknown one, are 404")
    func strangers() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            let session = try await world.start(ada)
            #expect(try await world.call(.get, "sessions/\(session.text("id"))", as: bob).status == 404)
            #expect(try await world.end(session, bob).status == 404)
            #expect(try await world.call(.get, "sessions/\(UUID())", as: ada).status == 404)
        }
    }

    @Test("wrong members of a new session are 400")
    func invalid() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.proMember()
            let time = #""client_time": "2026-03-02T12:00:00Z""#
            for (body, pointer) in [
                (#"{"mode": "block_list"}"#, "/goal_minutes"),
                (#"{"goal_minutes": 4, "mode": "block_list"}"#, "/goal_minutes"),
                (#"{"goal_minutes": 121, "mode": "block_list"}"#, "/goal_minutes"),
                (#"{"goal_minutes": 25}"#, "/mode"), (#"{"goal_minutes": 25, "mode": "all"}"#, "/mode"),
                (#"{"goal_minutes": 25, "mode": "block_list", "name": " "}"#, "/name"),
                (#"{"goal_minutes": 25, "mode": "block_list", "emoji": ""}"#, "/emoji"),
                (#"{"goal_minutes": 25, "mode": "block_list", "emoji": "123456789"}"#, "/emoji"),
                (#"{"goal_minutes": 25, "mode": "block_list", "date": "2026-03-02"}"#, "/date"),
                (#"{"schedule_id": "0198a6e0-0000-7000-8000-000000000001"}"#, "/date"),
                (
                    #"{"schedule_id": "0198a6e0-0000-7000-8000-000000000001", "date": "2026-02-30"}"#, "/date"
                ),
                (
                    #"{"goal_minutes": 25, "mode": "block_list", "started_at": "2026-03-02T11:00:00Z"}"#,
                    "/client_time"
                ),
                (
                    #"{"goal_minutes": 25, "mode": "block_list", "ended_at": "2026-03-02T11:00:00Z", \#(time)}"#,
                    "/ended_at"
                ),
                (#"{"goal_minutes": 25, "mode": "block_list", \#(time)}"#, "/client_time"),
            ] {
                let answer = try await world.call(.post, "sessions", as: ada, body)
                #expect(answer.status == 400 && answer.pointer == pointer, "\(body): \(answer)")
            }
            let session = try await world.start(ada)
            for body in [#"{"ended_at": "2026-03-02T12:00:00Z"}"#, "{\(time)}"] {
                #expect(try await world.end(session, ada, body).status == 400)
            }
        }
    }

    /// Guard: a user's calls run one after the other (`FocusMemberStore.requireLocked`)
    @Test("a user has one session at a time, of eight starts at once too")
    func once() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<8 { group.addTask { try await world.start(ada) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 201 }.count == 1)
            #expect(answers.filter { $0.code == "session_active" }.count == 7)
        }
    }

    @Test("of ends at once, one pays")
    func endsAtOnce() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let session = try await world.start(ada)
            try await world.clock.advance(by: .minutes(25))
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<8 { group.addTask { try await world.end(session, ada) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers.map(\.text)).count == 1 && answers.allSatisfy { $0.status == 200 })
            #expect(try await world.ledger(of: ada) == [5, 5])
        }
    }

    @Test("a start is repeated under its key, and other bytes are refused")
    func idempotent() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let first = try await world.start(ada, key: "one")
            try await world.clock.advance(by: .minutes(25))
            _ = try await world.end(first, ada)
            let again = try await world.start(ada, key: "one")
            #expect(again.status == 200 && again.text("id") == first.text("id"))
            #expect(again.text("state") == "completed")
            let other = try await world.start(ada, goal: 30, key: "one")
            #expect(other.status == 422 && other.code == "idempotency_key_reused")
            #expect(try await world.start(ada, key: "two").status == 201)
            let malformed = try await world.start(ada, key: String(repeating: "k", count: 65))
            #expect(malformed.status == 400)
        }
    }

    /// Guard: beast mode needs Pro, in schedules too (`FocusSessionService`, `FocusScheduleService.check`)
    @Test("beast mode needs Pro")
    func pro() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let refused = try await world.start(ada, beast: true)
            #expect(refused.status == 409 && refused.code == "pro_required")
        }
    }

    /// Guard: a local day pays so many sessions (`FocusSessionStore.countPaid`)
    @Test("after the paid sessions of a local day, further ones pay nothing")
    func paid() async throws {
        try await FocusWorld.run(settings: { $0.paidSessions = 2 }) { world in
            // There it is 23:00, and the next day begins at 13:00 UTC.
            let ada = try await world.member(timeZone: "Etc/GMT-11")
            for (number, xp) in [(1, "3"), (2, "3"), (3, "0"), (4, "3")] {
                if number == 4 { try await world.set("2026-03-02T13:00:00Z") }
                let ended = try await world.hold(ada, goal: 5, seconds: 300)
                #expect(ended.text("state") == "completed" && ended.text("xp") == xp, "\(number): \(ended)")
            }
            #expect(try await world.ledger(of: ada) == [9, 9])
        }
    }

    @Test(
        "a session without an end is lost after seven days, and the next one can begin before the job has run"
    )
    func lost() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            let (first, other) = (try await world.start(ada), try await world.start(bob))
            try await world.clock.advance(by: .days(7))
            #expect(
                try await world.feature.ends.runOnce() == 0)
            #expect(try await world.start(ada).code == "session_active")
            try await world.clock.advance(by: .seconds(1))
            #expect(try await world.start(ada).status == 201)
            #expect(
                try await world.feature.ends.runOnce() == 1)
            for (person, session) in [(ada, first), (bob, other)] {
                let lost = try await world.end(session, person)
                #expect(lost.text("state") == "lost" && lost.text("xp") == "0" && lost.text("coins") == "0")
                for member in ["ended_at", "elapsed_seconds", "extra_seconds"] {
                    #expect(lost.text(member) == "null")
                }
            }
        }
    }

    /// Guard: canceled sessions are in no list; only completed ones count, and a record is a day at most
    /// (`FocusSessionStore`)
    @Test("the list is newest first in pages of fifty, without canceled sessions")
    func list() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            _ = try await world.hold(ada, seconds: 10)
            for _ in 0..<52 {
                try await world.clock.advance(by: .seconds(60))
                _ = try await world.hold(ada, seconds: 30)
            }
            let first = try await world.call(.get, "sessions", as: ada)
            let cursor = first.text("cursor")
            let second = try await world.call(.get, "sessions?cursor=\(cursor)", as: ada)
            let ids = first.texts("sessions", "id") + second.texts("sessions", "id")
            let times = first.texts("sessions", "started_at") + second.texts("sessions", "started_at")
            #expect(first.texts("sessions", "id").count == 50 && Set(ids).count == 52)
            #expect(times == times.sorted(by: >) && second.text("cursor") == "null")
            let bob = try await world.member()
            for (person, cursor) in [(ada, "nonsense"), (ada, ""), (bob, cursor)] {
                let gone = try await world.call(.get, "sessions?cursor=\(cursor)", as: person)
                #expect(gone.status == 410 && gone.code == "cursor_expired")
            }
        }
    }
}
