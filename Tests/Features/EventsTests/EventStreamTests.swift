import Auth
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Events
@testable import Groups

@Suite("Streams of events")
struct EventStreamTests {
    @Test(
        "members receive each event once and in order, from whichever process it comes",
        arguments: EventWorld.Process.allCases)
    func story(calls: EventWorld.Process) async throws {
        try await EventWorld.run({ $0.pollInterval = .seconds(600) }, calls: calls) { world in
            let people = try await world.people("Ada", "Bob", "Cy")
            let group = try await world.group(of: Array(people.prefix(2)))
            let (ada, bob) = (try await world.listen(people[0]), try await world.listen(people[1]))
            try await world.rename(group, "Friends")
            let photo = try await world.addPhoto(to: group, from: people[0])
            // A photo that ends before its event is read would not be shown.
            for phone in [ada, bob] { try await phone.wait(for: 2) }
            try await world.join(people[2], group)
            try await world.endPhoto(photo)
            try await world.leave(people[2], group)
            for phone in [ada, bob] {
                try await phone.wait(for: 5)
                #expect(
                    phone.names == [
                        "group.updated", "photo.created", "member.joined", "photo.deleted", "member.left",
                    ])
                let id = "\(group.rawValue)".lowercased()
                #expect(phone.events[0].data == #"{"group_id":"\#(id)","name":"Friends"}"#)
                #expect(phone.events[1].data.contains(#""group_id":"\#(id)","photo":{"created_at""#))
                #expect(
                    phone.events[3].data == #"{"group_id":"\#(id)","photo_id":"\#("\(photo)".lowercased())"}"#
                )
                #expect(phone.events[4].member("first_name") == "Cy")
                #expect(phone.events[4].member("user_id") == people[2].id.resourceID.description)
                #expect(phone.text.hasPrefix("retry: "))
                #expect(Set(phone.events.map(\.id)).count == 5)
            }
        }
    }

    @Test(
        "a stream that is cut at any moment resumes after its last event, without loss or repetition")
    func resume() async throws {
        try await EventWorld.run({ ($0.pageSize, $0.pollInterval) = (3, .milliseconds(300)) }) { world in
            let people = try await world.people("Ada", "Bob", "Cy")
            let groups = [
                try await world.group(of: Array(people.prefix(2))), try await world.group(of: [people[0]]),
            ]
            let steady = try await world.listen(people[0])
            let doings = Task {
                for step in 0..<60 {
                    let group = groups[step % 2]
                    switch step % 5 {
                    case 0, 1: try await world.rename(group, "Name \(step)")
                    case 2, 3: try await world.addPhoto(to: group, from: people[0])
                    default:
                        try await world.join(people[2], group)
                        try await world.leave(people[2], group)
                    }
                    if step % 7 == 0 { try await Task.sleep(for: .milliseconds(Int.random(in: 0...30))) }
                }
            }
            var (seen, cursor): ([EventText.Event], String?) = ([], steady.cursor)
            while seen.count < 72 {
                let phone = try await world.listen(people[0], after: cursor)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...60)))
                await phone.cut()
                seen += phone.events
                cursor = phone.cursor
            }
            try await doings.value
            try await steady.wait(for: 72)
            for group in groups {
                let id = "\(group.rawValue)".lowercased()
                let (whole, pieced) = (
                    steady.events.filter { $0.member("group_id") == id },
                    seen.filter { $0.member("group_id") == id }
                )
                #expect(whole.map(\.name) == pieced.map(\.name))
                #expect(whole.map { $0.member("user_id") } == pieced.map { $0.member("user_id") })
            }
            #expect(steady.events.count == 72 && seen.count == 72)
        }
    }

    /// Guard: an event without a signal is found (`EventPump.look`, `EventHub.compare`)
    @Test("every event arrives even when no signal does")
    func lostSignals() async throws {
        try await EventWorld.run({ ($0.pollInterval, $0.pollParts) = (.milliseconds(100), 2) }) { world in
            try await world.postgres.execute("DROP TRIGGER group_events_signal ON group_events")
            let people = try await world.people("Ada", "Bob")
            let group = try await world.group(of: [people[0]])
            let (ada, bob) = (try await world.listen(people[0]), try await world.listen(people[1]))
            try await world.rename(group, "Friends")
            try await ada.wait(for: 1)
            try await world.join(people[1], group)
            try await world.rename(group, "Family")
            try await ada.wait(for: 3)
            try await bob.wait(for: 2)
            #expect(bob.names == ["member.joined", "group.updated"])
            try await world.leave(people[1], group)
            try await bob.wait(for: 3)
        }
    }

    /// Guard: an event without a signal is found (`EventPump.look`, `EventHub.compare`)
    @Test("a listener that loses its database connection listens again and has missed no event")
    func lostListener() async throws {
        try await EventWorld.run({ $0.pollInterval = .seconds(600) }, calls: .other) { world in
            let people = try await world.people("Ada")
            let group = try await world.group(of: people)
            let ada = try await world.listen(people[0])
            for round in 1...3 {
                _ = try await world.postgres.query(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE 'LISTEN%'
                    """)
                try await world.rename(group, "Name \(round)")
                try await ada.wait(for: round)
                try await world.untilListening()
            }
            #expect(ada.events.count == 3)
        }
    }

    /// Guard: renames in a loop leave one event for each name, and every cursor stays known
    /// (`GroupStore.replace`, `LogPosition.isKnown`)
    @Test("a stream stays valid over renames that replace each other, and receives the last name once")
    func replacedRenames() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada")
            let group = try await world.group(of: people)
            let phone = try await world.listen(people[0])
            try await world.rename(group, "One")
            try await phone.wait(for: 1)
            let cursor = try #require(phone.cursor)
            await phone.cut()
            for name in ["Two", "Three", "Four"] { try await world.rename(group, name) }
            let back = try await world.listen(people[0], after: cursor)
            try await back.wait(for: 1)
            try await world.untilInStep()
            try await world.rename(group, "Five")
            try await back.wait(for: 2)
            #expect(back.events.map { $0.member("name") } == ["Four", "Five"])
            #expect(
                try await world.postgres.query("SELECT number FROM group_events WHERE kind = 'group_renamed'")
                    .map { try $0.get("number", as: Int.self) } == [6])
        }
    }

    /// Guard: a request's transaction sends no NOTIFY (`group_events_signal`, `OutboxStore.wake`)
    @Test("no transaction notifies by itself: the notifier alone sends signals")
    func noNotify() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada")
            let listening = Counter()
            let told = world.postgres.listen(channel: GroupEventSignal.channel) { listening.increment() }
            try await eventually("the test listens") { listening.value > 0 }
            let group = try await world.group(of: people)
            let photo = try await world.addPhoto(to: group, from: people[0])
            try await world.rename(group, "Friends")
            try await world.endPhoto(photo)
            try await world.leave(people[0], group)
            try await world.postgres.execute("SELECT pg_notify(\(GroupEventSignal.channel), 'the end')")
            for try await payload in told {
                #expect(payload == "the end")
                break
            }
            let functions = try await world.postgres.query(
                """
                SELECT proname::text AS name FROM pg_proc
                WHERE pronamespace = 'public'::regnamespace AND prosrc ILIKE '%notify%'
                """)
            #expect(functions.isEmpty)
        }
    }

    @Test("a removed member receives that event and no later one, and a new member every event from then on")
    func membership() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada", "Bob")
            let group = try await world.group(of: people)
            let (ada, bob) = (try await world.listen(people[0]), try await world.listen(people[1]))
            // A user who was removed before is not named in the event.
            try await world.untilInStep()
            try await world.leave(people[1], group)
            try await world.addPhoto(to: group, from: people[0])
            try await ada.wait(for: 2)
            try await bob.wait(for: 1)
            let other = try await world.group(of: [people[1]])
            try await bob.wait(for: 2)
            #expect(bob.names == ["member.left", "member.joined"])
            #expect(bob.events[0].member("user_id") == people[1].id.resourceID.description)
            #expect(bob.events[0].member("first_name") == "Bob")
            #expect(bob.events[1].member("group_id") == "\(other.rawValue)".lowercased())
            try await world.join(people[1], group)
            try await world.rename(group, "Again")
            try await bob.wait(for: 4)
            #expect(bob.names.suffix(2) == ["member.joined", "group.updated"])
            try await ada.wait(for: 4)
        }
    }

    /// Guard: a removed member gets only their own removal; a returning one, their return
    /// (`EventStream.leave`, `EventPlace.enter`, `RenderedEvents.items`)
    @Test("events that wait for a slow reader are not sent once the reader has been removed")
    func removedWhileSlow() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada", "Bob")
            let group = try await world.group(of: people)
            let (ada, bob) = (try await world.listen(people[0]), try await world.listen(people[1]))
            try await world.untilInStep()
            bob.hold(true)
            try await world.rename(group, "One")
            try await ada.wait(for: 1)
            for _ in 0..<3 { try await world.addPhoto(to: group, from: people[0]) }
            try await ada.wait(for: 4)
            try await world.leave(people[1], group)
            try await ada.wait(for: 5)
            bob.hold(false)
            try await eventually("the farewell") { bob.names.last == "member.left" }
            #expect(bob.names == ["group.updated", "member.left"])
        }
    }

    /// Guard: a removed member gets only their own removal; a returning one, their return
    /// (`EventStream.leave`, `EventPlace.enter`, `RenderedEvents.items`)
    @Test("a client that was away learns of its user's removal or return, and not of events in between")
    func away() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada", "Bob")
            let (lost, again) = (try await world.group(of: people), try await world.group(of: people))
            let gone = try await world.group(of: [people[1]])
            let phone = try await world.listen(people[1])
            let cursor = try #require(phone.cursor)
            await phone.cut()
            for group in [lost, again] {
                try await world.addPhoto(to: group, from: people[0])
                try await world.leave(people[1], group)
                try await world.addPhoto(to: group, from: people[0])
                try await world.rename(group, "Secret")
            }
            try await world.leave(people[1], gone)
            try await world.join(people[1], again)
            try await world.rename(again, "Open")
            let back = try await world.listen(people[1], after: cursor)
            try await back.wait(for: 4)
            try await Task.sleep(for: .milliseconds(200))
            let byGroup = Dictionary(grouping: back.events) { $0.member("group_id") ?? "" }
            #expect(byGroup["\(lost.rawValue)".lowercased()]?.map(\.name) == ["member.left"])
            #expect(byGroup["\(gone.rawValue)".lowercased()]?.map(\.name) == ["member.left"])
            #expect(
                byGroup["\(again.rawValue)".lowercased()]?.map(\.name) == ["member.joined", "group.updated"])
            #expect(!back.text.contains("Secret"))
            // The event comes once.
            let cursorNow = try #require(back.cursor)
            await back.cut()
            let third = try await world.listen(people[1], after: cursorNow)
            try await world.rename(again, "Still")
            try await third.wait(for: 1)
            #expect(third.names == ["group.updated"])
        }
    }

    /// Guard: a photo that came and went is not an event (`EventRenderer`)
    @Test("a photo that came and went while a client was away is not reported, and one that stays is")
    func passing() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada")
            let group = try await world.group(of: people)
            let phone = try await world.listen(people[0])
            let cursor = try #require(phone.cursor)
            await phone.cut()
            let photo = try await world.addPhoto(to: group, from: people[0])
            let stays = try await world.addPhoto(to: group, from: people[0])
            try await world.endPhoto(photo)
            let back = try await world.listen(people[0], after: cursor)
            try await back.wait(for: 1)
            try await world.rename(group, "Later")
            try await back.wait(for: 2)
            #expect(back.names == ["photo.created", "group.updated"])
            #expect(back.events[0].data.contains("\(stays)".lowercased()))
        }
    }

    @Test(
        "the last member who leaves receives that event on every device, and a deleted user's event has no id"
    )
    func endings() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada", "Bob")
            let group = try await world.group(of: people)
            let phones = [try await world.listen(people[0]), try await world.listen(people[0])]
            let accounts = try await Fixtures.accounts(world.postgres)
            try await world.postgres.transaction { tx in
                try accounts.requireLocked(tx, people[1].id)
                _ = try world.groups.deleteMemberships(tx, of: people[1].id)
                try tx.execute("DELETE FROM users WHERE id = \(people[1].id)")
            }
            for phone in phones { try await phone.wait(for: 1) }
            try await world.leave(people[0], group)
            for phone in phones {
                try await phone.wait(for: 2)
                #expect(phone.names == ["member.left", "member.left"])
                #expect(phone.events[0].data.contains(#""user_id":null"#))
                #expect(phone.events[1].member("user_id") == people[0].id.resourceID.description)
            }
        }
    }
}
