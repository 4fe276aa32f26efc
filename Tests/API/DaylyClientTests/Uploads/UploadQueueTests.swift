import ClientFixtures
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@testable import DaylyClient

@Suite("The upload queue")
struct UploadQueueTests {
    /// A queue over a stub, which answers tickets and, one after the other, uploads.
    struct World: Sendable {
        let temporary: TemporaryFolder
        let clock = ManualClock()
        let stub: StubTransport
        let session: TokenTransport
        let queue: UploadQueue
        static let ada = ResourceID(UUID())

        init(
            temporary: TemporaryFolder? = nil, user: ResourceID? = Self.ada, tickets: StubAnswer? = nil,
            uploads answers: @escaping @Sendable (Int) throws(TransportError) -> StubAnswer
        ) throws {
            let temporary = try temporary ?? TemporaryFolder()
            let clock = clock
            let count = Locked(0)
            stub = StubTransport { request throws(TransportError) in
                if request.url.path.hasSuffix("/upload-tickets") {
                    let expiresAt = clock.now.addingTimeInterval(86_400)
                    return tickets ?? .json(UploadTicket(ticket: "ticket", expiresAt: expiresAt), status: 201)
                }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return try answers(number)
            }
            session = TokenTransport(stub)
            self.temporary = temporary
            queue = Self.queue(temporary, stub, session, clock, user: user)
        }

        static func queue(
            _ temporary: TemporaryFolder, _ stub: StubTransport, _ session: TokenTransport,
            _ clock: ManualClock, user: ResourceID? = Self.ada, background: (any BackgroundTransfers)? = nil,
            keychain: @escaping @Sendable () async -> Void = {}
        ) -> UploadQueue {
            UploadQueue(
                folder: temporary.url.appendingPathComponent("uploads"),
                requests: RequestBuilder(baseURL: temporary.url.appendingPathComponent("service")),
                transport: stub, authorized: session, clock: clock, random: { 1 }, background: background,
                user: { () async throws(DaylyError) in
                    await keychain()
                    return user
                })
        }

        var uploads: [TransportRequest] { stub.requests.filter { $0.url.path.hasSuffix("/photos") } }

        /// The names of all files but the locks.
        var files: [String] {
            let all = FileManager.default.enumerator(atPath: temporary.url.path)
            return (all?.compactMap { $0 as? String } ?? []).filter {
                $0.hasSuffix(".jpg") || $0.contains(".json")
            }
        }

        func items() async -> [UploadItem] {
            for await items in queue.items { return items }
            return []
        }
    }

    private let picture = Data("a picture".utf8)
    private let family = ResourceID(UUID())
    private let friends = ResourceID(UUID())

    private static func accepted(_ status: Int = 201) -> StubAnswer { .json(Photo.sample(), status: status) }

    @Test("one picture goes to two groups under two keys, and then nothing is left")
    func twoGroups() async throws {
        let world = try World { _ in Self.accepted() }
        let ids = try await world.queue.enqueue(photo: picture, groups: [family, friends])
        await world.queue.settle()
        let keys = world.uploads.compactMap { $0.headers["Idempotency-Key"] }
        #expect(Set(keys) == Set(ids.map { $0.uuidString.lowercased() }))
        #expect(world.uploads.map(\.body) == [picture, picture])
        #expect(Set(world.uploads.map(\.url.path)).count == 2)
        #expect(await world.items().isEmpty)
        #expect(world.files.isEmpty)
    }

    @Test("after a lost answer the same key and bytes go again, once their time has come")
    func lostAnswer() async throws {
        let world = try World { (count: Int) throws(TransportError) in
            if count == 1 { throw TransportError("reset") }
            return Self.accepted(200)
        }
        let ids = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        #expect(await world.items().map(\.attempts) == [1])
        try await eventually("the timer") { world.clock.sleepers == 1 }
        world.clock.advance(by: .milliseconds(1_900))
        #expect(world.uploads.count == 1)
        world.clock.advance(by: .milliseconds(100))
        try await eventually("the second attempt") { world.files.isEmpty }
        let keys = world.uploads.map { $0.headers["Idempotency-Key"] }
        #expect(keys == [ids[0].uuidString.lowercased(), ids[0].uuidString.lowercased()])
    }

    @Test("a returning network does not wait for the timer")
    func networkReturned() async throws {
        let world = try World { (count: Int) throws(TransportError) in
            if count == 1 { throw TransportError("offline") }
            return Self.accepted()
        }
        _ = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        await world.queue.networkReturned()
        await world.queue.settle()
        #expect(world.files.isEmpty)
    }

