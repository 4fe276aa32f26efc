import DaylyClient
import ClientFixtures
@testable import FocusClient
@testable import PhoneClient
import FocusAPI
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@Suite("Focus: the queue of events")
struct FocusSyncQueueTests {
    @Test("an unlock goes at once with the lock before it, and then nothing is left")
    func sends() async throws {
        let uptime = try #require(PhoneUptime(bootID: "boot", seconds: 42))
        let world = try FocusSyncWorld(uptime: uptime)
        await world.queue.sendLocks(atOnce: false)
        let device = try await world.queue.device()
        try await world.record(.lock(.automatic))
        #expect(world.syncs.isEmpty)
        try await world.record()
        let sync = try #require(world.syncs.first)
        #expect(world.syncs.count == 1 && sync.deviceID == device.description && sync.cursor == nil)
        #expect(sync.events.map(\.kind) == ["lock", "unlock"] && sync.events.map(\.seq) == [1, 2])
        #expect(sync.bootID == "boot" && sync.uptime == 42 && sync.events.first?.uptime == 42)
        #expect(sync.clientTime == world.clock.now)
        #expect(await world.status()?.pending == 0)
        try await world.record()
        #expect(world.syncs.last?.cursor == "cursor-1" && world.syncs.last?.events.map(\.seq) == [3])
    }

    /// Guard: a phone's setting of locks holds for all of its processes (`PhoneSyncQueue.sendAll`,
    /// `.trigger`)
    @Test("the setting of locks is kept before there is an event, and processes that run follow it")
    func lockSetting() async throws {
        let world = try FocusSyncWorld()
        await world.queue.sendLocks(atOnce: false)
        let other = try world.again()
        try await other.record(.lock(.automatic))
        #expect(other.syncs.isEmpty)
        await world.queue.sendLocks(atOnce: true)
        try await other.record(.lock(.automatic))
        #expect(other.syncs.map(\.events.count) == [2])
    }

    @Test("an event of earlier has no uptime of now")
    func earlier() async throws {
        let world = try FocusSyncWorld(uptime: PhoneUptime(bootID: "boot", seconds: 42))
        try await world.queue.record(
            .unlock(.automatic), at: world.clock.now.addingTimeInterval(-3600),
            uptime: PhoneUptime(bootID: "boot", seconds: 2))
        try await world.queue.record(.open(intention: .numbered(5)), at: world.clock.now)
        await world.queue.settle()
        let events = world.syncs.flatMap(\.events)
        #expect(events.map(\.uptime) == [2, nil] && events.last?.intentionID == .numbered(5))
    }

    @Test("what a process has recorded the next one sends; a lost answer doubles nothing")
    func restart() async throws {
        let world = try FocusSyncWorld()
        world.plan(.lostRequest)
        try await world.record()
        #expect(world.kept.isEmpty)
        let second = try world.again()
        second.plan(.lostAnswer)
        await second.resume()
        #expect(second.kept == [1])
        let third = try second.again()
        try await third.record()
        #expect(third.kept == [1, 2] && third.syncs.map { $0.events.map(\.seq) } == [[1, 2]])
        #expect(await third.status()?.pending == 0)
    }

    @Test("a failed sync is repeated after 1, 2 and 4 minutes, and then with the next event")
    func repeats() async throws {
        let world = try FocusSyncWorld()
        world.plan(.lostRequest, .lostRequest, .lostRequest, .lostRequest)
        try await world.record()
        #expect(await world.status()?.error == .networkUnavailable)
        for (number, minutes) in [1, 2, 4].enumerated() {
            try await eventually("a wait") { world.clock.sleepers == 1 }
            world.clock.advance(by: .seconds(minutes * 60) - .milliseconds(1))
            #expect(world.syncs.count == number + 1)
            world.clock.advance(by: .milliseconds(1))
            try await eventually("a repetition") { world.syncs.count == number + 2 }
        }
        await world.queue.settle()
        #expect(await world.status()?.state == .idle && world.clock.sleepers == 0)
        try await world.record()
        #expect(world.kept == [1, 2])
    }

