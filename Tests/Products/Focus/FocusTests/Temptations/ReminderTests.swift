import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Push
import Testing

@testable import Focus
@testable import Notifications

extension PeopleWorld {
    /// A user with the rows of their reminders.
    fileprivate func reader(zone: String = "UTC", morning: Bool = false) async throws -> Person {
        let person = try await member(zone: zone)
        try await postgres.execute(
            "UPDATE focus_profiles SET morning = \(morning) WHERE user_id = \(person.id)")
        try await postgres.execute("SELECT make_focus_partitions('2026-01-01', '2026-04-30')")
        try await refresh(person)
        return person
    }

    fileprivate func refresh(_ person: Person) async throws {
        try await postgres.transaction { tx in try FocusReminders().refresh(tx, of: person.id) }
    }

    fileprivate func minutes(_ minutes: Int, on day: String, of person: Person) async throws {
        try await postgres.execute(
            "INSERT INTO focus_days (user_id, day, minutes) VALUES (\(person.id), \(day)::date, \(minutes)::smallint)"
        )
    }

    fileprivate func points(_ points: Int, in week: String, of person: Person) async throws {
        try await postgres.execute(
            "INSERT INTO focus_weeks (user_id, week, points) VALUES (\(person.id), \(week)::date, \(points)::integer)"
        )
    }

    fileprivate func intention(of person: Person) async throws {
        try await postgres.execute(
            """
            INSERT INTO focus_intentions (id, user_id, label, opens, minutes, day)
            VALUES (\(UUID()), \(person.id), 'News', 3, 5, '2026-03-01')
            """)
    }

    fileprivate func ask(_ partner: Person, by person: Person) async throws {
        try await postgres.execute(
            "INSERT INTO focus_partners (user_id, partner_id) VALUES (\(person.id), \(partner.id))")
    }

    fileprivate func work() async throws {
        try await feature.due.runOnce()
        try await deliver()
    }

    /// The sent messages, as `kind` with its day or week.
    fileprivate var messages: [String] {
        phones.sent.map { sent in
            let data = sent.message.data
            return [data["kind"], data["week"] ?? data["day"]].compactMap { $0 }.joined(separator: " ")
        }
    }
}

@Suite("Reminders")
struct ReminderTests {
    @Test("the review is due at 09:00, if yesterday has minutes, once a day")
    func review() async throws {
        try await PeopleWorld.run(at: "2026-03-28T20:00:00Z") { world, _ in
            let ada = try await world.reader(zone: "Europe/Berlin")
            try await world.minutes(90, on: "2026-03-28", of: ada)
            try await world.minutes(80, on: "2026-03-30", of: ada)
            // The clocks go forward in the night.
            try await world.travel(to: "2026-03-29T06:59:59Z")
            try await world.work()
            #expect(world.messages == [])
            try await world.travel(to: "2026-03-29T07:00:00Z")
            for _ in 0..<2 { try await world.work() }
            #expect(world.messages == ["review 2026-03-28"])
            try await world.travel(to: "2026-03-30T07:00:00Z")
            try await world.work()
            #expect(world.messages.count == 1)
            try await world.travel(to: "2026-03-31T07:00:00Z")
            try await world.work()
            #expect(world.messages == ["review 2026-03-28", "review 2026-03-30"])
        }
    }

    @Test("the results are due on Monday at 17:00, not before the boards close, if the week had points")
    func results() async throws {
        try await PeopleWorld.run(at: "2026-03-04T12:00:00Z") { world, _ in
            let (west, far) = (
                try await world.reader(zone: "America/New_York"),
                try await world.reader(zone: "Pacific/Kiritimati")
            )
            let none = try await world.reader()
            for person in [west, far] { try await world.points(4_094, in: "2026-03-02", of: person) }
            try await world.points(0, in: "2026-03-02", of: none)
            // In the far zone it is Tuesday 07:00 at the close, and the night ends at 08:00.
            try await world.travel(to: "2026-03-09T16:59:59Z")
            try await world.work()
            #expect(world.messages == [])
            try await world.travel(to: "2026-03-09T17:00:00Z")
            try await world.work()
            #expect(world.messages == [])
            try await world.travel(to: "2026-03-09T18:00:00Z")
            try await world.work()
            #expect(world.messages == ["results 2026-03-02"])
            try await world.travel(to: "2026-03-09T21:00:00Z")
            try await world.work()
            #expect(world.messages == ["results 2026-03-02", "results 2026-03-02"])
            try await world.travel(to: "2026-03-16T21:00:00Z")
            try await world.work()
            #expect(world.messages.count == 2)
        }
    }

