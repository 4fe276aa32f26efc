import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Thrown when the queue takes no more messages. The caller answers 503 `overloaded`.
package struct SMSQueueFull: Error {}

/// The purpose of a message: a label of the metrics.
package enum SMSKind: String, Sendable, CaseIterable {
    case code
    case invite
}

/// Sends text messages apart from the request, so that a client cannot infer the gateway's speed or failures from an
/// answer. The queue is bounded and only in memory, because a readable code is never stored. At shutdown it still sends the
/// queued messages within `drainTimeout`.
package final class SMSQueue: Service {
    package struct Configuration: Sendable {
        package var capacity = 1_000
        package var maxConcurrent = 32
        package var maxAttempts = 4
        /// Before the second attempt; doubles from there, with full jitter.
        package var firstBackoff: Duration = .milliseconds(500)
        package var longestBackoff: Duration = .seconds(10)
        package var drainTimeout: Duration = .seconds(10)

        package init() {}
    }

    private struct Item: Sendable {
        let message: SMSMessage
        let kind: SMSKind
        let deadline: ContinuousClock.Instant
    }

    private struct State {
        var waiting = 0
        var drainDeadline: ContinuousClock.Instant?
    }

    private let gateway: any SMSGateway
    private let configuration: Configuration
    private let admitsRepetition: @Sendable () async -> Bool
    private let logger: Logger
    private let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let state = Mutex(State())
    private let depth = Gauge(label: "dayly_sms_queue_depth")

    /// - Parameter admitsRepetition: called before the retry of a message that a gateway may have already. The provider
    ///   may bill such a retry as another message, so it must be counted like one.
    package init(
        gateway: any SMSGateway, configuration: Configuration = .init(),
        admitsRepetition: @escaping @Sendable () async -> Bool = { true }, logger: Logger
    ) {
        self.gateway = gateway
        self.configuration = configuration
        self.admitsRepetition = admitsRepetition
        self.logger = logger
        (items, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Queues the message and returns at once. The queue tries to send it until `lifetime` is over.
    package func enqueue(
        _ message: SMSMessage, kind: SMSKind, lifetime: Duration = .seconds(300)
    ) throws(SMSQueueFull) {
        try reserve().send(message, kind: kind, lifetime: lifetime)
    }

    /// Reserves a place in the queue, for callers that must know in advance that the queue will take their message.
    package func reserve() throws(SMSQueueFull) -> Place {
        let waiting = state.withLock { state -> Int? in
            guard state.drainDeadline == nil, state.waiting < configuration.capacity else { return nil }
            state.waiting += 1
            return state.waiting
        }
        guard let waiting else {
            Counter(label: "dayly_sms_refused_total").increment()
            throw SMSQueueFull()
        }
        depth.record(waiting)
        return Place(queue: self)
    }

    /// Given back when it goes away unused.
    package final class Place: Sendable {
        private let queue: SMSQueue
        private let isUsed = Mutex(false)

        fileprivate init(queue: SMSQueue) {
            self.queue = queue
        }

        package func send(_ message: SMSMessage, kind: SMSKind, lifetime: Duration = .seconds(300)) {
            let isFirst = isUsed.withLock { isUsed in
                defer { isUsed = true }
                return !isUsed
            }
            guard isFirst else { return }
            let item = Item(message: message, kind: kind, deadline: .now.advanced(by: lifetime))
            if case .terminated = queue.continuation.yield(item) { queue.leave() }
        }

        deinit {
            if !isUsed.withLock({ $0 }) { queue.leave() }
        }
    }

    private func leave() {
        let waiting = state.withLock { state in
            state.waiting -= 1
            return state.waiting
        }
        depth.record(waiting)
    }

    package func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { group in
                var running = 0
                for await item in items {
                    if running >= configuration.maxConcurrent {
                        await group.next()
                        running -= 1
                    }
                    running += 1
                    group.addTask { await self.deliver(item) }
                }
            }
        } onCancelOrGracefulShutdown: {
            self.state.withLock { $0.drainDeadline = .now.advanced(by: self.configuration.drainTimeout) }
            self.continuation.finish()
        }
    }

    private func deliver(_ item: Item) async {
        let outcome = await attempt(item)
        leave()
        count(item.kind, outcome)
    }

    private func attempt(_ item: Item) async -> String {
        var message = item.message
        var backoff = configuration.firstBackoff
        var attempts = 0
        while ContinuousClock.now < deadline(of: item) {
            guard let failure = await send(message) else { return "sent" }
            log(item, failure)
            // Without a free connection of our own the message reached no gateway, so this is not an attempt.
            if failure != .noConnectionFree { attempts += 1 }
            if let outcome = await outcome(of: failure, after: attempts, &message) { return outcome }
            let retryAt = ContinuousClock.now + backoff * Double.random(in: 0.5...1)
            guard await wait(until: retryAt, for: item) else { return Self.loss(of: message) }
            backoff = min(backoff * 2, configuration.longestBackoff)
        }
        return "expired"
    }

    /// The message's outcome; nil when another attempt follows. If only one gateway may make it, `message` then names it.
    private func outcome(
        of failure: SMSGatewayError, after attempts: Int, _ message: inout SMSMessage
    ) async -> String? {
        let isLast = attempts >= configuration.maxAttempts
        switch failure {
        case .rejected: return "rejected"
        case .unavailable, .noConnectionFree: return isLast ? Self.loss(of: message) : nil
        case .unknown(_, let gateway):
            guard let gateway, !isLast, await admitsRepetition() else { return "unknown" }
            message.onlyGateway = gateway
            return nil
        }
    }

    /// The outcome of a message after its last attempt.
    private static func loss(of message: SMSMessage) -> String {
        message.onlyGateway == nil ? "failed" : "unknown"
    }

    /// - Returns: nil when the gateway accepted the message.
    private func send(_ message: SMSMessage) async -> SMSGatewayError? {
        do {
            try await gateway.send(message)
            return nil
        } catch let error as SMSGatewayError {
            return error
        } catch {
            return .unavailable("\(type(of: error))")
        }
    }

    /// Waits in short steps, so that it notices a shutdown.
    ///
    /// - Returns: false when the message's deadline comes first.
    private func wait(until retryAt: ContinuousClock.Instant, for item: Item) async -> Bool {
        while ContinuousClock.now < retryAt {
            guard retryAt < deadline(of: item), !Task.isCancelled else { return false }
            try? await Task.sleep(for: min(retryAt - .now, .milliseconds(200)))
        }
        return true
    }

    private func deadline(of item: Item) -> ContinuousClock.Instant {
        guard let drainDeadline = state.withLock({ $0.drainDeadline }) else { return item.deadline }
        return min(item.deadline, drainDeadline)
    }

    private func log(_ item: Item, _ failure: SMSGatewayError) {
        logger.warning(
            "a text message was not accepted",
            metadata: [
                "kind": "\(item.kind.rawValue)", "message_id": "\(item.message.id)",
                "reason": "\(failure.description)",
            ])
    }

    private func count(_ kind: SMSKind, _ outcome: String) {
        Counter(label: "dayly_sms_total", dimensions: [("kind", kind.rawValue), ("outcome", outcome)])
            .increment()
    }
}
