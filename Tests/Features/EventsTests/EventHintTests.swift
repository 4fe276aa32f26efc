import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Testing

@testable import Events
@testable import Groups

extension EventWorld {
    fileprivate func hint(_ hints: EventHint...) async throws {
        try await writer.transaction { tx in
            for hint in hints { hint.post(tx) }
        }
    }
}

@Suite("Hints")
struct EventHintTests {
    /// Guard: a hint goes to its users alone (`EventHub.hint`)
    @Test("a hint reaches the streams of its users on another process, and nobody else's, without an id")
    func users() async throws {
        try await EventWorld.run(calls: .other) { world in
            let people = try await world.people("Ada", "Bob", "Cleo")
            let group = try await world.group(of: people)
            let (ada, bob, cleo) = (
                try await world.listen(people[0]), try await world.listen(people[1]),
                try await world.listen(people[2])
            )
            let cursor = bob.cursor
            try await world.hint(
                EventHint("focus.now", to: [people[1].id]),
                EventHint(
                    "focus.board", data: #"{"group_id":"g","week":"2026-03-02"}"#, to: people[1...].map(\.id),
                    topic: "focus.board.g", interval: .seconds(30)))
            try await bob.wait(for: 2)
            try await cleo.wait(for: 1)
            #expect(Set(bob.names) == ["focus.now", "focus.board"] && cleo.names == ["focus.board"])
            #expect(bob.events.first { $0.name == "focus.now" }?.data == "{}")
            #expect(cleo.events.first?.data == #"{"group_id":"g","week":"2026-03-02"}"#)
            #expect(bob.cursor == cursor && !bob.text.contains("event: focus.now\ndata: {}\nid:"))
            // An event of the log comes afterwards as ever, and the cursor moves.
            try await world.addPhoto(to: group, from: people[0])
            try await bob.wait(for: 3)
            try await ada.wait(for: 1)
            #expect(ada.names == ["photo.created"] && bob.cursor != cursor)
        }
    }

    @Test(
        "a hint of a transaction that is rolled back is not sent; one of a group with many members reaches all"
    )
    func transactional() async throws {
        try await EventWorld.run(calls: .other) { world in
            let person = try await world.person()
            let phone = try await world.listen(person)
            struct Undone: Error {}
            _ = try? await world.writer.transaction { tx in
                EventHint("focus.now", data: #"{"undone":1}"#, to: [person.id]).post(tx)
                throw Undone()
            }
            let strangers = (0..<400).map { _ in UserID(.version7()) }
            try await world.hint(EventHint("focus.now", to: strangers + [person.id]))
            try await phone.wait(for: 1)
            #expect(phone.events.map(\.data) == ["{}"])
        }
    }

    /// Guard: of one topic a stream sends one hint in an interval (`StreamHints.add`)
    @Test(
        "of one topic a stream sends one hint in an interval, and the last one that came too early at its end"
    )
    func interval() {
        var hints = StreamHints()
        let start = ContinuousClock.now
        func add(_ data: String, topic: String = "a", after seconds: Int) {
            let hint = EventHint("n", data: data, to: [], topic: topic, interval: .seconds(30))
            hints.add(hint, at: start + .seconds(seconds))
        }
        add("1", after: 0)
        add("2", after: 1)
        add("3", after: 29)
        add("other", topic: "b", after: 29)
        #expect(hints.take() == ["event: n\ndata: 1\n", "event: n\ndata: other\n"])
        #expect(!hints.hasDue(at: start + .seconds(29)) && hints.hasDue(at: start + .seconds(30)))
        hints.release(at: start + .seconds(30))
        #expect(hints.take() == ["event: n\ndata: 3\n"])
        // The released hint begins a pause of its own.
        add("4", after: 31)
        #expect(hints.isEmpty)
        hints.release(at: start + .seconds(60))
        #expect(hints.take() == ["event: n\ndata: 4\n"])
        hints.release(at: start + .seconds(90))
        #expect(hints.isEmpty && !hints.hasDue(at: start + .seconds(1_000)))
    }

    @Test("equal hints that a slow client has not read are one, and a hint of the group's log is not one")
    func slow() {
        var hints = StreamHints()
        for _ in 0..<1_000 { hints.add(EventHint("focus.now", to: []), at: .now) }
        #expect(hints.take().count == 1)
        #expect(EventHint(payload: "0198a6e0-0000-7000-8000-000000000001 7 +") == nil)
        #expect(EventHint(payload: "hint 30 t n 0198a6e0-0000-7000-8000-000000000001") == nil)
    }
}
