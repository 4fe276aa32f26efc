import DaylyTesting
import Foundation
import Logging
import Postgres
import ServiceLifecycle
import Synchronization
import Testing

@testable import Jobs

private struct Word: Codable, Sendable, Equatable {
    var text: String
}

private struct Broken: Error {}

/// An outbox over a database, and what its handler was called with.
private final class World: Sendable {
    let postgres: PostgresClient
    let outbox: OutboxStore
    private let handled = Mutex<[OutboxItem]>([])

    init(_ postgres: PostgresClient) {
        self.postgres = postgres
        outbox = OutboxStore(postgres: postgres)
    }

    var items: [OutboxItem] { handled.withLock { $0 } }

    func post(
        _ text: String, dueAt: Date? = nil, lifetime: Duration = .seconds(60), lanes: [String] = []
    ) async throws {
        try await postgres.transaction { tx in
            try OutboxStore.post(
                tx, topic: "words", Word(text: text), owner: nil, dueAt: dueAt, lifetime: lifetime,
                lanes: lanes)
        }
    }

    @discardableResult
    func post(
        keys: [String?], lanes: [String] = [], keepFor seconds: TimeInterval = 60
    ) async throws -> Int {
        let drafts = keys.map {
            OutboxDraft(
                key: $0, owner: nil, payload: Word(text: $0 ?? ""),
                expiresAt: Date().addingTimeInterval(60), keepUntil: Date().addingTimeInterval(seconds),
                lanes: lanes)
        }
        return try await postgres.transaction { tx in try OutboxStore.post(tx, topic: "words", drafts) }
    }

    func worker(
        _ change: (inout OutboxWorker.Configuration) -> Void = { _ in },
        lanes: [String: OutboxLane] = [:],
        doing handler: @escaping OutboxHandler = { _ in .done }
    ) -> OutboxWorker {
        var configuration = OutboxWorker.Configuration()
        configuration.backoff.first = .milliseconds(1)
        change(&configuration)
        let counted: OutboxHandler = { item in
            self.handled.withLock { $0.append(item) }
            return try await handler(item)
        }
        return OutboxWorker(
            outbox: outbox, handlers: ["words": counted], lanes: lanes, configuration: configuration,
            logger: .silent)
    }

    func count(_ condition: SQL = "true") async throws -> Int {
        try await postgres.first("SELECT count(*) AS count FROM outbox WHERE \(fragment: condition)")?
            .get("count") ?? -1
    }

    /// Runs a worker as a service until `body` ends.
    func running(_ worker: OutboxWorker, _ body: @Sendable @escaping () async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            try await body()
            group.cancelAll()
        }
    }
}

private func withWorld(_ body: (World) async throws -> Void) async throws {
    try await withDatabase { try await body(World($0)) }
}

@Suite("The outbox")
struct OutboxTests {
    @Test("what is written in a transaction is done after it; what is rolled back is not")
    func transactional() async throws {
        try await withWorld { world in
            try await world.post("done")
            _ = try? await world.postgres.transaction { tx in
                try OutboxStore.post(
                    tx, topic: "words", Word(text: "undone"), owner: nil, lifetime: .seconds(60))
                throw Broken()
            }
            #expect(try await world.worker().runOnce() == 1)
            #expect(try world.items.map { try $0.payload(as: Word.self).text } == ["done"])
            #expect(try await world.count() == 0)
        }
    }

