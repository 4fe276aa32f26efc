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
}
