import ClientFixtures
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@testable import DaylyClient

/// Stands for the system that sends files while the app does not run.
private final class FakeTransfers: BackgroundTransfers {
    struct Transfer: Sendable {
        let request: TransportRequest
        let body: Data?
    }

    let transfers = Locked<[UUID: Transfer]>([:])
    let starts = Locked<[UUID]>([])
    let untaken = Locked<Set<UUID>>([])
    /// The end of a cancellation waits there.
    let door = Locked<Door?>(nil)
    let results: AsyncStream<BackgroundResult>
    private let reader: AsyncStream<BackgroundResult>.Continuation

    init() {
        (results, reader) = AsyncStream<BackgroundResult>.makeStream()
    }

    func start(_ request: TransportRequest, from file: URL, id: UUID) async {
        starts.withLock { $0.append(id) }
        transfers.withLock { $0[id] = Transfer(request: request, body: try? Data(contentsOf: file)) }
    }

    func running() async -> Set<UUID> {
        untaken.withLock { $0 }.union(transfers.withLock { $0.keys })
    }

    func took(_ id: UUID) {
        _ = untaken.withLock { $0.remove(id) }
    }

    func cancel(_ id: UUID) async {
        _ = transfers.withLock { $0.removeValue(forKey: id) }
        await door.withLock { $0 }?.pass()
    }

    func end(_ id: UUID, _ status: Int, _ body: some Encodable) throws {
        var head = TransportHead(status: status)
        head.headers["Content-Type"] = status < 400 ? "application/json" : "application/problem+json"
        let response = TransportResponse(head, body: try ClientJSON.encode(body))
        end(id, .success(response))
    }

    func end(_ id: UUID, _ result: Result<TransportResponse, TransportError>) {
        _ = transfers.withLock { $0.removeValue(forKey: id) }
        _ = untaken.withLock { $0.insert(id) }
        reader.yield(BackgroundResult(id: id, result: result))
    }
}

@Suite("Uploads by the system")
struct BackgroundTransferTests {
    private let clock = ManualClock()
    private let temporary: TemporaryFolder
    private let system = FakeTransfers()
    private let stub: StubTransport
    private let picture = Data("a picture".utf8)

    init() throws {
        temporary = try TemporaryFolder()
        stub = StubTransport { [clock] _ in
            .json(
                UploadTicket(ticket: "ticket", expiresAt: clock.now.addingTimeInterval(86_400)), status: 201)
        }
    }

    /// The queue of one process.
    /// - Parameter keychain: called before the process knows who is signed in.
    private func process(
        _ system: FakeTransfers, keychain: @escaping @Sendable () async -> Void = {}
    ) -> UploadQueue {
        UploadQueueTests.World.queue(
            temporary, stub, TokenTransport(stub), clock, background: system, keychain: keychain)
    }

    @Test("the system gets the file with the ticket and the key, and its answer ends the item")
    func handedOver() async throws {
        let queue = process(system)
        var sent = queue.sent.makeAsyncIterator()
        let id = try await queue.enqueue(photo: picture, groups: [ResourceID(UUID())])[0]
        await queue.settle()
        let transfer = try #require(system.transfers.withLock { $0[id] })
        #expect(transfer.body == picture)
        #expect(transfer.request.headers["Authorization"] == "Bearer ticket")
        #expect(transfer.request.headers["Idempotency-Key"] == id.uuidString.lowercased())
        try system.end(id, 201, Photo.sample())
        #expect(await sent.next()?.item.id == id)
        #expect(await queue.ordered.isEmpty)
    }

    /// Guard: the system's transfers are not started twice (`UploadQueue.resumeBackground`)
    @Test("after a relaunch the system's transfers go on, and everything else starts again")
    func relaunch() async throws {
        let first = process(system)
        let groups = [ResourceID(UUID()), ResourceID(UUID())]
        let ids = try await first.enqueue(photo: picture, groups: groups)
        await first.settle()
        let relaunched = FakeTransfers()
        let kept = try #require(system.transfers.withLock { $0[ids[0]] })
        relaunched.transfers.withLock { $0[ids[0]] = kept }
        let tickets = stub.requests.count
        let second = process(relaunched)
        await second.resume()
        await second.settle()
        #expect(relaunched.starts.withLock { $0 } == [ids[1]])
        #expect(stub.requests.count == tickets, "the tickets of the first process are used")
        for id in ids { try relaunched.end(id, 200, Photo.sample()) }
        try await eventually("the end of both") { await second.ordered.isEmpty }
    }

