import ClientFixtures
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@testable import DaylyClient

@Suite("What the upload queue finds on the disk")
struct UploadRecordTests {
    typealias World = UploadQueueTests.World

    private let temporary: TemporaryFolder
    private let picture = Data("a picture".utf8)

    init() throws {
        temporary = try TemporaryFolder()
    }

    private var root: URL { temporary.url.appendingPathComponent("uploads") }

    /// Leaves an item of Ada's on the disk, whose upload found no network.
    private func leaveItem() async throws -> UploadItem {
        let world = try World(temporary: temporary) { (_: Int) throws(TransportError) in
            throw TransportError("offline")
        }
        let ids = try await world.queue.enqueue(photo: picture, groups: [.numbered(7)])
        await world.queue.settle()
        return try #require(try UploadFolder(root).items().first { $0.id == ids[0] })
    }

    private func nextProcess(user: ResourceID? = World.ada) throws -> World {
        let world = try World(temporary: temporary, user: user) { _ in .json(Photo.sample(), status: 201) }
        world.clock.advance(by: .seconds(3))
        return world
    }

    private func folder(of item: UploadItem) -> URL {
        root.appendingPathComponent("queued/\(item.captureID.uuidString)/\(item.id.uuidString)")
    }

    /// Guard: an attempt does not outlive its process (`UploadFolder.items`)
    @Test("an item that was being sent when its process ended is sent by the next one")
    func sending() async throws {
        var item = try await leaveItem()
        item.state = .sending
        try UploadFolder(root).store(item)
        let next = try nextProcess()
        await next.queue.resume()
        await next.queue.settle()
        #expect(next.uploads.count == 1)
        #expect(next.files.isEmpty)
    }

    /// Guard: a store that says nobody deletes no photo before its time (`UploadQueue.isLeftOver`)
    @Test("a photo waits for its sender while nobody is signed in, and is deleted after 50 hours")
    func nobody() async throws {
        _ = try await leaveItem()
        let next = try nextProcess(user: nil)
        await next.queue.resume()
        await next.queue.settle()
        #expect(next.stub.requests.isEmpty)
        #expect(await next.items().isEmpty)
        #expect(next.files.count == 2)
        next.clock.setWallClock(to: next.clock.now.addingTimeInterval(51 * 3600))
        await next.queue.resume()
        await next.queue.settle()
        #expect(next.files.isEmpty)
    }

    /// Guard: a queue that could not look at its start looks again (`UploadQueue.arm`)
    @Test("a start while the device is locked sends once it is unlocked")
    func lockedStart() async throws {
        _ = try await leaveItem()
        let isLocked = Locked(true)
        let clock = ManualClock()
        clock.advance(by: .seconds(3))
        let stub = StubTransport { _ in .json(Photo.sample(), status: 201) }
        let queue = UploadQueue(
            folder: root, requests: RequestBuilder(baseURL: temporary.url.appendingPathComponent("service")),
            transport: stub, authorized: TokenTransport(stub), clock: clock, random: { 1 }
        ) { () throws(DaylyError) in
            if isLocked.withLock({ $0 }) { throw .storageFailed }
            return World.ada
        }
        await queue.resume()
        await queue.settle()
        try await eventually("a pause") { clock.sleepers == 1 }
        #expect(stub.requests.isEmpty)
        isLocked.withLock { $0 = false }
        clock.advance(by: .seconds(15))
        try await eventually("the upload") {
            stub.requests.contains { $0.url.path.hasSuffix("/photos") }
        }
        await queue.settle()
        #expect(try UploadFolder(root).items().isEmpty)
    }

    /// Guard: a sign-out deletes records that do not say whose they are (`UploadQueue.forget`)
    @Test("a sign-out deletes what does not decode, unless it is somebody else's")
    func unreadableAtSignOut() async throws {
        let owners = ["", "\"user_id\":\"\(World.ada)\"", "\"user_id\":\"\(ResourceID.numbered(9))\""]
        var folders: [URL] = []
        for owner in owners {
            let folder = folder(of: try await leaveItem())
            try Data("{\(owner)}".utf8).write(to: folder.appendingPathComponent("item.json"))
            folders.append(folder)
        }
        await World.queue(
            temporary, StubTransport { _ in .done }, TokenTransport(StubTransport { _ in .done }),
            ManualClock()
        ).clear(of: World.ada)
        #expect(folders.map { FileManager.default.fileExists(atPath: $0.path) } == [false, false, true])
    }

