import Logging
import Metrics
import Postgres
import Resilience
import ServiceLifecycle
import Synchronization

/// Does one thing of the outbox. It may be called again for the same one: after a crash, or when it took longer than
/// the lease.
package typealias OutboxHandler = @Sendable (OutboxItem) async throws -> OutboxVerdict

/// How many things that need one lane may be under way at the moment: 0 while nothing of it can be done.
package typealias OutboxLane = @Sendable () -> Int

/// Handles the outbox's rows as soon as they are committed. This process's commits wake the worker; rows that other
/// processes commit are found by a clock. Any number of instances work side by side; each may be killed at any point.
package struct OutboxWorker: Service {
    package struct Configuration: Sendable {
        /// Things that are done at a time.
        package var maxConcurrent = 64
        /// How long nobody else takes what was taken. Longer than any handler takes.
        package var lease: Duration = .seconds(60)
        /// How long a row waits at most when the process that wrote it does not work on it.
        package var pollInterval: Duration = .seconds(5)
        /// The shortest time from one claim to the next. Attempts that end in between are settled together, and new rows claimed together.
        package var batchInterval: Duration = .milliseconds(20)
        /// The pauses of a row between failed attempts.
        package var backoff = Backoff(first: .seconds(1), longest: .seconds(300))

        package init() {}
    }

    private let outbox: Outbox
    private let handlers: [String: OutboxHandler]
    private let lanes: [String: OutboxLane]
    private let configuration: Configuration
    private let logger: Logger

    /// - Parameters:
    ///   - handlers: by topic. Rows of other topics are left alone.
    ///   - lanes: by name. Rows that need other lanes only are left alone.
    package init(
        outbox: Outbox, handlers: [String: OutboxHandler], lanes: [String: OutboxLane] = [:],
        configuration: Configuration = Configuration(), logger: Logger
    ) {
        self.outbox = outbox
        self.handlers = handlers
        self.lanes = lanes
        self.configuration = configuration
        self.logger = logger
    }

    /// Does what is due now and has room.
    ///
    /// - Returns: how many things were taken on.
    @discardableResult
    package func runOnce() async throws -> Int {
        let items = try await claim(for: OutboxBench(places: configuration.maxConcurrent))
        let settlements = await withTaskGroup(of: OutboxSettlement.self) { group in
            for item in items { group.addTask { await handle(item) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await settle(settlements)
        return items.count
    }

    /// Works until shutdown; what is under way then is finished.
    package func run() async throws {
        let (wakeups, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let subscription = outbox.postgres.signals.subscribe(to: [Outbox.channel]) { _ in wake.yield() }
        defer { withExtendedLifetime(subscription) {} }
        await withTaskCancellationOrGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { bells in
                bells.addTask { await tick(wake) }
                await work(wakeups, wake)
                bells.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            wake.finish()
        }
    }

    /// One that takes long keeps a place, and nobody waits for it: whoever is done makes room for the next.
    private func work(_ wakeups: AsyncStream<Void>, _ wake: AsyncStream<Void>.Continuation) async {
        let bench = OutboxBench(places: configuration.maxConcurrent)
        await withDiscardingTaskGroup { group in
            for await _ in wakeups {
                await settle(bench.takeFinished())
                for item in await claimOrReport(for: bench) {
                    bench.begin(item)
                    group.addTask {
                        let settlement = await handle(item)
                        // After the last batch each settles its own.
                        if !bench.end(settlement) { await settle([settlement]) }
                        wake.yield()
                    }
                }
                try? await Task.sleep(for: configuration.batchInterval * Double.random(in: 0.5...1.5))
            }
            await settle(bench.close())
        }
    }

    private func tick(_ wake: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            wake.yield()
            try? await Task.sleep(for: configuration.pollInterval * Double.random(in: 0.8...1))
        }
    }

    private func claim(for bench: OutboxBench) async throws -> [OutboxItem] {
        let room = bench.room(of: lanes.mapValues { $0() })
        guard room.places > 0 else { return [] }
        return try await outbox.claim(
            topics: Array(handlers.keys), limit: room.places, lanes: room.lanes,
            lease: configuration.lease)
    }

    private func claimOrReport(for bench: OutboxBench) async -> [OutboxItem] {
        do {
            return try await claim(for: bench)
        } catch {
            logger.error(
                "the outbox cannot be read", metadata: ["error": "\(String(reflecting: error))"])
            return []
        }
    }

    private func handle(_ item: OutboxItem) async -> OutboxSettlement {
        let verdict = await verdict(on: item)
        Counter(
            label: "dayly_outbox_total", dimensions: [("topic", item.topic), ("outcome", verdict.label)]
        )
        .increment()
        if case .done = verdict {
            Timer(label: "dayly_outbox_seconds", dimensions: [("topic", item.topic)])
                .recordSeconds(item.claimedAt.timeIntervalSince(item.createdAt))
        }
        return OutboxSettlement(
            item: item, verdict: verdict, pause: pause(after: item.attempts, verdict))
    }

    /// Settles together, and each by itself where that fails: one bad row must not have all the others done again.
    private func settle(_ settlements: [OutboxSettlement]) async {
        guard !settlements.isEmpty else { return }
        if settlements.count > 1, (try? await outbox.settle(settlements)) != nil { return }
        for settlement in settlements {
            do {
                try await outbox.settle([settlement])
            } catch {
                // The lease runs out, and it is done again.
                logger.warning(
                    "the end of something in the outbox was not noted",
                    metadata: [
                        "topic": "\(settlement.item.topic)", "error": "\(String(reflecting: error))",
                    ])
            }
        }
    }

    private func verdict(on item: OutboxItem) async -> OutboxVerdict {
        guard let handler = handlers[item.topic] else { return .failed() }
        do {
            return try await handler(item)
        } catch {
            logger.error(
                "something in the outbox failed",
                metadata: [
                    "topic": "\(item.topic)", "item": "\(item.id)", "attempts": "\(item.attempts)",
                    "error": "\(String(reflecting: error))",
                ])
            return .failed()
        }
    }

    /// Never shorter than the pause that the verdict asks for.
    func pause(after attempts: Int, _ verdict: OutboxVerdict) -> Duration {
        var requested: Duration = .zero
        if case .failed(let after) = verdict { requested = after ?? .zero }
        return max(
            configuration.backoff.pause(afterFailures: attempts), requested * Double.random(in: 1...1.1))
    }
}

extension OutboxVerdict {
    /// In `dayly_outbox_total`.
    fileprivate var label: String {
        switch self {
        case .done: "done"
        case .dropped: "dropped"
        case .later: "later"
        case .failed: "failed"
        }
    }
}
