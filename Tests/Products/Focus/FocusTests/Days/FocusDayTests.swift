import DaylyTesting
import Foundation
import HTTPKit
import Postgres
import Testing

@Suite("Days and weeks of Focus")
struct FocusDayTests {
    @Test(
        "U1: score and usage points of a day",
        arguments: [
            (0, "100", "100"), (59, "94.1", "100"), (60, "94", "75"), (95, "90.5", "75"), (120, "88", "60"),
            (479, "52.1", "10"), (480, "52", "0"), (1_000, "0", "0"), (1_440, "0", "0"),
        ])
    func score(_ minutes: Int, _ score: String, _ points: String) async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            try await phone.sync(phone.usage("2026-03-02", minutes, at: FocusWorld.start))
            let day = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(day.text("minutes") == "\(minutes)" && day.text("score") == score)
            #expect(day.text("usage_points") == points && day.text("closed") == "false")
            #expect(try await world.call(.get, "now", as: ada).text("day", "minutes") == "\(minutes)")
        }
    }

    @Test("the largest report of a day counts, and reports about closed days are ignored")
    func reports() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let (a, b) = (try await world.phone(of: ada), try await world.phone(of: ada))
            try await a.sync(a.usage("2026-03-02", 90, at: FocusWorld.start))
            try await b.sync(b.usage("2026-03-02", 60, final: true, at: FocusWorld.start))
            var day = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(day.text("minutes") == "90" && day.text("closed") == "false")
            try await world.set("2026-03-03T12:00:00Z")
            let answer = try await a.sync(
                a.usage("2026-03-02", 120, final: true, at: "2026-03-03T11:00:00Z"),
                a.usage("2026-03-02", 300, at: "2026-03-03T11:01:00Z"),
                a.usage("2026-02-23", 10, at: "2026-03-03T11:01:00Z"),
                a.usage("2026-03-04", 10, at: "2026-03-03T11:01:00Z"),
                a.usage("2026-02-24", 10, at: "2026-03-03T11:01:00Z"))
            #expect(answer.texts("rejected", "reason") == ["too_old", "bad_clock"])
            day = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(day.text("minutes") == "120" && day.text("closed") == "true")
            #expect(try await world.call(.get, "days/2026-02-24", as: ada).text("minutes") == "null")
            let points: Int = try await world.postgres.count("SELECT usage_points AS count FROM focus_weeks")
            #expect(points == 60)
        }
    }

    @Test(
        "U2: goal and lives",
        arguments: [
            ("2026-03-03", 1, [170, 180, 200, 100], ["1", "1", "0", "1"], ["1", "0", "0", "0"]),
            ("2026-03-07", 0, [200, 200, 200], ["0", "0", "0"], ["0", "0", "0"]),
            ("2026-03-07", 1, [170, 200, 200, 200], ["1", "1", "1", "0"], ["1", "1", "0", "0"]),
            ("2026-03-07", 3, [170, 170, 200], ["1", "2", "2"], ["3", "3", "2"]),
            ("2026-03-07", 0, [170, nil, 200], ["1", "1", "1"], ["0", "1", "0"]),
        ] as [(String, Int, [Int?], [String], [String])])
    func lives(
        _ first: String, _ lives: Int, _ minutes: [Int?], _ streaks: [String], _ after: [String]
    ) async throws {
        let start = try FocusWorld.date("\(first)T12:00:00Z")
        try await FocusWorld.run(at: WireJSON.timestamp(start.addingTimeInterval(-86_400))) { world in
            let ada = try await world.member(#"{"consent": "1", "goal_minutes": 180}"#)
            let phone = try await world.phone(of: ada)
            try await world.postgres.execute("UPDATE focus_profiles SET lives = \(lives)::smallint")
            for (index, minutes) in minutes.enumerated() {
                let day = start.addingTimeInterval(Double(index) * 86_400)
                let next = WireJSON.timestamp(day.addingTimeInterval(86_400))
                try await world.set(next)
                let date = String(WireJSON.timestamp(day).prefix(10))
                if let minutes { try await phone.sync(phone.usage(date, minutes, final: true, at: next)) }
                let now = try await world.call(.get, "now", as: ada)
                #expect(now.text("goal", "streak") == streaks[index], "\(date)")
                guard minutes != nil else { continue }
                let stored: Int = try await world.postgres.count("SELECT lives AS count FROM focus_profiles")
                #expect("\(stored)" == after[index], "\(date)")
            }
        }
    }

    @Test("now shows the lives with all Sundays up to today")
    func sundays() async throws {
        try await FocusWorld.run(at: "2026-03-07T12:00:00Z") { world in
            let ada = try await world.member()
            for (time, lives) in [
                ("2026-03-07T12:00:00Z", "1"), ("2026-03-08T00:00:00Z", "2"), ("2026-03-15T00:00:00Z", "3"),
                ("2026-03-29T00:00:00Z", "3"),
            ] {
                try await world.set(time)
                #expect(try await world.call(.get, "now", as: ada).text("goal", "lives") == lives)
            }
        }
    }

    /// Guard: a day is rated until 7 days after it (`FocusDayService.rate`)
    @Test("a day can be rated until 7 days after it, if it has minutes")
    func rating() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            func rate(_ day: String, _ rating: String) async throws -> HTTPAnswer {
                try await world.call(.put, "days/\(day)/rating", as: ada, #"{"rating": "\#(rating)"}"#)
            }
            #expect(try await rate("2026-03-02", "up").code == "not_found")
            try await phone.sync(phone.usage("2026-03-02", 60, at: FocusWorld.start))
            let rated = try await rate("2026-03-02", "up")
            #expect(rated.status == 200 && rated.text("rating") == "up" && rated.text("streaks") == "[]")
            #expect(try await rate("2026-03-02", "sideways").pointer == "/rating")
            #expect(try await rate("2026-03-03", "up").code == "not_found")
            #expect(try await rate("yesterday", "up").code == "not_found")
            try await world.set("2026-03-09T23:59:59Z")
            #expect(try await rate("2026-03-02", "down").text("rating") == "down")
            try await world.set("2026-03-10T00:00:00Z")
            #expect(try await rate("2026-03-02", "up").code == "day_closed")
            #expect(try await world.call(.get, "days/2026-03-02", as: ada).text("rating") == "down")
        }
    }

    @Test("days and weeks that have not come, and texts that are none, are 404")
    func unknownDays() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            for path in [
                "days/2026-03-03", "days/2026-3-2", "days/today", "weeks/2026-03-03", "weeks/2026-03-09",
                "weeks/2026-02-30",
            ] {
                #expect(try await world.call(.get, path, as: ada).code == "not_found", "\(path)")
            }
            let day = try await world.call(.get, "days/2025-01-01", as: ada)
            #expect(day.status == 200 && day.text("streaks") == "null" && day.text("points") == "0")
            #expect(try await world.call(.get, "days/2025-12-02", as: ada).text("streaks") == "[]")
            #expect(try await world.call(.get, "days/2025-12-01", as: ada).text("streaks") == "null")
            let week = try await world.call(.get, "weeks/2026-03-02", as: ada)
            #expect(
                week.texts("days", "day").count == 7
                    && week.texts("days", "streaks").allSatisfy { $0 == "missing" })
            #expect(week.texts("days", "day").first == "2026-03-02" && week.text("points") == "0")
        }
    }

    @Test("the 12 longest streaks of a day count")
    func counted() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            var events: [String] = []
            for index in 0..<20 {
                let minute = index * 6
                events.append(phone.event("L", String(format: "%02d:%02d", 6 + minute / 60, minute % 60)))
                events.append(
                    phone.event("U", String(format: "%02d:%02d", 6 + (minute + 3) / 60, (minute + 3) % 60)))
            }
            let answer = try await phone.send(events)
            #expect(answer.text("now", "day", "points") == "131.88")
            #expect(answer.text("now", "day", "streak_count") == "20")
            let day = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(day.texts("streaks", "counted") == (0..<20).map { $0 < 12 ? "true" : "false" })
        }
    }

    @Test("weeks with streaks come newest first, 50 a page")
    func weeks() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            _ = try await world.phone(of: ada).sync()
            try await world.postgres.execute(
                "CREATE TABLE focus_weeks_other PARTITION OF focus_weeks DEFAULT")
            try await world.postgres.execute(
                """
                INSERT INTO focus_weeks (user_id, week, points, streak_count, longest_streak)
                SELECT \(ada.id), DATE '2026-03-02' - 7 * n, 4094, CASE WHEN n = 3 THEN 0 ELSE 1 END, 3600
                FROM generate_series(0, 51) n
                """)
            let first = try await world.call(.get, "weeks", as: ada)
            #expect(
                first.texts("weeks", "week").prefix(4) == [
                    "2026-03-02", "2026-02-23", "2026-02-16", "2026-02-02",
                ])
            #expect(
                first.texts("weeks", "week").count == 50 && first.texts("weeks", "days").first == "missing")
            let second = try await world.call(.get, "weeks?cursor=\(first.text("cursor"))", as: ada)
            #expect(second.texts("weeks", "week") == ["2025-03-10"] && second.text("cursor") == "null")
            for cursor in ["x", "2026-03-03"] {
                #expect(
                    try await world.call(.get, "weeks?cursor=\(cursor)", as: ada).code == "cursor_expired")
            }
        }
    }

    @Test("every GET has an ETag and answers If-None-Match with 304")
    func tags() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            for path in [
                "profile", "devices", "devices/\(phone.id)", "now", "weeks", "weeks/2026-03-02",
                "days/2026-03-02",
                "quips?minutes=30",
            ] {
                let answer = try await world.call(.get, path, as: ada)
                let tag = try #require(answer.header("ETag"), "\(path)")
                let again = try await world.call(.get, path, as: ada, headers: [.ifNoneMatch: tag])
                #expect(again.status == 304, "\(path)")
            }
        }
    }

    @Test("a quip is today's, for one of the thresholds")
    func quips() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let quip = try await world.call(.get, "quips?minutes=960", as: ada)
            #expect(quip.text("day") == "2026-03-02" && quip.text("minutes") == "960")
            #expect((0..<4).contains(Int(quip.text("number")) ?? -1) && !quip.text("text").isEmpty)
            for query in ["", "?minutes=31", "?minutes=0", "?minutes=990", "?minutes=x"] {
                #expect(try await world.call(.get, "quips\(query)", as: ada).code == "invalid_request")
            }
        }
    }
}
