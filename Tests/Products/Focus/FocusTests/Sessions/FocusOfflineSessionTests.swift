import DaylyTesting
import Foundation
import HTTPKit
import Testing

@testable import Focus

@Suite("Sessions of Focus that were held offline, statistics and the record")
struct FocusOfflineSessionTests {
    /// Reports a session with the phone's own times, on 2026-03-02 unless they are whole timestamps.
    private func report(
        _ world: FocusWorld, _ person: Person, from start: String, to end: String? = nil,
        clientTime: String = "12:00:00", goal: Int = 25, beast: Bool = false
    ) async throws -> HTTPAnswer {
        func stamp(_ time: String) -> String { time.count > 8 ? time : "2026-03-02T\(time)Z" }
        let ended = end.map { #", "ended_at": "\#(stamp($0))""# } ?? ""
        return try await world.start(
            person, goal: goal, beast: beast,
            more: #", "started_at": "\#(stamp(start))"\#(ended), "client_time": "\#(stamp(clientTime))""#)
    }

    @Test("a session is reported with its own times, of which fractions are cut off")
    func reported() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let session = try await report(world, ada, from: "2026-03-02T10:00:00.900Z", to: "10:25:00")
            #expect(session.status == 201 && session.text("state") == "completed", "\(session)")
            #expect(session.text("started_at") == "2026-03-02T10:00:00Z" && session.text("xp") == "5")
            #expect(try await world.ledger(of: ada) == [5, 5])
            let running = try await report(world, ada, from: "11:50:00")
            #expect(
                running.text("state") == "running" && running.text("goal_ends_at") == "2026-03-02T12:15:00Z")
        }
    }

    @Test("a phone's wrong clock is corrected")
    func corrected() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let ahead = try await report(world, ada, from: "13:00:00", to: "13:30:00", clientTime: "15:00:00")
            #expect(ahead.text("started_at") == "2026-03-02T10:00:00Z", "\(ahead)")
            #expect(ahead.text("ended_at") == "2026-03-02T10:30:00Z")
            let session = try await world.start(ada)
            try await world.clock.advance(by: .minutes(30))
            let ended = try await world.end(
                session, ada,
                #"{"ended_at": "2026-03-02T14:26:00Z", "client_time": "2026-03-02T14:30:00Z"}"#)
            #expect(ended.text("ended_at") == "2026-03-02T12:26:00Z" && ended.text("state") == "completed")
        }
    }

    /// Guard: an end does not lie before the beginning (`FocusSessionService.outcome`)
    @Test("a session that is too old, or ends before its beginning, is 400")
    func refused() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.proMember()
            for (start, end, pointer) in [
                ("2026-02-23T11:59:59Z", "2026-02-23T12:30:00Z", "/started_at"),
                ("11:00:00", "10:59:59", "/ended_at"),
            ] {
                let answer = try await report(world, ada, from: start, to: end)
                #expect(answer.status == 400 && answer.pointer == pointer, "\(answer)")
            }
            let old = try await report(world, ada, from: "2026-02-23T12:00:00Z", to: "2026-02-23T12:30:00Z")
            #expect(old.status == 201)
            let early = try await report(world, ada, from: "11:00:00", to: "11:10:00", beast: true)
            #expect(early.code == "beast_mode" && early.text("ends_at") == "2026-03-02T11:25:00Z")
            let session = try await world.start(ada)
            let before = #"{"ended_at": "2026-03-02T11:59:00Z", "client_time": "2026-03-02T12:00:00Z"}"#
            #expect(try await world.end(session, ada, before).pointer == "/ended_at")
        }
    }

    /// Guard: a session whose beginning lies ahead ends at once without times (`FocusSessionService.end`)
    @Test("a session that began ahead of the server's clock ends without times")
    func ahead() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let session = try await report(world, ada, from: "12:00:45")
            #expect(session.text("started_at") == "2026-03-02T12:00:45Z", "\(session)")
            let ended = try await world.end(session, ada)
            #expect(ended.status == 200 && ended.text("state") == "canceled", "\(ended)")
            #expect(ended.text("ended_at") == "2026-03-02T12:00:45Z")
        }
    }

    /// Guard: a user starts 200 sessions a day (`FocusSessionService.start`)
    /// Guard: canceled sessions are deleted after 15 days (`FocusSessionStore.deleteOld`)
    @Test("a user starts 200 sessions a day; canceled ones go after 15 days, others after a year")
    func bounds() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            #expect(try await report(world, ada, from: "10:00:00", to: "10:05:00").text("state") == "gave_up")
            for _ in 1..<200 {
                let canceled = try await report(world, ada, from: "11:00:00", to: "11:00:00")
                #expect(canceled.text("state") == "canceled", "\(canceled)")
            }
            let refused = try await report(world, ada, from: "11:00:00", to: "11:00:00")
            #expect(refused.status == 429 && refused.retryAfter != nil, "\(refused)")
            let bob = try await world.member(name: "Bob")
            #expect(try await report(world, bob, from: "11:00:00").status == 201)
            for (days, left) in [(14, 201), (2, 2)] {
                try await world.clock.advance(by: .days(days))
                _ = try await world.feature.purge.runOnce()
                #expect(try await world.count("SELECT count(*) AS count FROM focus_sessions") == left)
            }
            #expect(try await world.start(ada).status == 201)
        }
    }

    /// Guard: sessions of a user do not overlap (`FocusSessionStore.overlaps`)
    @Test("sessions must not overlap, canceled ones left out")
    func overlap() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            #expect(try await report(world, ada, from: "10:00:00", to: "10:30:00").status == 201)
            for (start, end) in [
                ("10:29:59", "11:00:00"), ("09:00:00", "10:00:01"), ("10:10:00", "10:20:00"),
                ("09:00:00", "11:00:00"), ("10:00:00", "10:30:00"), ("10:10:00", nil),
            ] {
                let answer = try await report(world, ada, from: start, to: end)
                #expect(answer.status == 409 && answer.code == "session_active", "\(start) \(end ?? "-")")
            }
            #expect(try await report(world, ada, from: "10:30:00", to: "11:00:00").status == 201)
            #expect(try await report(world, ada, from: "09:00:00", to: "10:00:00").status == 201)
            #expect(
                try await report(world, ada, from: "11:10:00", to: "11:10:05").text("state") == "canceled")
            #expect(try await report(world, ada, from: "11:09:00", to: "11:30:00").status == 201)
            #expect(try await report(world, ada, from: "11:40:00").status == 201)
            #expect(try await report(world, ada, from: "11:35:00", to: "11:45:00").code == "session_active")
            #expect(try await report(world, ada, from: "11:31:00", to: "11:40:00").status == 201)
        }
    }

    /// Guard: canceled sessions are in no list; only completed ones count, and a record is a day at most
    /// (`FocusSessionStore`)
    @Test("statistics count completed sessions by the local day of their end, and the record is the best day")
    func statistics() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member(timeZone: "Europe/Berlin")
            let empty = try await world.call(.get, "stats", as: ada)
            #expect(empty.texts("days", "day").count == 30 && empty.text("record") == "null")
            #expect(empty.texts("days", "day").first == "2026-02-01")
            // It ends at 00:10 of 1 March in Berlin.
            let night = try await report(
                world, ada, from: "2026-02-28T22:40:00Z", to: "2026-02-28T23:10:00Z")
            #expect(night.text("state") == "completed")
            _ = try await report(world, ada, from: "10:00:00", to: "10:25:00")
            _ = try await report(world, ada, from: "10:30:00", to: "10:55:00")
            _ = try await report(world, ada, from: "11:00:00", to: "11:05:00")
            let stats = try await world.call(.get, "stats", as: ada)
            let figures = zip(
                stats.texts("days", "day"),
                zip(stats.texts("days", "completed"), stats.texts("days", "seconds"))
            )
            .map { "\($0) \($1.0) \($1.1)" }
            #expect(figures.suffix(3) == ["2026-02-28 0 0", "2026-03-01 1 1800", "2026-03-02 2 3000"])
            #expect(stats.text("record", "day") == "2026-03-02" && stats.text("record", "seconds") == "3000")
            let long = try await report(
                world, ada, from: "2026-02-24T10:00:00Z", to: "2026-02-27T10:00:00Z")
            #expect(long.text("extra_seconds") == "257700")
            let record = try await world.call(.get, "stats", as: ada)
            #expect(
                record.text("record", "day") == "2026-02-27" && record.text("record", "seconds") == "86400")
            let tag = try #require(record.headers[.eTag])
            #expect(try await world.call(.get, "stats", as: ada, headers: [.ifNoneMatch: tag]).status == 304)
        }
    }

    @Test("XP count for the week's league points")
    func league() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            _ = try await report(world, ada, from: "2026-03-01T10:00:00Z", to: "2026-03-01T11:00:00Z")
            _ = try await report(world, ada, from: "10:00:00", to: "11:00:00", goal: 60)
            let weeks = try await world.postgres.query(
                "SELECT week::text AS week, xp FROM focus_weeks WHERE user_id = \(ada.id) ORDER BY week")
            #expect(
                try weeks.map { "\(try $0.get("week", as: String.self)) \(try $0.get("xp", as: Int.self))" }
                    == ["2026-02-23 5", "2026-03-02 10"])
        }
    }
}
