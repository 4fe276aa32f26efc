import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Testing

@testable import Focus

@Suite("Intentions of Focus and the freeze")
struct FocusIntentionTests {
    private func create(
        _ world: FocusWorld, _ person: Person, opens: Int = 3, label: String = "Videos", minutes: Int = 5,
        key: String? = nil
    ) async throws -> HTTPAnswer {
        try await world.call(
            .post, "intentions", as: person,
            #"{"label": "\#(label)", "opens": \#(opens), "minutes": \#(minutes)}"#,
            headers: FocusWorld.idempotent(key))
    }

    private func put(
        _ world: FocusWorld, _ person: Person, _ intention: HTTPAnswer, opens: Int
    ) async throws -> HTTPAnswer {
        try await world.call(
            .put, "intentions/\(intention.text("id"))", as: person,
            #"{"label": "Videos", "opens": \#(opens), "minutes": 5}"#)
    }

    /// The only intention of a person, as the list shows it.
    private func state(_ world: FocusWorld, _ person: Person, _ member: String) async throws -> String {
        try await world.call(.get, "intentions", as: person).texts("intentions", member).first ?? "missing"
    }

    /// The examples I1 of the contract. `o` open, `m` midnight, `e` any other event, `f` freeze, a digit sets the limit.
    @Test(
        "streaks grow and break as the examples say",
        arguments: [
            ("ooome", 5, 0), ("ooom", 4, 0), ("oooo", 0, 1), ("oooooome", 0, 1), ("fooooome", 4, 0),
            ("oooofme", 0, 1), ("mmmo", 7, 0), ("5oooo", 0, 1), ("5mooooome", 6, 0), ("ooo2meooo", 0, 1),
            ("oo1o", 0, 1),
        ])
    func examples(_ steps: String, _ streak: Int, _ breaks: Int) async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.proMember(), try await world.member(name: "Bob"))
            try await world.befriend(ada, bob)
            try await world.registerForPush(bob)
            let phone = try await world.phone(of: ada)
            let intention = try await create(world, ada)
            try await world.postgres.execute("UPDATE focus_intentions SET streak = 4, best = 4")
            for step in steps { try await take(step, world, ada, phone, intention) }
            #expect(try await state(world, ada, "streak") == "\(streak)")
            #expect(try await state(world, ada, "best") == "\(max(4, streak, steps.contains("2") ? 5 : 0))")
            let told = try await world.call(.get, "partners", as: bob).json("partner_of", "0", "breaks")
            #expect(told?.elements.count == breaks)
            if breaks == 1, let lost = told?.elements.first {
                #expect(lost["streak"]?.text == (steps.contains("2") ? "5" : "4"))
            }
            #expect(
                try await world.count(
                    "SELECT count(*) AS count FROM outbox WHERE key LIKE 'partner_break %'") == breaks)
        }
    }

    private func take(
        _ step: Character, _ world: FocusWorld, _ ada: Person, _ phone: TestPhone, _ intention: HTTPAnswer
    ) async throws {
        let now = WireJSON.timestamp(world.clock.now)
        switch step {
        case "o":
            let synced = try await phone.sync(phone.open(intention.text("id"), at: now))
            #expect(synced.json("rejected")?.elements.isEmpty == true, "\(synced)")
        case "e": #expect(try await phone.sync(phone.event("L", now)).status == 200)
        case "m": try await world.clock.advance(by: .hours(24))
        case "f": #expect(try await world.call(.post, "freeze", as: ada).status == 201)
        default:
            let put = try await put(world, ada, intention, opens: Int(String(step)) ?? 0)
            #expect(put.status == 200, "\(put)")
        }
    }

    @Test("a lower limit holds at once, as far as it is not used up, and a higher one from tomorrow on")
    func limits() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            let intention = try await create(world, ada, opens: 10)
            #expect(intention.status == 201 && intention.text("opens") == "10")
            #expect(intention.text("opens_from_tomorrow") == "null" && intention.text("used") == "0")
            #expect(intention.text("streak") == "0" && intention.text("frozen") == "false")
            func expect(_ answer: HTTPAnswer, _ opens: String, _ tomorrow: String) {
                #expect(answer.text("opens") == opens && answer.text("opens_from_tomorrow") == tomorrow)
            }
            expect(try await put(world, ada, intention, opens: 20), "10", "20")
            expect(try await put(world, ada, intention, opens: 8), "8", "null")
            for _ in 0..<5 {
                let now = WireJSON.timestamp(world.clock.now)
                _ = try await phone.sync(phone.open(intention.text("id"), at: now))
            }
            #expect(try await state(world, ada, "used") == "5")
            expect(try await put(world, ada, intention, opens: 2), "5", "2")
            try await world.clock.advance(by: .hours(24))
            #expect(try await state(world, ada, "opens") == "2")
            #expect(try await state(world, ada, "opens_from_tomorrow") == "null")
            #expect(try await state(world, ada, "used") == "0")
        }
    }

    /// Guard: an open of an unknown intention does not count as an event (`FocusIntentionEvents.open`)
    @Test("an open of another user's or a deleted intention is rejected and does not count as an event")
    func unknown() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            let phone = try await world.phone(of: ada)
            let (own, other) = (try await create(world, ada), try await create(world, bob))
            try await world.clock.advance(by: .hours(24))
            let now = WireJSON.timestamp(world.clock.now)
            let synced = try await phone.sync(phone.open(other.text("id"), at: now))
            #expect(synced.texts("rejected", "reason") == ["unknown_intention"], "\(synced)")
            #expect(synced.text("acknowledged") == "1")
            #expect(try await state(world, ada, "streak") == "0")
            _ = try await phone.sync(phone.event("L", now))
            #expect(try await state(world, ada, "streak") == "1")
            for _ in 0..<2 {
                let path = "intentions/\(own.text("id"))"
                #expect(try await world.call(.delete, path, as: ada).status == 204)
            }
            let late = try await phone.sync(phone.open(own.text("id"), at: now))
            #expect(late.texts("rejected", "reason") == ["unknown_intention"])
        }
    }

    /// Guard: an intention that is made after a journey to the west has not seen the later day
    /// (`FocusIntentionStore.insert`)
    @Test("an intention that is made after a journey to the west is closed by the next day's first event")
    func journey() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member(timeZone: "Pacific/Kiritimati")
            let phone = try await world.phone(of: ada)
            // The third of March, where Ada is.
            try await phone.sync(phone.event("L", "12:00"))
            try await world.postgres.execute("UPDATE users SET time_zone = 'UTC'")
            _ = try await create(world, ada)
            try await world.set("2026-03-03T10:00:00Z")
            try await phone.sync(phone.event("U", "2026-03-03T10:00:00Z"))
            #expect(try await state(world, ada, "streak") == "1")
        }
    }

    @Test("the events of one sync close the days between them, and the opens of each day count for it")
    func severalDays() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member(name: "Bob"))
            try await world.befriend(ada, bob)
            let phone = try await world.phone(of: ada)
            let videos = try await create(world, ada).text("id")
            let pictures = try await create(world, ada, opens: 1, label: "Pictures").text("id")
            try await world.set("2026-03-04T12:00:00Z")
            let opens = [
                phone.open(videos, at: "2026-03-02T13:00:00Z"),
                phone.open(pictures, at: "2026-03-02T14:00:00Z"),
                phone.open(videos, at: "2026-03-03T09:00:00Z"),
                phone.open(pictures, at: "2026-03-03T10:00:00Z"),
                phone.open(pictures, at: "2026-03-03T11:00:00Z"),
                phone.open(videos, at: "2026-03-04T08:00:00Z"),
                phone.open(videos, at: "2026-03-04T09:00:00Z"),
            ]
            #expect(try await phone.send(opens).text("rejected") == "[]")
            let list = try await world.call(.get, "intentions", as: ada)
            #expect(list.texts("intentions", "used") == ["2", "0"])
            #expect(list.texts("intentions", "streak") == ["2", "0"])
            #expect(list.texts("intentions", "best") == ["2", "1"])
            let told = try await world.call(.get, "partners", as: bob).json("partner_of", "0", "breaks")
            #expect(told?.elements.map { $0["day"]?.text } == ["2026-03-03"])
        }
    }

    /// Guard: a user's calls run one after the other (`FocusMemberStore.requireLocked`)
    @Test("wrong members are 400, unknown intentions 404, and a user has thirty at most")
    func refused() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            #expect(try await create(world, ada, opens: 0).pointer == "/opens")
            #expect(try await create(world, ada, opens: 51).pointer == "/opens")
            #expect(try await create(world, ada, minutes: 61).pointer == "/minutes")
            #expect(try await create(world, ada, label: "").pointer == "/label")
            let first = try await create(world, ada)
            #expect(try await put(world, bob, first, opens: 2).status == 404)
            for _ in 0..<28 { #expect(try await create(world, ada).status == 201) }
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<4 { group.addTask { try await create(world, ada) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 201 }.count == 1)
            #expect(answers.filter { $0.code == "intention_limit_reached" }.count == 3)
        }
    }

    @Test("an intention is made once under its key")
    func idempotent() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let first = try await create(world, ada, key: "one")
            let again = try await create(world, ada, key: "one")
            #expect(first.status == 201 && again.status == 200 && again.text == first.text)
            #expect(try await create(world, ada, opens: 4, key: "one").status == 422)
        }
    }

    /// Guard: a freeze needs Pro (`FocusIntentionService.freeze`)
    @Test("a freeze needs Pro, is taken once a week from Monday on, and of eight calls at once one takes it")
    func freeze() async throws {
        try await FocusWorld.run(at: "2026-03-08T12:00:00Z") { world in
            let (ada, bob) = (try await world.proMember(), try await world.member())
            #expect(try await world.call(.post, "freeze", as: bob).code == "pro_required")
            let before = try await world.call(.get, "now", as: ada)
            #expect(before.text("freeze", "available") == "true")
            #expect(before.text("freeze", "frozen_today") == "false")
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<8 { group.addTask { try await world.call(.post, "freeze", as: ada) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 201 }.map { $0.text("day") } == ["2026-03-08"])
            #expect(answers.filter { $0.code == "freeze_unavailable" }.count == 7)
            let now = try await world.call(.get, "now", as: ada)
            #expect(
                now.text("freeze", "available") == "false" && now.text("freeze", "frozen_today") == "true")
            #expect(try await create(world, ada).text("frozen") == "true")
            try await world.set("2026-03-09T00:00:00Z")
            let monday = try await world.call(.post, "freeze", as: ada, headers: FocusWorld.idempotent("one"))
            #expect(monday.status == 201 && monday.text("day") == "2026-03-09")
            let again = try await world.call(.post, "freeze", as: ada, headers: FocusWorld.idempotent("one"))
            #expect(again.status == 200 && again.text == monday.text)
        }
    }
}
