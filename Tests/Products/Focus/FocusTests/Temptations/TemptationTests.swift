import FocusAPI
import DaylyAPI
import DaylyTesting
import FeatureKit
import FocusRules
import Foundation
import Notifications
import Postgres
import Push
import Testing

@testable import Focus

/// A row of the table R2: what one user gets during a streak.
struct TemptedStreak: Sendable, CustomTestStringConvertible {
    let began: String
    let intensity: String
    let zone: String
    let quiet: String
    let isSocialPossible: Bool
    /// Each with its time in UTC and the end of its text's key.
    let messages: [(at: String, text: String)]

    var testDescription: String { "\(began) \(intensity) \(zone) \(isSocialPossible)" }

    static let all = [
        TemptedStreak(
            began: "2026-03-02T09:00:00Z", intensity: "medium", zone: "UTC", quiet: "usual",
            isSocialPossible: false,
            messages: [
                ("2026-03-02T09:07:15Z", "curiosity_0"), ("2026-03-02T10:02:04Z", "fomo_2"),
                ("2026-03-02T11:08:33Z", "fomo_0"), ("2026-03-02T12:34:42Z", "taunt_1"),
            ]),
        TemptedStreak(
            began: "2026-03-02T09:00:00Z", intensity: "low", zone: "UTC", quiet: "none",
            isSocialPossible: false,
            messages: [
                ("2026-03-02T09:07:15Z", "curiosity_0"), ("2026-03-02T10:56:54Z", "fomo_2"),
                ("2026-03-02T13:09:53Z", "fomo_0"), ("2026-03-02T16:02:11Z", "taunt_1"),
            ]),
        TemptedStreak(
            began: "2026-03-03T16:00:00Z", intensity: "medium", zone: "UTC", quiet: "none",
            isSocialPossible: true,
            messages: [
                ("2026-03-03T16:07:11Z", "curiosity_3"), ("2026-03-03T17:22:01Z", "social_1"),
                ("2026-03-03T18:26:20Z", "taunt_1"),
            ]),
        TemptedStreak(
            began: "2026-03-03T16:00:00Z", intensity: "medium", zone: "UTC", quiet: "none",
            isSocialPossible: false,
            messages: [
                ("2026-03-03T16:07:11Z", "curiosity_3"), ("2026-03-03T17:22:01Z", "fomo_1"),
                ("2026-03-03T18:26:20Z", "taunt_1"),
            ]),
        TemptedStreak(
            began: "2026-03-03T18:00:00Z", intensity: "medium", zone: "UTC", quiet: "none",
            isSocialPossible: false,
            messages: [
                ("2026-03-03T18:09:55Z", "curiosity_4"), ("2026-03-03T19:08:52Z", "fake_urgency_3"),
                ("2026-03-03T19:57:07Z", "fake_urgency_4"), ("2026-03-03T20:54:55Z", "fomo_2"),
            ]),
        TemptedStreak(
            began: "2026-03-28T20:30:00Z", intensity: "medium", zone: "Europe/Berlin", quiet: "usual",
            isSocialPossible: false,
            messages: [
                ("2026-03-28T20:39:35Z", "curiosity_4"), ("2026-03-29T05:02:01Z", "fomo_2"),
                ("2026-03-29T05:55:07Z", "taunt_3"),
            ]),
    ]

    var json: String {
        let times = quiet == "none" ? #", "quiet_from": null, "quiet_to": null"# : ""
        return #"{"enabled": true, "intensity": "\#(intensity)"\#(times)}"#
    }
}

@Suite("Temptations")
struct TemptationTests {
    private static let ada = UserID(UUID(uuidString: "0198a6e0-0000-7000-8000-000000000001") ?? UUID())

    @Test("a streak is tempted at the times and with the texts of the rules", arguments: TemptedStreak.all)
    func examples(streak: TemptedStreak) async throws {
        try await PeopleWorld.run(at: streak.began) { world, call in
            let ada = try await world.member(id: Self.ada, zone: streak.zone)
            try await world.phone(of: ada)
            let others = try await Self.others(in: world, with: ada, count: 6)
            #expect(try await call(.put, "temptations", streak.json, as: ada).status == 200)
            try await world.streaks(of: ada, running: world.now)
            for (index, message) in streak.messages.enumerated() {
                let due = Int(try Date(message.at, strategy: .iso8601).timeIntervalSince1970)
                try await world.travel(to: due - 1)
                for other in others.prefix(streak.isSocialPossible ? 3 : 2) {
                    try await world.unlocked(other, ago: .minutes(10))
                }
                #expect(try await world.feature.due.runOnce().handled == 0, "too early: \(message.at)")
                try await world.travel(to: due)
                #expect(try await world.feature.due.runOnce().posted == 1, "due: \(message.at)")
                try await world.deliver()
                #expect(world.phones.sent.count == index + 1)
                #expect(world.phones.sent.last?.message.bodyKey == "push_temptation_\(message.text)")
            }
            let answer = try await call(.get, "temptations", as: ada).decode(FocusTemptations.self)
            #expect(answer.sent == streak.messages.count && answer.resisted == 0)
        }
    }