    /// Guard: an upload that has waited for a day is not sent without asking, whatever ended the wait
    /// (`UploadMachine.review`, `.networkReturned`)
    @Test("a network that comes back after a day sends nothing without asking")
    func networkReturnedLate() async throws {
        let world = try World { (count: Int) throws(TransportError) in
            if count == 1 { throw TransportError("offline") }
            return Self.accepted()
        }
        _ = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        world.clock.setWallClock(to: world.clock.now.addingTimeInterval(25 * 3600))
        await world.queue.networkReturned()
        await world.queue.settle()
        #expect(world.uploads.count == 1)
        #expect(await world.items().map(\.problem) == [.tooOld])
    }

    /// Guard: only a photo counts as acceptance, and only a problem document as refusal (`UploadAnswer`)
    @Test("the page of a captive portal is not an acceptance")
    func captivePortal() async throws {
        let world = try World { _ in
            StubAnswer(TransportHead(status: 200), body: Data("<html>Sign in".utf8))
        }
        _ = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        #expect(await world.items().map(\.state) == [.waiting])
        #expect(await world.items().map(\.problemDetail) == ["This network answers instead of Dayly."])
        #expect(world.files.count == 2)
    }

    /// Guard: only a photo counts as acceptance, and only a problem document as refusal (`UploadAnswer`)
    @Test("a proxy's refusal without a problem document deletes no picture")
    func proxy() async throws {
        let world = try World { _ in StubAnswer(TransportHead(status: 404)) }
        _ = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        #expect(await world.items().map(\.state) == [.waiting])
        #expect(world.files.count == 2)
    }

    @Test("the ticket is the bearer token, and after its refusal the session's token")
    func ticket() async throws {
        let world = try World { $0 == 1 ? .problem(401, .unauthorized) : Self.accepted() }
        _ = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        let tokens = world.uploads.map { $0.headers["Authorization"] }
        #expect(tokens == ["Bearer ticket", "Bearer session"])
        #expect(world.files.isEmpty)
    }

    @Test("a used day is noticed by the ticket, before the picture is sent")
    func usedDay() async throws {
        let tomorrow = Date(timeIntervalSince1970: 1_800_040_000)
        let refusal = StubAnswer.problem(409, "already_sent_today", nextSendAt: tomorrow)
        let world = try World(tickets: refusal) { _ in Self.accepted() }
        let ids = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        #expect(world.uploads.isEmpty)
        #expect(await world.items().map(\.nextSendAt) == [tomorrow])
        await world.queue.keepUntilNextDay(ids[0])
        await world.queue.settle()
        #expect(await world.items().map(\.state) == [.waiting])
        await world.queue.discard(ids[0])
        #expect(world.files.isEmpty)
    }

    @Test("an unreadable picture is deleted, and the item says why")
    func unreadable() async throws {
        let world = try World { _ in .problem(422, .unreadableImage) }
        _ = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        let items = await world.items()
        #expect(items.map(\.problem) == [.refused(code: "unreadable_image")])
        #expect(items.map(\.state) == [.stopped])
        #expect(world.files.map { ($0 as NSString).lastPathComponent } == ["item.json"])
    }

    @Test("the next process sends what the last one left")
    func nextProcess() async throws {
        let last = try World { (_: Int) throws(TransportError) in throw TransportError("offline") }
        let ids = try await last.queue.enqueue(photo: picture, groups: [family, friends])
        await last.queue.settle()
        let next = try World(temporary: last.temporary) { _ in Self.accepted() }
        #expect(Set(await next.items().map(\.id)) == Set(ids))
        next.clock.advance(by: .seconds(3))
        await next.queue.resume()
        await next.queue.settle()
        #expect(next.uploads.count == 2)
        #expect(next.files.isEmpty)
    }

