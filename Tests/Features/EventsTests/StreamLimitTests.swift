import Auth
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Events
@testable import Groups

@Suite("The ends of streams of events")
struct StreamLimitTests {
    /// Guard: a cursor is its user's and its group's (`GroupCursors`)
    @Test(
        "a cursor that is malformed, another user's, forgotten or from a lost future is expired before anything is sent"
    )
    func cursors() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada", "Bob")
            let group = try await world.group(of: people)
            let phone = try await world.listen(people[0])
            let cursor = try #require(phone.cursor)
            func isExpired(_ cursor: String, _ person: Person) async throws -> Bool {
                do {
                    _ = try await world.events.start(person.identity, after: cursor)
                    return false
                } catch EventError.cursorExpired {
                    return true
                }
            }
            #expect(try await isExpired(cursor, people[0]) == false)
            for bad in ["x", "0", cursor + "A", String(cursor.dropLast(4)) + "AAAA"] {
                #expect(try await isExpired(bad, people[0]))
            }
            #expect(try await isExpired(cursor, people[1]))
            try await world.addPhoto(to: group, from: people[0])
            try await phone.wait(for: 1)
            let later = try #require(phone.cursor)
            try await world.rename(group, "Two")
            try await world.postgres.execute("DELETE FROM group_events WHERE number <= 3")
            #expect(try await isExpired(cursor, people[0]))
            // An older backup is restored, and other events take the numbers.
            try await world.postgres.execute("UPDATE groups SET last_event = 2")
            try await world.postgres.execute("DELETE FROM group_events")
            #expect(try await isExpired(later, people[0]))
            try await world.rename(group, "Three")
            try await world.rename(group, "Four")
            #expect(try await isExpired(later, people[0]))
        }
    }

    /// Guard: a cursor without a group whose joining the log has forgotten is expired (`EventPlace.enter`)
    @Test("a cursor from before a joining that has left the log is expired")
    func forgottenJoining() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada", "Bob")
            _ = try await world.group(of: people)
            let phone = try await world.listen(people[0])
            let cursor = try #require(phone.cursor)
            await phone.cut()
            let second = try await world.group(of: [people[1]])
            try await world.join(people[0], second)
            _ = try await world.events.start(people[0].identity, after: cursor)
            try await world.postgres.execute("DELETE FROM group_events WHERE group_id = \(second)")
            await #expect(throws: EventError.cursorExpired) {
                _ = try await world.events.start(people[0].identity, after: cursor)
            }
            _ = try await world.events.start(people[0].identity, after: nil)
        }
    }

    /// Guard: a stream ends with its token (`EventStream.tick`)
    /// Guard: a stream ends with its session and with its event source (`EventPump`)
    @Test("heartbeats break the silence, and a stream ends with its token, its session and the service")
    func ends() async throws {
        try await EventWorld.run({ $0.heartbeat = .milliseconds(300) }) { world in
            let people = try await world.people("Ada", "Bob", "Cy")
            _ = try await world.group(of: people)
            let ada = people[0].identity
            let brief = Identity(userID: ada.userID, sessionID: ada.sessionID, expiresIn: .seconds(4))
            let phones = [
                try await world.listen(brief), try await world.listen(people[1]),
                try await world.listen(people[2]),
            ]
            try await eventually("heartbeats") { phones.allSatisfy { $0.text.contains("\n\n:\n\n") } }
            try await eventually("the token's end") { phones[0].isOver }
            try await world.postgres.execute(
                "UPDATE sessions SET ended_at = now() WHERE user_id = \(people[1].id)")
            try await eventually("signing out") { phones[1].isOver }
            #expect(!phones[2].isOver)
            world.events.hub.close()
            try await eventually("the service's end") { phones[2].isOver }
            for phone in phones {
                #expect(phone.text.hasSuffix("\n\n") && phone.text.contains("\n\nretry: "))
            }
            let late = try await world.listen(people[2])
            try await eventually("a late one ends") { late.isOver }
            #expect(late.text.hasPrefix("retry: ") && late.events.isEmpty)
        }
    }

    /// Guard: clients of an ending process return spread over 30 s (`EventService.retryField`)
    @Test("clients of a process that ends reconnect spread over half a minute, and all others after a moment")
    func spread() async throws {
        try await EventWorld.run(isPumped: false) { world in
            let delays = { (ending: EventStream.Ending?) in
                (0..<400).compactMap { _ in
                    Int(world.events.retryField(after: ending).dropFirst("retry: ".count).dropLast())
                }
            }
            let spread = delays(.shutdown)
            #expect(spread.count == 400 && spread.allSatisfy { (0...30_000).contains($0) })
            for third in [0..<10_000, 10_000..<20_000, 20_000..<30_001] {
                #expect(spread.count { third.contains($0) } > 60)
            }
            for ending in [nil, EventStream.Ending.expired, .failed] {
                #expect(delays(ending).allSatisfy { (2_100...3_900).contains($0) })
            }
            // This process ends and serves no stream.
            let people = try await world.people("Ada")
            var late: Set<String> = []
            for _ in 0..<40 {
                let phone = try await world.listen(people[0])
                try await eventually("its end") { phone.isOver }
                late.insert(phone.text)
            }
            #expect(late.contains { $0.utf8.count > "retry: 9999\n\n".utf8.count })
        }
    }

    /// Guard: behind a proxy streams end one by one, with a short retry (`EventHub.closeGradually`,
    /// `EventService.retryField`)
    @Test("behind a proxy the streams of a process end one by one, and their clients reconnect at once")
    func gradualEnd() async throws {
        try await EventWorld.run({ settings in
            settings.endsGradually = true
            (settings.endPause, settings.shutdownSpread) = (.seconds(9), .seconds(3))
        }) { world in
            let people = try await world.people("Ada", "Bob", "Cy")
            let group = try await world.group(of: people)
            var phones: [Phone] = []
            for person in people { phones.append(try await world.listen(person)) }
            try await eventually("all streams") { world.events.hub.streams.count == 3 }
            let (all, began) = (phones, ContinuousClock.now)
            async let end: Void = world.events.hub.closeGradually()
            try await eventually("the end of the first") { all.contains { $0.isOver } }
            #expect(all.count { !$0.isOver } >= 1)
            // The others still get their events.
            try await world.rename(group, "While ending")
            await end
            #expect(ContinuousClock.now - began > .seconds(2))
            try await eventually("the end of all") { all.allSatisfy(\.isOver) }
            #expect(all.contains { $0.text.contains("While ending") })
            #expect(all.allSatisfy { $0.text.hasSuffix("retry: 500\n\n") })
            let late = try await world.listen(people[0])
            try await eventually("a late one ends") { late.isOver }
            #expect(late.text == "retry: 500\n\n")
        }
    }

    /// Guard: streams of a process are bounded; two do not share the last place (`EventService`,
    /// `EventHub.add`)
    /// Guard: streams are bounded, per reader and per user (`EventStream.append`, `EventHub.add`)
    @Test(
        "a user with too many streams loses the oldest, and beyond the limit of all streams a new one is refused"
    )
    func caps() async throws {
        try await EventWorld.run({ ($0.maxStreamsPerUser, $0.maxStreams) = (2, 3) }) { world in
            let people = try await world.people("Ada", "Bob")
            _ = try await world.group(of: people)
            let first = try await world.listen(people[0])
            let second = try await world.listen(people[0])
            let third = try await world.listen(people[0])
            try await eventually("the oldest has ended") { first.isOver }
            #expect(!second.isOver && !third.isOver)
            try await eventually("its place is free") { world.events.hub.hasRoom }
            let bob = try await world.listen(people[1])
            await #expect(throws: EventError.tooManyStreams) {
                _ = try await world.events.start(people[1].identity, after: nil)
            }
            await bob.cut()
            _ = try await world.events.start(people[1].identity, after: nil)
        }
    }

    /// Guard: streams are bounded, per reader and per user (`EventStream.append`, `EventHub.add`)
    @Test(
        "each stream beyond a user's limit ends one of the oldest, also while others have not left yet")
    func burst() async {
        var settings = EventSettings()
        settings.maxStreamsPerUser = 2
        let hub = EventHub(settings: settings)
        hub.open()
        let user = UserID(rawValue: UUID())
        let streams = (0..<5).map { _ in
            EventStream(
                user: user, session: SessionID(rawValue: UUID()), numbers: [:], lifetime: nil,
                maxBuffered: 10)
        }
        // No task runs them, so none leaves.
        for stream in streams { #expect(hub.add(stream)) }
        for stream in streams.prefix(3) {
            guard case .end(.replaced) = await stream.next() else {
                Issue.record("it goes on")
                continue
            }
        }
    }

    /// Guard: streams of a process are bounded; two do not share the last place (`EventService`,
    /// `EventHub.add`)
    @Test("of clients that compete for the last place one gets it, and the others are told when to come back")
    func lastPlace() async throws {
        try await EventWorld.run({ $0.maxStreams = 1 }) { world in
            let people = try await world.people("Ada", "Bob", "Cy")
            _ = try await world.group(of: people)
            var starts: [EventStart] = []
            for person in people { starts.append(try await world.events.start(person.identity, after: nil)) }
            let phones = starts.map { Phone(world.events, $0) }
            try await eventually("two have ended and one has begun") {
                phones.count(where: \.isOver) == 2 && phones.contains { $0.cursor != nil }
            }
            for phone in phones where phone.isOver {
                #expect(phone.text.hasPrefix("retry: ") && phone.cursor == nil)
            }
        }
    }

    /// Guard: a stream ends with its session and with its event source (`EventPump`)
    @Test("streams end when the pump ends")
    func pumpEnds() async throws {
        try await EventWorld.run(isPumped: false) { world in
            let pump = world.pump()
            try await world.untilListening()
            let people = try await world.people("Ada")
            _ = try await world.group(of: people)
            let phone = try await world.listen(people[0])
            pump.cancel()
            try await eventually("its end") { phone.isOver }
            #expect(phone.text.contains("\n\nretry: "))
        }
    }

    /// Guard: streams are bounded, per reader and per user (`EventStream.append`, `EventHub.add`)
    @Test("a reader that is too slow loses its stream and no event, and resumes from its cursor")
    func slow() async throws {
        try await EventWorld.run({ $0.maxBuffered = 10 }) { world in
            let people = try await world.people("Ada", "Bob")
            let group = try await world.group(of: people)
            let (ada, bob) = (try await world.listen(people[0]), try await world.listen(people[1]))
            try await world.untilInStep()
            bob.hold(true)
            for count in 1...30 {
                try await world.addPhoto(to: group, from: people[0])
                try await ada.wait(for: count)
            }
            bob.hold(false)
            try await eventually("its end") { bob.isOver }
            #expect(bob.events.count < 30)
            let again = try await world.listen(people[1], after: bob.cursor)
            try await eventually("the rest") { bob.events.count + again.events.count >= 30 }
            #expect(bob.events.count + again.events.count == 30)
        }
    }

    @Test("many streams of one group cost one reading of its log per event")
    func oneReading() async throws {
        try await EventWorld.run { world in
            let people = try await world.people("Ada", "Bob", "Cy", "Di", "Ed")
            let group = try await world.group(of: people)
            var phones: [Phone] = []
            for person in people {
                for _ in 0..<4 { phones.append(try await world.listen(person)) }
            }
            try await world.untilInStep()
            let before = world.readings.value
            for round in 1...5 {
                try await world.rename(group, "Name \(round)")
                for phone in phones { try await phone.wait(for: round) }
            }
            #expect(world.readings.value - before == 5)
        }
    }
}