    /// Members of a group with the person, whose phones were just unlocked.
    private static func others(
        in world: PeopleWorld, with person: Person, count: Int
    ) async throws -> [Person] {
        var others: [Person] = []
        for _ in 0..<count {
            let other = try await world.member()
            try await world.phone(of: other, unlockedAgo: .zero)
            others.append(other)
        }
        // The user's own unlock does not count.
        try await world.unlocked(person, ago: .zero)
        try await world.group(of: [person.id] + others.map(\.id))
        return others
    }

    /// Guard: `social` needs three unlocks among six people (`FocusTemptationStore.isSocialPossible`)
    @Test("three of five others would tell of each that their phone was probably unlocked: it needs six")
    func social() async throws {
        try await PeopleWorld.run { world, _ in
            let ada = try await world.member()
            var possible: [Bool] = []
            for count in [5, 6] {
                _ = try await Self.others(in: world, with: ada, count: count - (possible.isEmpty ? 0 : 5))
                let now = world.now
                possible.append(
                    try await world.postgres.transaction { tx in
                        try FocusTemptationStore.isSocialPossible(tx, for: ada.id, at: now)
                    })
            }
            #expect(possible == [false, true])
        }
    }

    /// A streak of the first row, whose first temptation is due.
    private static func tempted(
        _ world: PeopleWorld, status: String = "verified"
    ) async throws -> Person {
        let ada = try await world.member(id: Self.ada)
        try await world.phone(of: ada, status: status)
        try await world.streaks(of: ada, running: world.now)
        try await world.travel(to: "2026-03-02T09:07:15Z")
        return ada
    }

    @Test("a message names its type and the number of its text, and is useful for 15 minutes")
    func message() async throws {
        try await PeopleWorld.run(at: "2026-03-02T09:00:00Z") { world, _ in
            _ = try await Self.tempted(world)
            try await world.feature.due.runOnce()
            try await world.deliver()
            let message = try #require(world.phones.sent.first?.message)
            #expect(message.titleKey == "push_temptation_title")
            #expect(message.data == ["kind": "temptation", "type": "curiosity", "number": "0"])
            #expect(message.expiresAt == world.clock.now.addingTimeInterval(900) && message.name == nil)
        }
    }

    /// Guard: a temptation is sent while its streak runs, to users who are verified and want it
    /// (`FocusTemptationSource`, `FocusTemptationService`)
    @Test("an unlock ends the chain, and a message that is not sent yet is not sent then")
    func unlock() async throws {
        try await PeopleWorld.run(at: "2026-03-02T09:00:00Z") { world, _ in
            let ada = try await Self.tempted(world)
            try await world.feature.due.runOnce()
            try await world.streaks(of: ada, running: nil, unlocks: [world.now])
            try await world.deliver()
            #expect(world.phones.sent.isEmpty)
            // Another streak has other temptations, from its own beginning on.
            try await world.streaks(of: ada, running: world.now)
            try await world.feature.due.runOnce()
            try await world.deliver()
            #expect(world.phones.sent.isEmpty)
            try await world.clock.advance(by: .minutes(10))
            try await world.feature.due.runOnce()
            try await world.deliver()
            #expect(world.phones.sent.count == 1)
        }
    }

    /// Guard: a temptation is sent while its streak runs, to users who are verified and want it
    /// (`FocusTemptationSource`, `FocusTemptationService`)
    @Test(
        "a temptation is dropped that is due while they are off, quiet or the user is not verified; the next one comes"
    )
    func dropped() async throws {
        let changes: [(SQL, SQL)] = [
            (
                """
                INSERT INTO focus_temptations (user_id, enabled) SELECT user_id, false FROM focus_profiles
                ON CONFLICT (user_id) DO UPDATE SET enabled = false
                """,
                "UPDATE focus_temptations SET enabled = true"
            ),
            (
                """
                INSERT INTO focus_temptations (user_id, quiet_from, quiet_to)
                SELECT user_id, '09:00', '10:00' FROM focus_profiles
                """,
                "DELETE FROM focus_temptations"
            ),
            ("UPDATE users SET quiet_from = '09:00', quiet_to = '10:00'", "SELECT 1"),
            ("UPDATE focus_devices SET status = 'broken'", "UPDATE focus_devices SET status = 'verified'"),
            ("UPDATE focus_devices SET status = 'pending'", "UPDATE focus_devices SET status = 'verified'"),
        ]
        for (before, after) in changes {
            try await PeopleWorld.run(at: "2026-03-02T09:00:00Z") { world, _ in
                _ = try await Self.tempted(world)
                try await world.postgres.execute(before)
                #expect(try await world.feature.due.runOnce().posted == 0)
                try await world.postgres.execute(after)
                try await world.travel(to: "2026-03-02T10:02:04Z")
                #expect(try await world.feature.due.runOnce().posted == 1)
                // The reason must still hold when the message is sent.
                try await world.postgres.execute(before)
                if try await world.count("SELECT count(*) AS count FROM users WHERE quiet_from IS NOT NULL")
                    == 0
                {
                    try await world.postgres.execute(
                        "UPDATE focus_temptations SET quiet_to = '11:00' WHERE quiet_to = '10:00'")
                    try await world.deliver()
                    #expect(world.phones.sent.isEmpty)
                }
            }
        }
    }

