import Logging
import Metrics
import Resilience
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
        /// Messages that wait in memory: some three minutes of the default `sms.limits.per_minute`, because a code that
        /// waits longer helps nobody. Beyond it the answer is 503.
        package var capacity = 1_000
        /// Messages in progress at the gateways.
        package var maxConcurrent = 32
        package var maxAttempts = 4
        package var backoff = Backoff(first: .milliseconds(500), longest: .seconds(10))
        package var drainTimeout: Duration = .seconds(10)

        package init() {}
    }

    private struct Item: Sendable {
        let message: SMSMessage
        let kind: SMSKind
        let deadline: ContinuousClock.Instant
        let place: Gate.Place
    }

    private let gateway: any SMSGateway
    private let configuration: Configuration
    private let admitsRepetition: @Sendable () async -> Bool
    private let logger: Logger
    private let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let gate: Gate
    private let drainDeadline = Mutex<ContinuousClock.Instant?>(nil)

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
        let depth = Gauge(label: "dayly_sms_queue_depth")
        gate = Gate(limit: configuration.capacity) { depth.record($0) }
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
        let isDraining = drainDeadline.withLock { $0 != nil }
        guard !isDraining, let place = gate.enter() else {
            Counter(label: "dayly_sms_refused_total").increment()
            throw SMSQueueFull()
        }
        return Place(place, in: self)
    }

    /// A place for one message. It is given back when its last reference goes away unused.
    package final class Place: Sendable {
        private let queue: SMSQueue
        /// Nil once a message has taken it.
        private let place: Mutex<Gate.Place?>

        fileprivate init(_ place: Gate.Place, in queue: SMSQueue) {
            self.queue = queue
            self.place = Mutex(place)
        }

        /// Puts the message into the queue. A second call has no effect.
        package func send(_ message: SMSMessage, kind: SMSKind, lifetime: Duration = .seconds(300)) {
            guard let place = place.withLock({ $0.take() }) else { return }
            queue.continuation.yield(
                Item(message: message, kind: kind, deadline: .now.advanced(by: lifetime), place: place))
        }
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
            self.drainDeadline.withLock { $0 = .now.advanced(by: self.configuration.drainTimeout) }
            self.continuation.finish()
        }
    }

    private func deliver(_ item: Item) async {
        let outcome = await attempt(item)
        item.place.release()
        count(item.kind, outcome)
    }

    private func attempt(_ item: Item) async -> String {
        var message = item.message
        var attempts = 0
        var failures = 0
        while ContinuousClock.now < deadline(of: item) {
            guard let failure = await send(message) else { return "sent" }
            log(item, failure)
            failures += 1
            // Without a free connection of our own the message reached no gateway, so this is not an attempt.
            if failure != .noConnectionFree { attempts += 1 }
            if let outcome = await outcome(of: failure, after: attempts, &message) { return outcome }
            let retryAt = ContinuousClock.now + configuration.backoff.pause(afterFailures: failures)
            guard await wait(until: retryAt, for: item) else { return Self.loss(of: message) }
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
        guard let drainDeadline = drainDeadline.withLock({ $0 }) else { return item.deadline }
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