    /// Guard: reminders follow the user's present clock, and have reasons and pauses (`FocusReminders`,
    /// `FocusReminderStore`)
    @Test("the prompt for the morning comes every third evening, unless a schedule begins early the next day")
    func morning() async throws {
        // A Wednesday.
        try await PeopleWorld.run(at: "2026-03-04T12:00:00Z") { world, _ in
            let ada = try await world.reader(morning: true)
            _ = try await world.reader()
            for day in 4...11 {
                try await world.travel(to: "2026-03-\(day < 10 ? "0" : "")\(day)T19:00:00Z")
                try await world.work()
            }
            #expect(world.messages == ["morning 2026-03-04", "morning 2026-03-07", "morning 2026-03-10"])
            try await world.postgres.execute(
                """
                INSERT INTO focus_schedules (id, user_id, from_time, to_time, weekdays, mode, beast_mode)
                VALUES (\(UUID()), \(ada.id), '09:59', '12:00', '{6}', 'allow_list', false),
                    (\(UUID()), \(ada.id), '10:00', '12:00', '{7}', 'allow_list', false)
                """)
            // On Saturday one begins before 10:00, on Sunday none.
            for day in 12...14 {
                try await world.travel(to: "2026-03-\(day)T19:00:00Z")
                try await world.work()
            }
            #expect(world.messages.last == "morning 2026-03-14" && world.messages.count == 4)
            try await world.postgres.execute("UPDATE focus_profiles SET morning = false")
            try await world.refresh(ada)
            #expect(
                try await world.count("SELECT count(*) AS count FROM focus_due WHERE kind = 'morning'") == 0)
        }
    }

    /// Guard: reminders follow the user's present clock, and have reasons and pauses (`FocusReminders`,
    /// `FocusReminderStore`)
    @Test(
        "four times a user with intentions and without a partner hears of partners, on Tuesdays and Fridays")
    func partnerPrompt() async throws {
        // A Wednesday.
        try await PeopleWorld.run(at: "2026-03-04T12:00:00Z") { world, _ in
            let (ada, bob) = (try await world.reader(), try await world.reader())
            _ = try await world.reader()
            for person in [ada, bob] { try await world.intention(of: person) }
            try await world.ask(ada, by: bob)
            for day in 4...31 {
                try await world.travel(to: "2026-03-\(day < 10 ? "0" : "")\(day)T17:00:00Z")
                try await world.work()
            }
            #expect(
                world.messages == ["06", "10", "13", "17"].map { "partner_prompt 2026-03-\($0)" })
            // A further change of the profile does not begin anew.
            try await world.refresh(ada)
            try await world.travel(to: "2026-04-03T17:00:00Z")
            try await world.work()
            #expect(world.messages.count == 4)
        }
    }

    @Test("a reminder whose reason is gone when it is sent, or whose use is over, is not sent")
    func gone() async throws {
        try await PeopleWorld.run(at: "2026-03-04T12:00:00Z") { world, _ in
            let ada = try await world.reader(morning: true)
            try await world.travel(to: "2026-03-04T19:00:00Z")
            try await world.feature.due.runOnce()
            try await world.postgres.execute("UPDATE focus_profiles SET morning = false")
            try await world.deliver()
            #expect(world.messages == [])
            try await world.minutes(60, on: "2026-03-05", of: ada)
            try await world.travel(to: "2026-03-06T21:00:00Z")
            try await world.work()
            #expect(world.messages == [])
            // The job was down for days.
            try await world.minutes(60, on: "2026-03-15", of: ada)
            try await world.travel(to: "2026-03-16T10:00:00Z")
            try await world.work()
            #expect(world.messages == ["review 2026-03-15"])
        }
    }

    /// Guard: reminders follow the user's present clock, and have reasons and pauses (`FocusReminders`,
    /// `FocusReminderStore`)
    @Test("a user who travels west is reminded by their new clock")
    func west() async throws {
        try await PeopleWorld.run(at: "2026-03-04T12:00:00Z") { world, _ in
            let ada = try await world.reader(zone: "Europe/Berlin")
            try await world.minutes(60, on: "2026-03-04", of: ada)
            try await world.postgres.execute("UPDATE users SET time_zone = 'America/New_York'")
            try await world.travel(to: "2026-03-05T08:00:00Z")
            try await world.work()
            #expect(world.messages == [])
            try await world.travel(to: "2026-03-05T14:00:00Z")
            try await world.work()
            #expect(world.messages == ["review 2026-03-04"])
        }
    }

    /// Guard: whoever joins with the defaults is reminded (`FocusProfileService.put` (`hasJoined`))
    @Test("a setting of the profile gives and takes the row of its reminder")
    func rows() async throws {
        try await PeopleWorld.run(at: "2026-03-04T12:00:00Z") { world, call in
            let person = try await world.person()
            func kinds() async throws -> [String] {
                try await world.postgres.query("SELECT kind FROM focus_due ORDER BY kind").map {
                    try $0.get("kind")
                }
            }
            let joined = try await call(.put, "profile", #"{"consent": "1", "morning": true}"#, as: person)
            #expect(joined.status == 200)
            #expect(try await kinds() == ["morning", "partner_prompt", "results", "review"])
            #expect(try await call(.put, "profile", #"{"consent": "1"}"#, as: person).status == 200)
            #expect(try await kinds() == ["partner_prompt", "results", "review"])
            #expect(try await call(.delete, "profile", as: person).status == 204)
            #expect(try await kinds() == [])
            // Whoever joins with the defaults has changed nothing of them, and is reminded all the same.
            #expect(try await call(.put, "profile", #"{"consent": "1"}"#, as: person).status == 200)
            #expect(try await kinds() == ["partner_prompt", "results", "review"])
        }
    }

    @Test("partners hear of a break and of a request once, and not when they are partners no more")
    func partners() async throws {
        try await PeopleWorld.run(at: "2026-03-04T12:00:00Z") { world, _ in
            let (ada, bob) = (try await world.member(), try await world.member())
            let intention = UUID()
            func request() async throws {
                try await world.postgres.transaction { tx in
                    try world.feature.partnerNotices.requested(
                        tx, by: try world.members.require(tx, ada.id), of: bob.id)
                }
                try await world.deliver()
            }
            func broke() async throws {
                try await world.postgres.transaction { tx in
                    let member = try world.members.require(tx, ada.id)
                    try world.feature.partnerNotices.streakBroke(
                        tx, of: member, intention: intention, on: member.today, partners: [bob.id])
                }
                try await world.deliver()
            }
            try await request()
            #expect(world.messages == [])
            try await world.ask(bob, by: ada)
            for _ in 0..<2 { try await request() }
            #expect(world.messages == ["partner_request"])
            try await broke()
            #expect(world.messages.count == 1)
            try await world.postgres.execute("UPDATE focus_partners SET accepted_at = now()")
            for _ in 0..<2 { try await broke() }
            #expect(world.messages == ["partner_request", "partner_break 2026-03-04"])
            #expect(world.phones.sent.last?.message.data == ["kind": "partner_break", "day": "2026-03-04"])
            // After 30 days they may be asked again.
            try await world.postgres.execute("UPDATE focus_partners SET accepted_at = NULL")
            try await world.clock.advance(by: .days(29))
            try await request()
            #expect(world.messages.count == 2)
        }
    }
}
