import Logging
import Metrics
import Postgres
import Resilience
import ServiceLifecycle
import Synchronization

/// Handles one row of the outbox. It is called again for the same row after a crash, or after the lease has expired.
package typealias OutboxHandler = @Sendable (OutboxItem) async throws -> OutboxVerdict

/// The number of rows of one lane that may be handled at the same time now; 0 while none can be handled.
package typealias OutboxLane = @Sendable () -> Int

/// Handles the rows of the outbox soon after their commit. Commits of this process wake the worker; a poll finds the rows of
/// other processes. Any number of workers may run at the same time, and each may be killed at any point.
package struct OutboxWorker: Service {
    package struct Configuration: Sendable {
        /// The number of rows that are handled at the same time.
        package var maxConcurrent = 64
        /// The lease of a claimed row: longer than any handler takes.
        package var lease: Duration = .seconds(60)
        /// The longest wait of a row that another process wrote and does not handle.
        package var pollInterval: Duration = .seconds(5)
        /// The shortest time between two claims. Rows that end or become due in between share one statement.
        package var batchInterval: Duration = .milliseconds(20)
        /// The pause between the starts of two rows. Rows that started together would end together and start together again,
        /// and requests would wait each time until the process has handled all of them.
        package var startInterval: Duration = .microseconds(2_500)
        /// The pauses of a row between failed attempts.
        package var backoff = Backoff(first: .seconds(1), longest: .seconds(300))

        package init() {}
    }

    private let outbox: OutboxStore
    private let handlers: [String: OutboxHandler]
    private let lanes: [String: OutboxLane]
    private let configuration: Configuration
    private let logger: Logger

    /// - Parameters:
    ///   - handlers: by topic. Rows of other topics are not claimed.
    ///   - lanes: by name. Rows that need only other lanes are not claimed.
    package init(
        outbox: OutboxStore, handlers: [String: OutboxHandler], lanes: [String: OutboxLane] = [:],
        configuration: Configuration = Configuration(), logger: Logger
    ) {
        self.outbox = outbox
        self.handlers = handlers
        self.lanes = lanes
        self.configuration = configuration
        self.logger = logger
    }

    /// Handles the rows that are due now, as far as there are places.
    ///
    /// - Returns: the number of rows.
    @discardableResult
    package func runOnce() async throws -> Int {
        let items = try await claim(in: OutboxPlaces(configuration.maxConcurrent))
        let results = await withTaskGroup(of: OutboxResult.self) { group in
            for item in items { group.addTask { await handle(item) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await write(results)
        return items.count
    }

    /// Works until shutdown. Rows that are being handled then are finished.
    package func run() async throws {
        let (wakeups, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let subscription = outbox.postgres.signals.subscribe(to: [OutboxStore.channel]) { _ in wake.yield() }
        defer { withExtendedLifetime(subscription) {} }
        await withTaskCancellationOrGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await poll(wake) }
                await work(wakeups, wake)
                group.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            wake.finish()
        }
    }

    /// A slow row occupies one place, and no other row waits for it.
    private func work(_ wakeups: AsyncStream<Void>, _ wake: AsyncStream<Void>.Continuation) async {
        let places = OutboxPlaces(configuration.maxConcurrent)
        await withDiscardingTaskGroup { group in
            for await _ in wakeups {
                await write(places.takeResults())
                for item in await claimOrReport(in: places) {
                    places.begin(item)
                    group.addTask {
                        let result = await handle(item)
                        // After the last batch each row's result is written by itself.
                        if !places.end(result) { await write([result]) }
                        wake.yield()
                    }
                    try? await Task.sleep(for: configuration.startInterval)
                }
                try? await Task.sleep(for: configuration.batchInterval * Double.random(in: 0.5...1.5))
            }
            await write(places.close())
        }
    }

    private func poll(_ wake: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            wake.yield()
            try? await Task.sleep(for: configuration.pollInterval * Double.random(in: 0.8...1))
        }
    }

    private func claim(in places: OutboxPlaces) async throws -> [OutboxItem] {
        let room = places.room(in: lanes.mapValues { $0() })
        guard room.all > 0 else { return [] }
        return try await outbox.claim(
            topics: Array(handlers.keys), limit: room.all, lanes: room.lanes,
            lease: configuration.lease)
    }

    private func claimOrReport(in places: OutboxPlaces) async -> [OutboxItem] {
        do {
            return try await claim(in: places)
        } catch {
            logger.error(
                "the outbox cannot be read", metadata: ["error": "\(String(reflecting: error))"])
            return []
        }
    }

    private func handle(_ item: OutboxItem) async -> OutboxResult {
        let verdict = await verdict(on: item)
        Counter(
            label: "dayly_outbox_total", dimensions: [("topic", item.topic), ("outcome", verdict.label)]
        )
        .increment()
        if case .done = verdict {
            Timer(label: "dayly_outbox_seconds", dimensions: [("topic", item.topic)])
                .recordSeconds(item.claimedAt.timeIntervalSince(item.createdAt))
        }
        return OutboxResult(
            item: item, verdict: verdict, pause: pause(after: item.attempts, verdict))
    }

    /// Writes the results together. If that fails, each is written by itself, so that one bad row does not cause all the others
    /// to be handled again.
    private func write(_ results: [OutboxResult]) async {
        guard !results.isEmpty else { return }
        if results.count > 1, (try? await outbox.end(results)) != nil { return }
        for result in results {
            do {
                try await outbox.end([result])
            } catch {
                // After the lease has expired the row is handled again.
                logger.warning(
                    "the result of a row of the outbox could not be written",
                    metadata: [
                        "topic": "\(result.item.topic)", "error": "\(String(reflecting: error))",
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
                "a row of the outbox failed",
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
    /// The label in `dayly_outbox_total`.
    fileprivate var label: String {
        switch self {
        case .done: "done"
        case .dropped: "dropped"
        case .later: "later"
        case .failed: "failed"
        }
    }
}
