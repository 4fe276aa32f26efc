import DaylyTesting
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Focus

extension FocusWorld {
    func player(_ nickname: String) async throws -> Person {
        try await makePartitions()
        return try await member(
            #"{"consent": "1", "nickname": "\#(nickname)", "leagues": true}"#, name: nickname)
    }

    func league(as person: Person, _ week: String? = nil) async throws -> HTTPAnswer {
        try await call(.get, "league" + (week.map { "?week=\($0)" } ?? ""), as: person)
    }

    /// A seat at the present moment, by XP that the player earns.
    func earn(_ xp: Int, by person: Person, in week: String = "2026-03-02") async throws {
        try await postgres.transaction { tx in
            try tx.execute(
                """
                INSERT INTO focus_weeks AS known (user_id, week, xp)
                VALUES (\(person.id), \(week)::text::date, \(xp)::integer)
                ON CONFLICT (user_id, week) DO UPDATE SET xp = known.xp + excluded.xp
                """)
            try FocusLeagueStore.seatIfDue(tx, person.id, size: 30)
        }
    }
}

@Suite("Leagues")
struct FocusLeagueTests {
    @Test("a user gets a seat at the first league points, and strangers see nicknames only")
    func seat() async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            let (ada, bob) = (try await world.player("ada"), try await world.player("bob"))
            #expect(try await world.league(as: ada).code == "not_found")
            try await world.earn(5, by: ada)
            try await world.earn(8, by: bob)
            let league = try await world.league(as: ada)
            #expect(league.text("tier") == "bronze" && league.text("closed") == "false", "\(league)")
            #expect(league.texts("entries", "nickname") == ["bob", "ada"])
            #expect(
                league.texts("entries", "rank") == ["1", "2"] && league.texts("entries", "xp") == ["8", "5"])
            #expect(league.texts("entries", "is_me") == ["false", "true"])
            #expect(league.text("closes_at") == "2026-03-09T17:00:00Z" && league.text("rises") == "0")
            #expect(league.json("entries")?["0"]?.text == "{is_me, nickname, points, rank, xp}")
            #expect(try await world.league(as: ada, "2026-03-04").code == "invalid_request")
            #expect(try await world.league(as: ada, "2026-02-23").code == "not_found")
        }
    }

    /// Guard: leagues close in steps of so many seats (`FocusLeagueStore.close` (`seats_before`))
    @Test("leagues close in steps of so many seats, however large they are")
    func closingSteps() async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            for number in 0..<5 {
                let player = try await world.player("player\(number)")
                try await world.postgres.transaction { tx in
                    try tx.execute(
                        "INSERT INTO focus_weeks (user_id, week, xp) VALUES (\(player.id), '2026-03-02', 1)")
                    try FocusLeagueStore.seatIfDue(tx, player.id, size: 2)
                }
            }
            let week = PostgresDate(year: 2026, month: 3, day: 2)
            for leagues in [2, 1, 0] {
                let closed = try await world.postgres.transaction { tx in
                    try FocusLeagueStore.close(tx, week: week, limit: 500, seats: 3)
                }
                #expect(closed == leagues)
            }
            #expect(
                try await world.count("SELECT count(*) AS count FROM focus_seats WHERE place IS NULL") == 0)
        }
    }

    /// Guard: a step of the close gives fifty seats (`FocusClose.newSeats`)
    @Test("a step of the close gives fifty seats at most, since others wait for its locks")
    func seatingSteps() async throws {
        try await FocusWorld.run(at: "2026-03-09T16:59:59Z") { world in
            try await world.makePartitions()
            try await world.postgres.execute(
                """
                WITH people AS (
                    INSERT INTO users (id, phone_number, first_name, time_zone)
                    SELECT gen_random_uuid(), '+49151100' || lpad(n::text, 5, '0'), 'Name ' || n, 'UTC'
                    FROM generate_series(1, 120) n
                    RETURNING id, phone_number
                ), profiles AS (
                    INSERT INTO focus_profiles (user_id, consent, joined_on, nickname, leagues)
                    SELECT id, '1', '2026-03-01', 'n' || right(phone_number, 5), true FROM people RETURNING user_id
                )
                INSERT INTO focus_weeks (user_id, week, xp) SELECT user_id, '2026-03-09', 1 FROM profiles
                """)
            try await world.set("2026-03-09T17:00:00Z")
            #expect(try await world.feature.close.runOnce().seats == 120)
            let steps = try await world.postgres.query(
                "SELECT count(*) AS count FROM focus_seats GROUP BY xmin::text ORDER BY 1")
            #expect(try steps.map { try $0.get("count", as: Int.self) } == [20, 50, 50])
        }
    }

    @Test(
        "before the last week is closed by the clock nobody gets a seat; the close gives seats to all who are due"
    )
    func dueAtClose() async throws {
        try await FocusWorld.run(at: "2026-03-09T16:59:59Z") { world in
            let ada = try await world.player("ada")
            try await world.earn(5, by: ada, in: "2026-03-09")
            #expect(try await world.league(as: ada).code == "not_found")
            try await world.set("2026-03-09T17:00:00Z")
            #expect(try await world.feature.close.runOnce().seats == 1)
            #expect(try await world.league(as: ada).text("week") == "2026-03-09")
        }
    }

    /// Guard: a user who leaves leagues loses an open seat (`FocusLeagueSeats.profileChanged`)
    @Test("who gives up the nickname or leagues loses an open seat, and a closed league then shows null")
    func leave() async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            let (ada, bob) = (try await world.player("ada"), try await world.player("bob"))
            try await world.earn(5, by: ada)
            try await world.earn(5, by: bob)
            _ = try await world.call(.put, "profile", as: ada, #"{"consent": "1", "leagues": true}"#)
            #expect(try await world.league(as: ada).code == "not_found")
            #expect(try await world.league(as: bob).texts("entries", "nickname") == ["bob"])
            #expect(try await world.count("SELECT seats AS count FROM focus_leagues") == 1)
            try await world.clock.advance(by: .days(7))
            _ = try await world.feature.close.runOnce()
            _ = try await world.call(.put, "profile", as: bob, #"{"consent": "1"}"#)
            let closed = try await world.league(as: bob, "2026-03-02")
            #expect(closed.texts("entries", "nickname") == ["null"] && closed.text("closed") == "true")
        }
    }

    @Test("switching leagues on seats a user with points at once")
    func switchOn() async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            let ada = try await world.member(#"{"consent": "1", "nickname": "ada"}"#)
            try await world.setWeek("2026-03-02", of: ada, points: 0, xp: 3)
            let joined = try await world.call(
                .put, "profile", as: ada, #"{"consent": "1", "nickname": "ada", "leagues": true}"#)
            #expect(joined.status == 200)
            #expect(try await world.league(as: ada).texts("entries", "xp") == ["3"])
        }
    }

    /// Guard: seats of a week and tier are given one after the other (`FocusLeagueStore.seatIfDue`)
    @Test("a league has 30 seats, also for 40 who come at once, and blocked people sit apart")
    func seats() async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            var people: [Person] = []
            for index in 0..<40 { people.append(try await world.player("p\(index)xx")) }
            let all = people
            _ = try await atOnce(all.count) { try await world.earn(3, by: all[$0]) }
            let sizes = try await world.postgres.query(
                "SELECT number, count(*)::integer AS count FROM focus_seats GROUP BY number ORDER BY number")
            #expect(try sizes.map { try $0.get("count", as: Int.self) } == [30, 10])
            let (ada, bob) = (try await world.player("ada"), try await world.player("bob"))
            try await world.postgres.execute(
                """
                INSERT INTO blocks (blocker_id, number_hmac, blocked_id)
                VALUES (\(bob.id), '\\x01', \(ada.id))
                """)
            try await world.earn(3, by: ada)
            try await world.earn(3, by: bob)
            let numbers = try await world.postgres.query(
                "SELECT number FROM focus_seats WHERE user_id IN (\(ada.id), \(bob.id)) ORDER BY number")
            #expect(try numbers.map { try $0.get("number", as: Int.self) } == [2, 3])
        }
    }

    /// Guard: the close waits for whoever gives or frees a seat of the week (`FocusLeagueStore.close`)
    @Test("the close waits for a member who leaves at that moment, and closes their league without them")
    func leaveAtClose() async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            let (ada, bob) = (try await world.player("ada"), try await world.player("bob"))
            try await world.earn(5, by: ada)
            try await world.earn(3, by: bob)
            try await world.set("2026-03-09T17:00:00Z")
            let close = try await world.postgres.holding(
                "DELETE FROM focus_seats WHERE user_id = \(ada.id)"
            ) {
                let close = Task { try await world.feature.close.runOnce() }
                try await world.postgres.untilWaiting()
                return close
            }
            #expect(try await close.value.leagues == 1)
            #expect(
                try await world.count("SELECT count(*) AS count FROM focus_leagues WHERE closed_at IS NULL")
                    == 0)
            #expect(try await world.league(as: bob, "2026-03-02").texts("entries", "rank") == ["1"])
        }
    }

    /// Guard: a user gets one seat of a week, and none of a closed one (`FocusLeagueStore.isStillFree`)
    @Test("a user who is given a seat twice at the same moment has one, and a closed week gives none")
    func seatTwice() async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            let (ada, bob) = (try await world.player("ada"), try await world.player("bob"))
            try await world.setWeek("2026-03-02", of: ada, points: 0, xp: 3)
            let seating = try await world.postgres.holding(
                "SELECT pg_advisory_xact_lock(hashtextextended('focus league 2026-03-02 0', 0))"
            ) {
                let seating = Task {
                    try await atOnce(2) { _ in
                        try await world.postgres.transaction { tx in
                            try FocusLeagueStore.seatIfDue(tx, ada.id, size: 30)
                        }
                    }
                }
                try await world.postgres.untilWaiting(2)
                return seating
            }
            _ = try await seating.value
            #expect(try await world.count("SELECT count(*) AS count FROM focus_seats") == 1)
            try await world.postgres.execute(
                "INSERT INTO focus_closes (week, leagues_done) VALUES ('2026-03-02', true)")
            try await world.earn(3, by: bob)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_seats") == 1)
        }
    }

    @Test("the close places members and moves tiers as the rules say", arguments: [1, 3, 4, 10, 30])
    func close(_ count: Int) async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            var random = SystemRandomNumberGenerator()
            for tier in 0..<5 {
                for _ in 0..<count {
                    let person = try await world.player(
                        String(UUID().uuidString.prefix(12).filter { $0 != "-" }))
                    try await world.postgres.execute(
                        "UPDATE focus_profiles SET tier = \(tier)::smallint WHERE user_id = \(person.id)")
                    try await world.earn(Int.random(in: 1...4, using: &random), by: person)
                    try await world.postgres.execute(
                        """
                        UPDATE focus_weeks SET usage_points = (\(Int.random(in: 0...3, using: &random)) * 25)::integer
                        WHERE user_id = \(person.id)
                        """)
                    try await world.clock.advance(by: .seconds(Int.random(in: 0...1, using: &random)))
                }
            }
            let expected = try await Self.expected(world)
            try await world.set("2026-03-09T17:00:00Z")
            let reports = try await atOnce(3) { _ in try await world.feature.close.runOnce() }
            #expect(reports.map(\.leagues).reduce(0, +) == 5)
            let closed = try await world.postgres.query(
                """
                SELECT s.user_id, s.place, s.next_tier, p.tier FROM focus_seats s
                JOIN focus_profiles p ON p.user_id = s.user_id ORDER BY s.tier, s.place
                """)
            #expect(
                try closed.map {
                    "\(try $0.get("user_id", as: UUID.self)) \(try $0.get("next_tier", as: Int.self))"
                }
                    == expected)
            #expect(
                try closed.allSatisfy {
                    try $0.get("tier", as: Int.self) == $0.get("next_tier", as: Int.self)
                })
        }
    }

    /// The order and the next tiers by ``leagueOrder(_:tier:)``.
    private static func expected(_ world: FocusWorld) async throws -> [String] {
        let rows = try await world.postgres.query(
            """
            SELECT s.user_id, s.tier, extract(epoch FROM s.seated_at)::bigint AS seated_at, w.xp, w.usage_points
            FROM focus_seats s JOIN focus_weeks w ON w.user_id = s.user_id AND w.week = s.week
            """)
        return try Tier.allCases.enumerated().flatMap { index, tier in
            let members = try rows.filter { try $0.get("tier", as: Int.self) == index }.map { row in
                let xp: Int = try row.get("xp")
                return LeagueMember(
                    id: try row.get("user_id", as: UserID.self).resourceID.description,
                    points: xp + (try row.get("usage_points", as: Int.self)), xp: xp,
                    seatedAt: try row.get("seated_at"))
            }
            return leagueOrder(members, tier: tier).map { member, next in
                "\(member.id.uppercased()) \(Tier.allCases.firstIndex(of: next) ?? -1)"
            }
        }
    }
}