    /// Guard: an outbox key is used once; a failed row frees it (`OutboxStore.post`, `.settle`,
    /// `OutboxSweep`)
    @Test("of several with one key one is written, at once or later, also after it was done")
    func once() async throws {
        try await withWorld { world in
            let written = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await world.post(keys: ["b", "a", nil]) } }
                return try await group.reduce(0, +)
            }
            #expect(written == 22)
            let worker = world.worker()
            while try await worker.runOnce() > 0 {}
            #expect(try await world.post(keys: ["a", "c"]) == 1)
            #expect(try await world.count("done_at IS NOT NULL") == 2)
        }
    }

    /// Guard: an outbox key is used once; a failed row frees it (`OutboxStore.post`, `.settle`,
    /// `OutboxSweep`)
    @Test("what came to nothing leaves its key free; what was done does, once its key means nothing")
    func free() async throws {
        try await withWorld { world in
            try await world.post(keys: ["dropped"])
            try await world.worker(doing: { _ in .dropped }).runOnce()
            #expect(try await world.post(keys: ["dropped"]) == 1)
            try await world.worker().runOnce()
            #expect(try await world.post(keys: ["dropped"]) == 0)
            let sweep = OutboxSweep(outbox: world.outbox, topics: ["words"])
            try await sweep.runOnce()
            #expect(try await world.count() == 1)
            try await world.postgres.execute("UPDATE outbox SET keep_until = now() - interval '1 second'")
            try await sweep.runOnce()
            #expect(try await world.count() == 0)
        }
    }

    @Test("of many workers at once each thing gets one")
    func many() async throws {
        try await withWorld { world in
            for index in 0..<60 { try await world.post("\(index)") }
            let workers = (0..<4).map { _ in world.worker { $0.maxConcurrent = 7 } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in workers {
                    group.addTask { while try await worker.runOnce() > 0 {} }
                }
                try await group.waitForAll()
            }
            #expect(world.items.count == 60)
            #expect(Set(world.items.map(\.id)).count == 60)
            #expect(try await world.count() == 0)
        }
    }

    /// Guard: a row of the outbox is free again after its lease (`OutboxStore.end`)
    @Test(
        "whoever dies with something leaves it to the next, under the same id, once the lease is over")
    func crash() async throws {
        try await withWorld { world in
            try await world.post("twice")
            // Killed after it was done and before that was noted.
            let taken = try await world.outbox.claim(
                topics: ["words"], limit: 10, lease: .milliseconds(300))
            #expect(taken.count == 1)
            #expect(try await world.worker().runOnce() == 0)
            try await Task.sleep(for: .milliseconds(400))
            #expect(try await world.worker().runOnce() == 1)
            #expect(world.items.map(\.id) == taken.map(\.id))
            #expect(world.items.map(\.attempts) == [2])
            // Too late: somebody else has it, or it is done.
            try await world.post("again")
            let late = try await world.outbox.claim(topics: ["words"], limit: 10, lease: .zero)
            let current = try await world.outbox.claim(topics: ["words"], limit: 10, lease: .seconds(60))
            #expect(current.count == 1)
            try await world.outbox.end(try #require(late.first), .done, pause: .zero)
            #expect(try await world.count() == 1)
        }
    }

    @Test(
        "what fails is tried again after pauses that grow, with what it had achieved; an error is a failure"
    )
    func failures() async throws {
        try await withWorld { world in
            try await world.post("0")
            let outbox = world.outbox
            let worker = world.worker(doing: { item in
                let word: Word = try item.payload()
                guard word.text != "2" else { return .done }
                try await outbox.remember(Word(text: "\((Int(word.text) ?? 0) + 1)"), of: item)
                if word.text == "0" { throw Broken() }
                return .failed()
            })
            let deadline = ContinuousClock.now.advanced(by: .seconds(10))
            while try await world.count() > 0, ContinuousClock.now < deadline {
                try await worker.runOnce()
            }
            #expect(try world.items.map { try $0.payload(as: Word.self).text } == ["0", "1", "2"])
            #expect(world.items.map(\.attempts) == [1, 2, 3])
        }
        let worker = World(PostgresClient.nowhere).worker {
            $0.backoff.first = .seconds(1)
            $0.backoff.longest = .seconds(300)
        }
        for (attempts, longest) in [(1, 1.0), (2, 2), (5, 16), (9, 256), (10, 300), (1_000, 300)] {
            let pause = worker.pause(after: attempts, .failed()) / .seconds(1)
            #expect((longest / 2...longest).contains(pause))
        }
        #expect(worker.pause(after: 1, .failed(after: .seconds(40))) >= .seconds(40))
    }

    /// Guard: a row of the outbox is not claimed before it is due (`OutboxStore.claim`)
    @Test("a row that is put off does not count as a failure, and comes at its time")
    func later() async throws {
        try await withWorld { world in
            try await world.post("later")
            let due = Date().addingTimeInterval(0.3)
            try await world.worker(doing: { _ in .later(due) }).runOnce()
            #expect(try await world.worker().runOnce() == 0)
            try await Task.sleep(for: .milliseconds(400))
            #expect(try await world.worker().runOnce() == 1)
            #expect(world.items.map(\.attempts) == [1, 1])
        }
    }

    /// Guard: a row of the outbox is not claimed before it is due (`OutboxStore.claim`)
    @Test("a row that is posted for later is not handled before its time, and delays no other row")
    func dueLater() async throws {
        try await withTimeMachine { database, clock in
            let world = World(database.client)
            let due = clock.now.addingTimeInterval(3_600)
            // More of them than a worker has places, and in the lane of the row that is due.
            for index in 0..<10 { try await world.post("later \(index)", dueAt: due, lanes: ["fast"]) }
            _ = try await world.postgres.transaction { tx in
                try OutboxStore.post(
                    tx, topic: "words",
                    [
                        OutboxDraft(
                            key: "keyed", owner: nil, payload: Word(text: "keyed"), dueAt: due,
                            expiresAt: due.addingTimeInterval(60), keepUntil: due.addingTimeInterval(60))
                    ])
            }
            try await world.post("now", lifetime: .hours(2), lanes: ["fast"])
            let worker = world.worker({ $0.maxConcurrent = 3 }, lanes: ["fast": { 3 }])
            try await clock.advance(by: .seconds(3_599))
            #expect(try await worker.runOnce() == 1)
            #expect(try await worker.runOnce() == 0)
            try await clock.advance(by: .seconds(1))
            while try await worker.runOnce() > 0 {}
            #expect(world.items.count == 12)
            #expect(try world.items.first?.payload(as: Word.self).text == "now")
        }
    }

    @Test("a row that is posted for later expires its lifetime after it is due")
    func expiryOfLater() async throws {
        try await withTimeMachine { database, clock in
            let world = World(database.client)
            try await world.post("old", dueAt: clock.now.addingTimeInterval(3_600), lifetime: .seconds(60))
            try await clock.advance(by: .seconds(3_600 + 60))
            #expect(try await world.worker().runOnce() == 0)
            try await world.post("new", dueAt: clock.now.addingTimeInterval(3_600), lifetime: .seconds(60))
            try await clock.advance(by: .seconds(3_600 + 59))
            #expect(try await world.worker().runOnce() == 1)
        }
    }

    @Test("what is of no use any more is not done, and forgotten")
    func expiry() async throws {
        try await withWorld { world in
            try await world.post("old", lifetime: .milliseconds(1))
            try await Task.sleep(for: .milliseconds(20))
            #expect(try await world.worker().runOnce() == 0)
            try await OutboxSweep(outbox: world.outbox, topics: ["words"]).runOnce()
            #expect(try await world.count() == 0)
        }
    }

    /// Guard: a worker claims as many rows as its lanes have room for (`OutboxStore.claim`,
    /// `OutboxPlaces.room`)
    @Test(
        "a worker claims what the lanes have room for, and touches nothing of a lane that is closed")
    func lanes() async throws {
        try await withWorld { world in
            try await world.post(keys: ["a1", "a2", "a3", "a4"], lanes: ["a"])
            try await world.post(keys: ["b1", "b2"], lanes: ["b"])
            try await world.post(keys: ["both"], lanes: ["a", "b"])
            try await world.post(keys: ["none"])
            let room = Mutex(["a": 0, "b": 1])
            func lane(_ name: String) -> OutboxLane { { room.withLock { $0[name] ?? 0 } } }
            let worker = world.worker(lanes: ["a": lane("a"), "b": lane("b")])
            #expect(try await worker.runOnce() == 2)
            #expect(world.items.compactMap { $0.key?.prefix(1) }.sorted() == ["b", "n"])
            #expect(try await world.count("attempts > 0 AND done_at IS NULL") == 0)
            room.withLock { $0 = ["a": 3, "b": 0] }
            #expect(try await worker.runOnce() == 3)
            room.withLock { $0 = ["a": 9, "b": 9] }
            while try await worker.runOnce() > 0 {}
            #expect(Set(world.items.compactMap(\.key)).count == 8 && world.items.count == 8)
        }
    }

    /// Guard: a worker claims as many rows as its lanes have room for (`OutboxStore.claim`,
    /// `OutboxPlaces.room`)
    @Test("a running worker never has more of a lane under way than it has room for")
    func lanesUnderWay() async throws {
        try await withWorld { world in
            try await world.post(keys: (0..<30).map { "a\($0)" }, lanes: ["a"])
            let underWay = Mutex(0)
            let most = Mutex(0)
            let worker = world.worker(lanes: ["a": { 3 }]) { _ in
                let now = underWay.withLock { count in
                    count += 1
                    return count
                }
                most.withLock { $0 = max($0, now) }
                try await Task.sleep(for: .milliseconds(10))
                underWay.withLock { $0 -= 1 }
                return .done
            }
            try await world.running(worker) {
                try await eventually { try await world.count("done_at IS NOT NULL") == 30 }
            }
            #expect((1...3).contains(most.withLock { $0 }))
        }
    }

    /// Guard: a worker starts the rows of a claim one after another (`OutboxWorker.work`)
    @Test("a worker starts the rows of one claim one after another")
    func starts() async throws {
        try await withWorld { world in
            try await world.post(keys: ["a", "b", "c"])
            try await world.running(world.worker { $0.startInterval = .seconds(3_600) }) {
                try await eventually { try await world.count("done_at IS NULL AND attempts = 1") == 3 }
                try await eventually { world.items.count == 1 }
                #expect(try await world.count("lease IS NOT NULL") == 3)
            }
        }
    }

    /// Guard: attempts that end together are settled together, by their leases (`OutboxStore.end`)
    @Test(
        "attempts of every outcome that end together are settled together, and none that lost its lease"
    )
    func batches() async throws {
        try await withWorld { world in
            try await world.post(keys: ["done", "dropped", "later", "failed", "lost"])
            let items = try await world.outbox.claim(topics: ["words"], limit: 10, lease: .zero)
            try await world.postgres.execute(
                "UPDATE outbox SET lease = gen_random_uuid() WHERE key = 'lost'")
            let due = Date().addingTimeInterval(3_600)
            try await world.outbox.end(
                items.map { item in
                    let verdict: OutboxVerdict =
                        switch item.key {
                        case "dropped": .dropped
                        case "later": .later(due)
                        case "failed": .failed()
                        default: .done
                        }
                    return OutboxResult(item: item, verdict: verdict, pause: .seconds(60))
                })
            #expect(try await world.count("key = 'done' AND done_at IS NOT NULL AND lease IS NULL") == 1)
            #expect(try await world.count("key = 'dropped'") == 0)
            #expect(
                try await world.count(
                    "key = 'later' AND attempts = 0 AND due_at > now() + interval '59 minutes'") == 1)
            #expect(
                try await world.count(
                    "key = 'failed' AND attempts = 1 AND due_at > now() + interval '50 seconds'") == 1)
            #expect(try await world.count("key = 'lost' AND done_at IS NULL AND lease IS NOT NULL") == 1)
        }
    }

    /// Guard: a worker is woken by the transaction that writes a row (`OutboxWorker.ring`)
    @Test("a running worker is woken by the transaction, not by its clock")
    func woken() async throws {
        try await withWorld { world in
            let worker = world.worker { $0.pollInterval = .seconds(3_600) }
            try await world.running(worker) {
                // Listening has begun once this one is done.
                try await world.post("first")
                try await world.waitForItems(1)
                for index in 2...4 {
                    try await world.post("next")
                    try await world.waitForItems(index)
                }
            }
        }
    }

    @Test("one that takes long keeps nobody from the others")
    func hanging() async throws {
        try await withWorld { world in
            let worker = world.worker {
                $0.maxConcurrent = 2
            } doing: { item in
                if try item.payload(as: Word.self).text == "slow" {
                    try await Task.sleep(for: .seconds(60))
                }
                return .done
            }
            try await world.running(worker) {
                try await world.post("slow")
                for _ in 0..<20 { try await world.post("quick") }
                try await world.waitForItems(21)
                try await eventually { try await world.count() == 1 }
            }
        }
    }

    @Test("shutdown lets what is under way finish")
    func shutdown() async throws {
        try await withWorld { world in
            try await world.post("slow")
            let worker = world.worker(doing: { _ in
                try await Task.sleep(for: .milliseconds(300))
                return .done
            })
            let group = ServiceGroup(
                configuration: .init(
                    services: [.init(service: worker)],
                    logger: .silent))
            let running = Task { try await group.run() }
            try await world.waitForItems(1)
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(try await world.count() == 0)
        }
    }
}

extension World {
    fileprivate func waitForItems(_ count: Int) async throws {
        try await eventually { self.items.count >= count }
    }
}

extension PostgresClient {
    /// Connects to nothing until it is asked to.
    fileprivate static var nowhere: PostgresClient {
        PostgresClient(
            configuration: PostgresConfiguration(url: "postgresql://127.0.0.1:1/nowhere"),
            logger: .silent)
    }
}