    /// Guard: one sync of a phone runs at a time, in one process (`PhoneSyncQueue.wake`,
    /// `PhoneSyncFolder.lockForSyncing`)
    @Test("one sync runs at a time; what is recorded meanwhile follows")
    func oneAtATime() async throws {
        let world = try FocusSyncWorld()
        let door = Door()
        world.plan(.delay(door))
        try await world.queue.record(.unlock(.automatic))
        try await eventually("the first sync") { await door.visitors == 1 }
        try await world.queue.record(.unlock(.automatic))
        await world.queue.resume()
        #expect(world.syncs.count == 1)
        await door.open()
        await world.queue.settle()
        #expect(world.syncs.map { $0.events.map(\.seq) } == [[1], [2]])
    }

    /// Guard: one sync of a phone runs at a time, in one process (`PhoneSyncQueue.wake`,
    /// `PhoneSyncFolder.lockForSyncing`)
    @Test("while another process syncs, this one only records")
    func otherProcess() async throws {
        let world = try FocusSyncWorld()
        _ = try await world.queue.device()
        let root = world.temporary.url.appendingPathComponent("focus")
        var lock = PhoneSyncFolder<FocusPhoneEvent>(root).lockForSyncing()
        #expect(lock != nil)
        try await world.record()
        #expect(world.syncs.isEmpty)
        withExtendedLifetime(lock) {}
        lock = nil
        try await world.skip(.seconds(15))
        try await eventually("the sync") { world.kept == [1] }
    }

    @Test("a sync has 500 events at most, and the rest follows at once")
    func batches() async throws {
        let world = try FocusSyncWorld()
        world.plan(.lostRequest)
        try await world.record()
        for _ in 2...501 { try await world.queue.record(.open(intention: .numbered(5))) }
        await world.resume()
        #expect(world.syncs.map(\.events.count) == [1, 500, 1] && world.kept == Array(1...501))
    }

    @Test("a sync has 256 KiB at most")
    func bytes() throws {
        // JSON writes each of these characters as two.
        let uptime = PhoneUptime(bootID: String(repeating: "/", count: 64), seconds: 1 << 52)
        let events = (1...500).map { seq in
            var event = FocusSyncEvent(.open(intention: .numbered(5)), seq: seq, at: Date(), uptime: uptime)
            event.source = String(repeating: "x", count: 400)
            return event
        }
        var sync = PhoneSync<FocusSyncEvent>(
            deviceID: .numbered(1), clientTime: Date(), uptime: nil, cursor: "cursor")
        sync.events = try PhoneSyncSender<FocusPhones>.batch(events, into: sync)
        let size = try ClientJSON.encode(FocusPhones.request(sync)).count
        #expect(sync.events.count < 500 && size <= 262_144 && size > 261_000)
    }

    /// Guard: other phones' events reach the app before their cursor is kept (`PhoneSyncQueue.take`)
    @Test("other phones' events reach the app before their cursor is kept, all pages of them")
    func others() async throws {
        let world = try FocusSyncWorld()
        let taken = Locked<[[Int]]>([])
        await world.queue.receiveOthers { events in
            let count = taken.withLock { taken in
                taken.append(events.map(\.seq))
                return taken.count
            }
            if count == 1 { throw CancellationError() }
        }
        world.service.withLock {
            $0.others = [FocusOtherEvent(seq: 9, kind: "lock", at: Date(), source: "manual", device: 2)]
            $0.hasMore = 2
        }
        try await world.record()
        #expect(world.syncs.count == 1, "the app has not taken them")
        world.service.withLock { $0.hasMore = 1 }
        await world.resume()
        #expect(world.syncs.map(\.cursor) == [nil, nil, "cursor-2"])
        #expect(taken.withLock { $0 } == [[9], [9], [9]])
    }

    @Test("after 410 the same events go without the cursor")
    func cursorExpired() async throws {
        let world = try FocusSyncWorld()
        try await world.record()
        world.plan(.refusal(.problem(410, .cursorExpired)))
        try await world.record()
        #expect(world.syncs.map(\.cursor) == [nil, "cursor-1", nil])
        #expect(world.syncs.map { $0.events.map(\.seq) } == [[1], [2], [2]] && world.kept == [1, 2])
    }

    @Test("rejected events are reported with their reason and are not sent again")
    func rejected() async throws {
        let world = try FocusSyncWorld()
        var answers = world.queue.answers.makeAsyncIterator()
        world.service.withLock { $0.rejected = [.init(seq: 1, reason: "too_old")] }
        try await world.record()
        let answer = try #require(await answers.next())
        #expect(answer.rejected == [.init(seq: 1, reason: "too_old")] && answer.now.tier == "bronze")
        #expect(await world.status()?.pending == 0)
    }