    /// Guard: one process sends (`UploadFolder.lockForSending`)
    @Test("while one process sends, another one adds and does not send")
    func twoProcesses() async throws {
        let temporary = try TemporaryFolder()
        let lock = try #require(
            try {
                let folder = UploadFolder(temporary.url.appendingPathComponent("uploads"))
                try folder.open()
                return folder.lockForSending()
            }())
        let world = try World(temporary: temporary) { _ in Self.accepted() }
        _ = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        #expect(world.stub.requests.isEmpty)
        #expect(await world.items().count == 1)
        withExtendedLifetime(lock) {}
    }

    /// Guard: a queue that cannot read waits, and a sign-out does not wait for an attempt
    /// (`UploadQueue.sendDue`, `.clear`)
    @Test("while the device does not say who is signed in, the queue looks again from time to time")
    func lockedDevice() async throws {
        let isLocked = Locked(false)
        let count = Locked(0)
        let clock = ManualClock()
        let temporary = try TemporaryFolder()
        let stub = StubTransport { request throws(TransportError) in
            let isUpload = request.url.path.hasSuffix("/photos")
            let number = count.withLock { count in
                count += isUpload ? 1 : 0
                return count
            }
            guard isUpload, number > 1 else { throw TransportError("offline") }
            return Self.accepted()
        }
        let queue = UploadQueue(
            folder: temporary.url, requests: RequestBuilder(baseURL: temporary.url), transport: stub,
            authorized: TokenTransport(stub), clock: clock, random: { 1 }
        ) { () throws(DaylyError) in
            if isLocked.withLock({ $0 }) { throw .storageFailed }
            return World.ada
        }
        _ = try await queue.enqueue(photo: picture, groups: [family])
        await queue.settle()
        isLocked.withLock { $0 = true }
        clock.advance(by: .seconds(2))
        try await eventually("a pause") { clock.sleepers == 1 }
        isLocked.withLock { $0 = false }
        clock.advance(by: .seconds(15))
        try await eventually("the upload") { await queue.ordered.isEmpty }
    }

    /// Guard: sign-out ends an upload in the middle (`UploadQueue.clear`)
    @Test("sign-out clears the queue, also in the middle of an upload")
    func signOut() async throws {
        let began = Locked(false)
        let stub = StubTransport { request throws(TransportError) in
            if request.url.path.hasSuffix("/photos") {
                began.withLock { $0 = true }
                do { try await Task.sleep(for: .seconds(60)) } catch { throw .cancelled }
            }
            throw TransportError("offline")
        }
        let temporary = try TemporaryFolder()
        let queue = World.queue(temporary, stub, TokenTransport(stub), ManualClock())
        _ = try await queue.enqueue(photo: picture, groups: [family, friends])
        try await eventually("the upload") { began.withLock { $0 } }
        await queue.clear()
        let folder = UploadFolder(temporary.url.appendingPathComponent("uploads"))
        #expect(try folder.items().isEmpty)
        await queue.settle()
        #expect(stub.requests.filter { $0.url.path.hasSuffix("/photos") }.count == 1)
    }

    /// Guard: a queue that cannot read waits, and a sign-out does not wait for an attempt
    /// (`UploadQueue.sendDue`, `.clear`)
    @Test("an attempt that notices the end of the session may clear the queue, and does not wait for itself")
    func endedDuringAttempt() async throws {
        let temporary = try TemporaryFolder()
        let cleared = Locked<UploadQueue?>(nil)
        let stub = StubTransport { request throws(TransportError) in
            guard request.url.path.hasSuffix("/photos") else { return .problem(503, .overloaded) }
            await cleared.withLock { $0 }?.clear()
            return .problem(401, .unauthorized)
        }
        let queue = World.queue(temporary, stub, TokenTransport(stub), ManualClock())
        cleared.withLock { $0 = queue }
        _ = try await queue.enqueue(photo: picture, groups: [family])
        await queue.settle()
        #expect(await queue.ordered.isEmpty)
        let folder = UploadFolder(temporary.url.appendingPathComponent("uploads"))
        #expect(try folder.items().isEmpty)
    }

    /// Guard: an upload is sent by the session of its user only (`UploadQueue.reload`)
    @Test("after a sign-out that was cut off, no other user sends what was queued")
    func anotherUser() async throws {
        let last = try World { (_: Int) throws(TransportError) in throw TransportError("offline") }
        _ = try await last.queue.enqueue(photo: picture, groups: [family])
        await last.queue.settle()
        let next = try World(temporary: last.temporary, user: ResourceID(UUID())) { _ in Self.accepted() }
        next.clock.advance(by: .seconds(3))
        await next.queue.resume()
        await next.queue.settle()
        #expect(next.stub.requests.isEmpty)
        #expect(next.files.isEmpty)
    }

    @Test("without a session the item waits for the next sign-in")
    func signedOut() async throws {
        let world = try World { _ in Self.accepted() }
        world.session.isSignedIn.withLock { $0 = false }
        _ = try await world.queue.enqueue(photo: picture, groups: [family])
        await world.queue.settle()
        #expect(await world.items().map(\.state) == [.signedOut])
        world.session.isSignedIn.withLock { $0 = true }
        await world.queue.signedIn()
        await world.queue.settle()
        #expect(world.files.isEmpty)
    }

    @Test("readers see the progress, and each accepted photo")
    func streams() async throws {
        let world = try World { _ in Self.accepted() }
        var sent = world.queue.sent.makeAsyncIterator()
        var items = world.queue.items.makeAsyncIterator()
        #expect(await items.next() == [])
        let ids = try await world.queue.enqueue(photo: picture, groups: [family])
        #expect(await sent.next()?.item.id == ids[0])
        await world.queue.settle()
        #expect(await world.items().isEmpty)
    }

    @Test("a picture that cannot be kept is not queued")
    func fullDisk() async throws {
        let temporary = try TemporaryFolder()
        try Data().write(to: temporary.url.appendingPathComponent("uploads"))
        let world = try World(temporary: temporary) { _ in Self.accepted() }
        await #expect(throws: DaylyError.storageFailed) {
            try await world.queue.enqueue(photo: picture, groups: [family])
        }
        #expect(await world.items().isEmpty)
    }
}