    /// Guard: a record that does not decode is kept no longer than any other (`UploadQueue.isLeftOver`)
    @Test("what does not decode is deleted after 50 hours", arguments: [49, 51])
    func unreadableForLong(hours: Int) async throws {
        let folder = folder(of: try await leaveItem())
        try Data("{}".utf8).write(to: folder.appendingPathComponent("item.json"))
        let next = try nextProcess()
        let then = next.clock.now.addingTimeInterval(Double(-hours) * 3600)
        try FileManager.default.setAttributes([.modificationDate: then], ofItemAtPath: folder.path)
        await next.queue.resume()
        await next.queue.settle()
        #expect(next.files.count == (hours < 50 ? 2 : 0))
    }

    /// Guard: a queue leaves the records of another service alone (`UploadFolder.kept`)
    @Test("a client of another service neither sends nor deletes what it finds")
    func anotherService() async throws {
        _ = try await leaveItem()
        let stub = StubTransport { _ in .json(Photo.sample(), status: 201) }
        let other = UploadQueue(
            folder: root, requests: RequestBuilder(baseURL: temporary.url.appendingPathComponent("other")),
            transport: stub, authorized: TokenTransport(stub), clock: ManualClock()
        ) { () throws(DaylyError) in .numbered(9) }
        await other.resume()
        await other.settle()
        await other.clear()
        #expect(stub.requests.isEmpty)
        #expect(try nextProcess().files.count == 2)
    }

    /// As the first release wrote it, which knew no service. It does not change.
    private static let released = """
        {"added_at":821692800,"attempts":2,"capture_id":"6F1D8E0B-9C1B-4C0E-8B1E-3A0F4B5C6D7E",\
        "group_id":"00000000-0000-7000-8000-000000000007","id":"0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D",\
        "not_before":821692808,"problem":"network_answered","problem_detail":"This network answers instead of Dayly.",\
        "queued_at":821692800,"state":"waiting","ticket":{"expires_at":821779200,"ticket":"a ticket"},\
        "user_id":"00000000-0000-7000-8000-000000000001"}
        """

    /// Guard: an update keeps the queue of the former folder (`UploadFolder.adopt`)
    @Test("the record of each release is read, and the queue of the former folder is taken over")
    func released() async throws {
        let client = try ScriptedClient { _ throws(TransportError) in throw TransportError("offline") }
        let former = client.dayly.configuration.folder.appendingPathComponent(
            "uploads/queued/6F1D8E0B-9C1B-4C0E-8B1E-3A0F4B5C6D7E/0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D")
        defer { try? FileManager.default.removeItem(at: client.dayly.configuration.folder) }
        try FileManager.default.createDirectory(at: former, withIntermediateDirectories: true)
        try Data(Self.released.utf8).write(to: former.appendingPathComponent("item.json"))
        try picture.write(to: former.appendingPathComponent("photo.jpg"))
        client.clock.setWallClock(to: Date(timeIntervalSinceReferenceDate: 821_692_801))
        var items = client.dayly.uploads.items.makeAsyncIterator()
        let item = try #require(await items.next()?.first)
        #expect(item.groupID == .numbered(7) && item.attempts == 2 && item.problem == .networkAnswered)
        #expect(item.ticket?.ticket == "a ticket")
        let file = try #require(await client.dayly.uploads.picture(of: item))
        #expect(try Data(contentsOf: file) == picture)
        #expect(!FileManager.default.fileExists(atPath: former.path))
    }

    /// Guard: two services never share a folder (`Dayly.init`)
    @Test("the queues of two services lie in two folders")
    func twoServices() async throws {
        let stub = StubTransport { _ throws(TransportError) in throw TransportError("offline") }
        var folders: [URL] = []
        for text in ["https://one.test", "https://ONE.test/", "https://two.test"] {
            let dayly = Dayly(
                .init(
                    url: try #require(URL(string: text)), tokens: MemoryTokenStore(.numbered(0)),
                    folder: temporary.url, transport: stub, retries: .never))
            let ids = try await dayly.uploads.enqueue(photo: picture, groups: [.numbered(7)])
            await dayly.uploads.settle()
            let item = try #require(await dayly.uploads.ordered.first { $0.item.id == ids[0] }?.item)
            let file = try #require(await dayly.uploads.picture(of: item))
            folders.append((0..<4).reduce(file) { url, _ in url.deletingLastPathComponent() })
        }
        #expect(folders[0] == folders[1])
        #expect(folders[0] != folders[2])
    }
}