    @Test("where the service has switched temptations off, none is due")
    func switchedOff() async throws {
        try await PeopleWorld.run(at: "2026-03-02T09:00:00Z", { $0.hasTemptations = false }) { world, call in
            let ada = try await Self.tempted(world)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_due") == 0)
            #expect(try await call(.get, "temptations", as: ada).status == 200)
        }
    }

    @Test("of a sync that comes late those that were due 15 minutes ago or earlier are passed over")
    func late() async throws {
        try await PeopleWorld.run(at: "2026-03-02T09:00:00Z") { world, _ in
            let ada = try await world.member(id: Self.ada)
            try await world.phone(of: ada)
            let began = world.now
            // The first was due at 09:07:15 and the second at 10:02:04.
            try await world.travel(to: "2026-03-02T10:17:03Z")
            try await world.streaks(of: ada, running: began)
            #expect(try await world.feature.due.runOnce().posted == 1)
            try await world.deliver()
            #expect(world.phones.sent.map(\.message.bodyKey) == ["push_temptation_fomo_2"])
            try await world.streaks(of: ada, running: nil)
            try await world.travel(to: "2026-03-02T10:17:04Z")
            try await world.streaks(of: ada, running: began)
            #expect(try await world.feature.due.runOnce().handled == 0)
            let due: Date? = try await world.postgres.first("SELECT due_at FROM focus_due")?.get("due_at")
            #expect(due == (try Date("2026-03-02T11:08:33Z", strategy: .iso8601)))
        }
    }

    @Test("a streak gets no more temptations if it is quiet whenever one could come")
    func alwaysQuiet() async throws {
        try await PeopleWorld.run(at: "2026-03-02T09:00:00Z") { world, _ in
            let ada = try await world.member(id: Self.ada)
            try await world.postgres.execute("UPDATE users SET quiet_from = '06:00', quiet_to = '23:00'")
            try await world.streaks(of: ada, running: world.now)
            let due = try await world.count(
                "SELECT count(*) AS count FROM focus_due WHERE due_at = 'infinity'")
            #expect(due == 1)
            try await world.clock.advance(by: .days(3))
            #expect(try await world.feature.due.runOnce().handled == 0)
        }
    }

    /// Guard: a due row is claimed by one instance (`FocusDueStore.claim`)
    @Test("four instances of the job at once send each user one message")
    func instances() async throws {
        try await PeopleWorld.run(at: "2026-03-02T09:00:00Z") { world, _ in
            for _ in 0..<40 {
                let person = try await world.member()
                try await world.phone(of: person)
                try await world.streaks(of: person, running: world.now)
            }
            try await world.clock.advance(by: .minutes(10))
            let reports = try await atOnce(4) { _ in try await world.feature.due.runOnce() }
            #expect(reports.reduce(0) { $0 + $1.posted } == 40)
            #expect(try await world.count("SELECT count(*) AS count FROM outbox") == 40)
            #expect(try await world.count("SELECT count(DISTINCT user_id) AS count FROM outbox") == 40)
            #expect(try await world.feature.due.runOnce().handled == 0)
            try await world.deliver()
            #expect(world.phones.sent.count == 40)
        }
    }

    @Test("a batch that fails in its middle leaves nothing behind, and another process repeats it at once")
    func failure() async throws {
        try await PeopleWorld.run(at: "2026-03-02T09:00:00Z") { world, _ in
            _ = try await Self.tempted(world)
            try await world.postgres.execute(
                "ALTER TABLE outbox ADD CONSTRAINT broken CHECK (topic <> 'personal')")
            await #expect(throws: (any Error).self) { try await world.feature.due.runOnce() }
            #expect(try await world.count("SELECT count(*) AS count FROM focus_due WHERE number = 0") == 1)
            try await world.postgres.execute("ALTER TABLE outbox DROP CONSTRAINT broken")
            // This process has put it off.
            #expect(try await world.feature.due.runOnce().handled == 0)
            let other = FocusDueJob(
                postgres: world.postgres, temptations: world.feature.temptations, reminders: FocusReminders(),
                outbox: NotificationOutbox(platforms: [.ios, .android]))
            #expect(try await other.runOnce().posted == 1)
        }
    }