    /// Guard: the system's results wait until the queue knows its items (`UploadQueue.listen`)
    @Test("a result that comes before the relaunched queue knows its items is not lost")
    func earlyResult() async throws {
        let first = process(system)
        let id = try await first.enqueue(photo: picture, groups: [ResourceID(UUID())])[0]
        await first.settle()
        let relaunched = FakeTransfers()
        try relaunched.end(id, 201, Photo.sample())
        let second = process(relaunched) { for _ in 0..<100 { await Task.yield() } }
        var sent = second.sent.makeAsyncIterator()
        await second.resume()
        #expect(await sent.next()?.item.id == id)
        await second.settle()
        #expect(await second.ordered.isEmpty)
        #expect(relaunched.starts.withLock { $0.isEmpty }, "it is not sent again")
        #expect(relaunched.untaken.withLock { $0.isEmpty }, "the system may suspend the app")
    }

    /// Guard: a network's answer keeps the photo in the queue, in the background too (`UploadAnswer`,
    /// `UploadMachine.finish`)
    @Test(
        "a page in the place of the service's answer keeps the photo",
        arguments: [200, 201, 307, 401, 404, 413, 422])
    func page(status: Int) async throws {
        let queue = process(system)
        let id = try await queue.enqueue(photo: picture, groups: [ResourceID(UUID())])[0]
        await queue.settle()
        let page = TransportHead(status: status, headers: ["Content-Type": "text/html"])
        system.end(id, .success(TransportResponse(page, body: Data("<html>Sign in".utf8))))
        try await eventually("a pause") { clock.sleepers == 1 }
        let item = try #require(await queue.ordered.first?.item)
        #expect(item.state == .waiting && item.problem == .networkAnswered && item.ticket != nil)
        #expect(await queue.picture(of: item) != nil)
        await queue.networkReturned()
        try await eventually("the next transfer") { system.starts.withLock { $0 } == [id, id] }
    }

    @Test("a ticket that the service refuses is replaced after a pause")
    func refusedTicket() async throws {
        let queue = process(system)
        let id = try await queue.enqueue(photo: picture, groups: [ResourceID(UUID())])[0]
        await queue.settle()
        let problem = ProblemDocument(
            type: "/problems/unauthorized", title: "", status: 401, detail: "", code: "unauthorized")
        try system.end(id, 401, problem)
        try await eventually("a pause") { clock.sleepers == 1 }
        #expect(system.transfers.withLock { $0.isEmpty })
        clock.advance(by: .seconds(2))
        try await eventually("the next transfer") { system.transfers.withLock { $0[id] != nil } }
        #expect(stub.requests.count == 2)
    }

    @Test("a transfer that the system cancels is repeated after a pause")
    func cancelledBySystem() async throws {
        let queue = process(system)
        let id = try await queue.enqueue(photo: picture, groups: [ResourceID(UUID())])[0]
        await queue.settle()
        system.end(id, .failure(.cancelled))
        try await eventually("the result") { system.untaken.withLock { $0.isEmpty } }
        await queue.settle()
        #expect(system.starts.withLock { $0 } == [id])
        #expect(await queue.ordered.map(\.item.attempts) == [1])
        try await eventually("a pause") { clock.sleepers == 1 }
        clock.advance(by: .seconds(2))
        try await eventually("the next transfer") { system.starts.withLock { $0 } == [id, id] }
    }

    @Test("a discarded item is taken back from the system")
    func discarded() async throws {
        let queue = process(system)
        let id = try await queue.enqueue(photo: picture, groups: [ResourceID(UUID())])[0]
        await queue.settle()
        await queue.discard(id)
        #expect(await system.running().isEmpty)
        #expect(await queue.ordered.isEmpty)
    }

    /// Guard: a discarded item does not come back (`UploadQueue.discard`)
    @Test("a discarded item does not come back while the system takes its time")
    func discardedSlowly() async throws {
        let queue = process(system)
        let groups = [ResourceID(UUID()), ResourceID(UUID())]
        let ids = try await queue.enqueue(photo: picture, groups: groups)
        await queue.settle()
        let door = Door()
        system.door.withLock { $0 = door }
        let discarding = Task { await queue.discard(ids[0]) }
        try await eventually("the cancellation") { await door.visitors == 1 }
        try system.end(ids[1], 201, Photo.sample())
        try await eventually("the other's end") { system.untaken.withLock { $0.isEmpty } }
        await queue.settle()
        #expect(await queue.ordered.isEmpty)
        await door.open()
        await discarding.value
        #expect(system.starts.withLock { $0.count } == 2)
    }
}