    @Test("a user who has not joined stops the queue, which keeps its events; joining lets it go on")
    func notJoined() async throws {
        let world = try FocusSyncWorld()
        world.plan(.refusal(.problem(409, .focusNotJoined)))
        try await world.record()
        #expect(await world.status()?.state == .stopped(.notJoined))
        try await world.record()
        await world.resume()
        #expect(world.syncs.count == 1 && world.clock.sleepers == 0)
        #expect(await world.status()?.pending == 2)
        await world.queue.restart()
        await world.queue.settle()
        #expect(world.kept == [1, 2])
    }

    /// Guard: a report about a day that is none gets no number, so that it cannot stop the events after it
    /// (`PhoneEvent.check`)
    @Test(
        "a malformed report gets no number, so that it cannot stop the others", arguments: ["", "2026-02-30"])
    func malformed(day: String) async throws {
        let world = try FocusSyncWorld()
        let error = await #expect(throws: DaylyError.self) {
            try await world.queue.record(.usage(day: day, minutes: 30))
        }
        #expect(error?.code == .invalidRequest)
        try await world.record(.usage(day: "2026-03-02", minutes: 2_000, isFinal: true))
        let event = try #require(world.syncs.first?.events.first)
        #expect(event.seq == 1 && event.minutes == 1_440 && event.final == true)
        #expect(PhoneUptime(bootID: "a b", seconds: 1) == nil && PhoneUptime(bootID: "", seconds: 1) == nil)
        #expect(PhoneUptime(bootID: "a", seconds: -1) == nil)
    }

    @Test("without a phone nothing is sent at launch, and without a user nothing is recorded")
    func nothing() async throws {
        let world = try FocusSyncWorld()
        await world.resume()
        #expect(world.syncs.isEmpty && world.clock.sleepers == 0)
        let nobody = try FocusSyncWorld(user: nil)
        await #expect(throws: DaylyError.signedOut) { try await nobody.record() }
    }

    /// Guard: a phone's events are sent by the session of its user only (`PhoneSyncQueue.phone`)
    @Test("after a sign-out that was cut off, the next user sends nothing of the old one")
    func otherUser() async throws {
        let world = try FocusSyncWorld()
        world.plan(.lostRequest)
        try await world.record()
        let bob = try FocusSyncWorld(temporary: world.temporary, user: .numbered(2))
        await bob.resume()
        #expect(bob.syncs.isEmpty)
        #expect(await bob.status()?.pending == 0)
    }

    /// Guard: an acknowledgement counts for the phone that it was given to (`PhoneSyncQueue.keep`)
    @Test("an answer that comes after the next user has signed in elsewhere acknowledges nothing of theirs")
    func lateAnswer() async throws {
        let world = try FocusSyncWorld()
        let door = Door()
        world.plan(.delay(door))
        try await world.queue.record(.unlock(.automatic))
        try await eventually("the sync") { await door.visitors == 1 }
        let bob = try FocusSyncWorld(temporary: world.temporary, user: .numbered(2))
        try await bob.record()
        await door.open()
        await world.queue.settle()
        #expect(world.kept == [1] && bob.kept.isEmpty)
        #expect(await bob.status()?.pending == 1)
    }

    @Test("sign-out forgets the events in the middle of a sync")
    func signOut() async throws {
        let world = try FocusSyncWorld()
        let device = try await world.queue.device()
        let door = Door()
        world.plan(.delay(door))
        try await world.queue.record(.unlock(.automatic))
        try await eventually("the sync") { await door.visitors == 1 }
        await world.queue.clear()
        await door.open()
        #expect(await world.status()?.pending == 0)
        #expect(try await world.queue.device() != device)
    }

    /// Guard: the events of a sign-out that no queue has seen are not the next user's
    /// (`PhoneSyncQueue.publishStored`)
    @Test("a queue that is made after a sign-out shows nothing of the leaver, and deletes it")
    func unseenSignOut() async throws {
        let ada = try FocusSyncWorld()
        ada.plan(.refusal(.problem(503, .overloaded)))
        try await ada.queue.record(.unlock(.automatic))
        await ada.queue.settle()
        let bob = try FocusSyncWorld(temporary: ada.temporary, user: .numbered(2))
        #expect(await bob.status()?.pending == 0)
        #expect(ada.kept.isEmpty)
    }
}