    @Test("a temptation is resisted if the first unlock comes more than five minutes after it was accepted")
    func resisted() async throws {
        try await PeopleWorld.run(at: "2026-03-02T09:00:00Z") { world, call in
            let ada = try await Self.tempted(world)
            func figures() async throws -> [Int] {
                let answer = try await call(.get, "temptations", as: ada).decode(FocusTemptations.self)
                return [answer.sent, answer.resisted]
            }
            // No provider takes it, so it does not count.
            world.phones.answer { _, _ in .refused(reason: "test") }
            try await world.feature.due.runOnce()
            try await world.deliver()
            #expect(try await figures() == [0, 0])
            world.phones.answer { _, _ in .accepted }
            try await world.travel(to: "2026-03-02T10:02:04Z")
            try await world.feature.due.runOnce()
            try await world.deliver()
            let sent = world.now
            #expect(try await figures() == [1, 0])
            // An earlier unlock, and one at the same second, say nothing.
            try await world.streaks(of: ada, running: nil, unlocks: [sent - 10, sent])
            #expect(try await figures() == [1, 0])
            try await world.streaks(of: ada, running: nil, unlocks: [sent + 301])
            #expect(try await figures() == [1, 1])
            // Another phone reports late that it was unlocked before.
            try await world.streaks(of: ada, running: nil, unlocks: [sent + 300])
            #expect(try await figures() == [1, 0])
            try await world.streaks(of: ada, running: nil, unlocks: [sent + 400])
            #expect(try await figures() == [1, 0])
        }
    }

    /// Guard: null says something else than a member that is left out (`KeyedDecodingContainer.decodeIfPresent` of `Nullable`)
    @Test("the settings have defaults, and what is wrong is pointed at")
    func settings() async throws {
        try await PeopleWorld.run { world, call in
            let ada = try await world.member()
            let usual =
                #"{"enabled":true,"intensity":"medium","quiet_from":"22:00","quiet_to":"07:00","resisted":0,"sent":0}"#
            #expect(try await call(.get, "temptations", as: ada).text == usual)
            #expect(try await call(.put, "temptations", "{}", as: ada).text == usual)
            let none = try await call(
                .put, "temptations",
                #"{"enabled":false,"intensity":"high","quiet_from":null,"quiet_to":null}"#, as: ada)
            #expect(
                none.text
                    == #"{"enabled":false,"intensity":"high","quiet_from":null,"quiet_to":null,"resisted":0,"sent":0}"#
            )
            let own = #"{"quiet_from":"13:30","quiet_to":"13:29"}"#
            let answer = try await call(.put, "temptations", own, as: ada).decode(FocusTemptations.self)
            #expect(answer.quietFrom == "13:30" && answer.quietTo == "13:29" && answer.enabled)
            let faults = [
                (#"{"intensity":"extreme"}"#, "/intensity"), (#"{"enabled":"yes"}"#, "/enabled"),
                (#"{"quiet_from":"22:00"}"#, "/quiet_to"), (#"{"quiet_to":"22:00"}"#, "/quiet_from"),
                (#"{"quiet_from":"22:00","quiet_to":null}"#, "/quiet_to"),
                (#"{"quiet_from":"24:00","quiet_to":"07:00"}"#, "/quiet_from"),
                (#"{"quiet_from":"7:00","quiet_to":"08:00"}"#, "/quiet_from"),
                (#"{"quiet_from":"08:00","quiet_to":"08:00"}"#, "/quiet_to"),
            ]
            for (json, pointer) in faults {
                let answer = try await call(.put, "temptations", json, as: ada)
                #expect(answer.status == 400 && answer.pointer == pointer, "\(json): \(answer)")
            }
            let stranger = try await world.person()
            #expect(try await call(.get, "temptations", as: stranger).code == "focus_not_joined")
            #expect(try await call(.put, "temptations", "{}", as: stranger).code == "focus_not_joined")
        }
    }

    @Test("temptations whose first unlock is settled are kept as sums")
    func settled() {
        var sent = SentTemptations()
        for index in 0..<10 { sent.accept(at: index * 1_000) }
        sent.take(unlocks: [500, 3_200, 20_000], now: 20_000)
        #expect(sent.sent == 10 && sent.resisted == 9)
        let day = 86_400
        sent.accept(at: 8 * day + 9_000)
        #expect(sent.settledSent == 10 && sent.settledResisted == 9 && sent.recent.count == 1)
        #expect(sent.sent == 11 && sent.resisted == 9)
        // One without an unlock stays open.
        sent.accept(at: 30 * day)
        #expect(sent.recent.count == 2)
    }
}
