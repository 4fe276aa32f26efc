import DaylyTesting
import FocusRules
import Foundation
import HTTPKit
import Testing

@testable import Focus

@Suite("Schedules of Focus")
struct FocusScheduleTests {
    private func create(
        _ world: FocusWorld, _ person: Person, _ from: String, _ to: String,
        on weekdays: String = "1,2,3,4,5,6,7",
        beast: Bool = false, key: String? = nil
    ) async throws -> HTTPAnswer {
        try await world.call(
            .post, "schedules", as: person, body(from, to, weekdays, beast),
            headers: FocusWorld.idempotent(key))
    }

    private func body(_ from: String, _ to: String, _ weekdays: String, _ beast: Bool = false) -> String {
        """
        {"name": "Night", "emoji": "🌙", "from": "\(from)", "to": "\(to)", "weekdays": [\(weekdays)],
        "mode": "allow_list", "beast_mode": \(beast)}
        """
    }

    private func start(
        _ world: FocusWorld, _ person: Person, _ schedule: HTTPAnswer, _ date: String, more: String = ""
    ) async throws -> HTTPAnswer {
        try await world.call(
            .post, "sessions", as: person,
            #"{"schedule_id": "\#(schedule.text("id"))", "date": "\#(date)"\#(more)}"#)
    }

    /// The examples C1 of the contract.
    /// Guard: a start lies within the schedule's date (`FocusScheduleStore.end`)
    @Test(
        "a date of a schedule begins and ends by the clock of the zone",
        arguments: [
            [
                "2026-03-28", "22:00", "06:00", "Europe/Berlin", "2026-03-28T21:00:00Z",
                "2026-03-29T04:00:00Z", "420",
            ],
            [
                "2026-10-24", "22:00", "06:00", "Europe/Berlin", "2026-10-24T20:00:00Z",
                "2026-10-25T05:00:00Z", "540",
            ],
            [
                "2026-03-29", "02:30", "06:00", "Europe/Berlin", "2026-03-29T01:00:00Z",
                "2026-03-29T04:00:00Z", "180",
            ],
            [
                "2026-10-25", "02:30", "06:00", "Europe/Berlin", "2026-10-25T00:30:00Z",
                "2026-10-25T05:00:00Z", "270",
            ],
            [
                "2026-09-05", "23:30", "01:00", "America/Santiago", "2026-09-06T03:30:00Z",
                "2026-09-06T04:00:00Z",
                "30",
            ],
            ["2026-03-02", "09:00", "09:20", "UTC", "2026-03-02T09:00:00Z", "2026-03-02T09:20:00Z", "20"],
        ])
    func dates(_ example: [String]) async throws {
        let (date, begin, end) = (example[0], example[4], try FocusWorld.date(example[5]))
        let first = try FocusWorld.date(begin)
        try await FocusWorld.run(at: WireJSON.timestamp(first.addingTimeInterval(-60))) { world in
            let ada = try await world.member(timeZone: example[3])
            let schedule = try await create(world, ada, example[1], example[2])
            #expect(schedule.status == 201 && schedule.text("next_at") == begin, "\(schedule)")
            #expect(try await start(world, ada, schedule, date).pointer == "/date")
            try await world.clock.set(to: end)
            #expect(try await start(world, ada, schedule, date).pointer == "/date")
        }
        try await FocusWorld.run(at: begin) { world in
            let ada = try await world.member(timeZone: example[3])
            let schedule = try await create(world, ada, example[1], example[2])
            let session = try await start(world, ada, schedule, date)
            #expect(session.status == 201 && session.text("goal_minutes") == example[6], "\(session)")
            #expect(session.text("started_at") == begin && session.text("goal_ends_at") == example[5])
            #expect(session.text("schedule_id") == schedule.text("id") && session.text("date") == date)
            #expect(session.text("name") == "Night" && session.text("mode") == "allow_list")
        }
    }

    /// Example X1: a goal of 720 minutes.
    @Test("a session of a schedule may last twelve hours, and one that begins late has a shorter goal")
    func goals() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let schedule = try await create(world, ada, "12:00", "00:00")
            let session = try await start(world, ada, schedule, "2026-03-02")
            #expect(session.text("goal_minutes") == "720", "\(session)")
            try await world.clock.advance(by: .hours(12))
            let ended = try await world.end(session, ada)
            #expect(ended.text("state") == "completed" && ended.text("xp") == "25")
            try await world.set("2026-03-03T22:30:31Z")
            #expect(try await start(world, ada, schedule, "2026-03-03").text("goal_minutes") == "89")
        }
    }

    /// Guard: a start lies within the schedule's date (`FocusScheduleStore.end`)
    @Test("a schedule starts once a date, on its weekdays only, and a session under way wins")
    func once() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let schedule = try await create(world, ada, "11:00", "13:00", on: "1")
            let manual = try await world.start(ada)
            #expect(try await start(world, ada, schedule, "2026-03-02").code == "session_active")
            _ = try await world.end(manual, ada)
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<4 { group.addTask { try await start(world, ada, schedule, "2026-03-02") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 201 }.count == 1)
            #expect(answers.filter { $0.code == "schedule_already_started" }.count == 3)
            let session = try #require(answers.first { $0.status == 201 })
            try await world.clock.advance(by: .seconds(30))
            _ = try await world.end(session, ada)
            #expect(try await start(world, ada, schedule, "2026-03-02").code == "schedule_already_started")
            for date in ["2026-03-01", "2026-03-03", "2026-03-09"] {
                #expect(try await start(world, ada, schedule, date).status == 400, "\(date)")
            }
            try await world.set("2026-03-03T12:00:00Z")
            #expect(try await start(world, ada, schedule, "2026-03-03").status == 400)
            let bob = try await world.member()
            #expect(try await start(world, bob, schedule, "2026-03-02").status == 404)
            #expect(
                try await start(world, ada, schedule, "2026-03-03", more: #", "goal_minutes": 25"#).status
                    == 400)
        }
    }

    /// Guard: after Pro only the oldest schedule starts (`FocusScheduleStore.isOldest`)
    @Test("after the end of Pro, only the oldest schedule can be started")
    func afterPro() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.proMember()
            let oldest = try await create(world, ada, "12:00", "13:00")
            try await world.clock.advance(by: .seconds(1))
            let newer = try await create(world, ada, "14:00", "15:00", beast: true)
            #expect(newer.status == 201)
            try await world.endPro(of: ada)
            #expect(try await start(world, ada, oldest, "2026-03-02").status == 201)
            try await world.set("2026-03-02T14:00:00Z")
            #expect(try await start(world, ada, newer, "2026-03-02").code == "pro_required")
            let list = try await world.call(.get, "schedules", as: ada)
            #expect(list.texts("schedules", "id") == [oldest.text("id"), newer.text("id")])
        }
    }

    /// Guard: a user's calls run one after the other (`FocusMemberStore.requireLocked`)
    @Test("one schedule is free, and Pro has fifty; of eight at once one is made")
    func limits() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.proMember())
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for hour in 10..<18 {
                    group.addTask { try await create(world, ada, "\(hour):00", "\(hour):30") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 201 }.count == 1)
            #expect(answers.filter { $0.code == "schedule_limit_reached" }.count == 7)
            for number in 0..<50 {
                let (hour, day) = (10 + number % 10, 1 + number / 10)
                #expect(try await create(world, bob, "\(hour):00", "\(hour):30", on: "\(day)").status == 201)
            }
            #expect(try await create(world, bob, "08:00", "08:30").code == "schedule_limit_reached")
        }
    }

    /// Guard: beast mode needs Pro, in schedules too (`FocusSessionService`, `FocusScheduleService.check`)
    @Test("beast mode needs Pro in a schedule too")
    func beastMode() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            #expect(try await create(world, ada, "12:00", "13:00", beast: true).code == "pro_required")
            let schedule = try await create(world, ada, "12:00", "13:00")
            let put = try await world.call(
                .put, "schedules/\(schedule.text("id"))", as: ada, body("12:00", "13:00", "1", true))
            #expect(put.status == 409 && put.code == "pro_required")
        }
    }

    /// The examples C2 of the contract.
    /// Guard: schedules do not overlap (`FocusScheduleService.check`)
    @Test("schedules must not overlap by the clock, Sunday night included")
    func overlap() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.proMember()
            #expect(try await create(world, ada, "22:00", "06:00", on: "7").status == 201)
            let refused = try await create(world, ada, "05:59", "07:00", on: "1")
            #expect(refused.status == 409 && refused.code == "schedule_overlap")
            #expect(try await create(world, ada, "06:00", "07:00", on: "1").status == 201)
            #expect(try await create(world, ada, "09:00", "10:00", on: "1,2").status == 201)
            let other = try await create(world, ada, "09:30", "11:00", on: "3,4")
            #expect(other.status == 201)
            let path = "schedules/\(other.text("id"))"
            let moved = try await world.call(.put, path, as: ada, body("09:30", "11:00", "2"))
            #expect(moved.code == "schedule_overlap")
            let kept = try await world.call(.put, path, as: ada, body("09:45", "11:15", "4"))
            #expect(kept.status == 200 && kept.text("from") == "09:45" && kept.text("to") == "11:15")
            #expect(kept.json("weekdays")?.elements.map(\.text) == ["4"])
        }
    }

    @Test("wrong members are 400, and unknown schedules 404; a delete may be repeated")
    func invalid() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            for (from, to, weekdays, pointer) in [
                ("9:00", "10:00", "1", "/from"), ("24:00", "10:00", "1", "/from"),
                ("09:00", "10:60", "1", "/to"),
                ("09:00", "09:19", "1", "/to"), ("09:00", "21:01", "1", "/to"),
                ("09:00", "09:00", "1", "/to"),
                ("09:00", "10:00", "", "/weekdays"), ("09:00", "10:00", "0", "/weekdays"),
                ("09:00", "10:00", "8", "/weekdays"), ("09:00", "10:00", "1,1", "/weekdays"),
            ] {
                let answer = try await create(world, ada, from, to, on: weekdays)
                #expect(
                    answer.status == 400 && answer.pointer == pointer, "\(from) \(to) \(weekdays): \(answer)")
            }
            let schedule = try await create(world, ada, "09:00", "21:00")
            let path = "schedules/\(schedule.text("id"))"
            #expect(try await world.call(.put, path, as: bob, body("09:00", "10:00", "1")).status == 404)
            #expect(try await world.call(.delete, path, as: bob).status == 204)
            #expect(try await world.call(.get, "schedules", as: ada).texts("schedules", "id").count == 1)
            for _ in 0..<2 { #expect(try await world.call(.delete, path, as: ada).status == 204) }
            #expect(try await world.call(.get, "schedules", as: ada).text == #"{"schedules":[]}"#)
        }
    }

    @Test("a schedule is made once under its key")
    func idempotent() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let first = try await create(world, ada, "09:00", "10:00", key: "one")
            let again = try await create(world, ada, "09:00", "10:00", key: "one")
            #expect(first.status == 201 && again.status == 200 && again.text == first.text)
            #expect(
                try await create(world, ada, "09:00", "11:00", key: "one").code == "idempotency_key_reused")
            _ = try await world.call(.delete, "schedules/\(first.text("id"))", as: ada)
            #expect(try await create(world, ada, "09:00", "10:00", key: "one").status == 404)
        }
    }
}
