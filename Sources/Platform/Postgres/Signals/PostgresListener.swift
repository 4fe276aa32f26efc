import CPostgres
import Foundation
import Glibc
import Logging
import Resilience
import Synchronization

/// The running listeners, so that the client can stop them when it closes.
final class ListenerRegistry: Sendable {
    private struct State {
        var running: [ObjectIdentifier: PostgresListener] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())

    func listen(
        channel: String, _ configuration: PostgresConfiguration, _ logger: Logger,
        onListening: @escaping @Sendable () -> Void
    ) -> AsyncThrowingStream<String, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingNewest(PostgresListener.bufferedNotifications))
        let listener: PostgresListener
        do {
            listener = try PostgresListener(
                channel: channel, configuration, logger, continuation, onListening: onListening)
        } catch {
            continuation.finish(throwing: error)
            return stream
        }
        let isStopped = state.withLock { state in
            if !state.isStopped { state.running[ObjectIdentifier(listener)] = listener }
            return state.isStopped
        }
        guard !isStopped else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self, weak listener] _ in
            guard let listener else { return }
            listener.stop()
            _ = self?.state.withLock { $0.running.removeValue(forKey: ObjectIdentifier(listener)) }
        }
        listener.start()
        return stream
    }

    /// Makes every listener listen anew, with a new connection.
    func hangUpAll() {
        for listener in state.withLock({ Array($0.running.values) }) { listener.hangUp() }
    }

    func stopAll() {
        let listeners = state.withLock { state in
            defer { state.running.removeAll() }
            state.isStopped = true
            return Array(state.running.values)
        }
        for listener in listeners { listener.stop() }
    }
}

/// A connection that listens to a channel (LISTEN), and the thread that waits for its notifications.
final class PostgresListener: Sendable {
    /// The number of notifications that a slow reader may leave unread. Beyond it the oldest are dropped.
    static let bufferedNotifications = 4_096
    private static let backoff = Backoff(
        first: .milliseconds(200), longest: .milliseconds(3_200), jitter: 0.75)

    private let channel: String
    private let configuration: PostgresConfiguration
    private let logger: Logger
    private let continuation: AsyncThrowingStream<String, any Error>.Continuation
    private let onListening: @Sendable () -> Void
    private let stopSignal: StopSignal
    private let openGate = Mutex<StatementGate?>(nil)

    init(
        channel: String, _ configuration: PostgresConfiguration, _ logger: Logger,
        _ continuation: AsyncThrowingStream<String, any Error>.Continuation,
        onListening: @escaping @Sendable () -> Void
    ) throws(PostgresError) {
        self.channel = channel
        self.configuration = configuration
        self.logger = logger
        self.continuation = continuation
        self.onListening = onListening
        stopSignal = try StopSignal()
    }

    func stop() { stopSignal.raise() }

    /// Loses the connection, whose server may be the wrong one by now.
    func hangUp() { openGate.withLock { $0 }?.hangUp() }

    func start() {
        let thread = Thread { [self] in
            var failures = 0
            while !stopSignal.isRaised {
                do {
                    try listen { failures = 0 }
                } catch {
                    failures += 1
                    logger.warning("listening to the database failed", metadata: ["error": "\(error)"])
                    stopSignal.wait(Self.backoff.pause(afterFailures: failures))
                }
            }
            continuation.finish()
        }
        thread.name = "postgres-listen"
        thread.start()
    }

    /// Listens until stopped. Throws when the connection is lost.
    private func listen(_ began: () -> Void) throws(PostgresError) {
        let connection = try PostgresConnection(configuration: configuration.direct)
        openGate.withLock { $0 = connection.gate }
        defer {
            openGate.withLock { $0 = nil }
            connection.close()
        }
        let listen: SQL = "LISTEN \(identifier: channel)"
        try connection.runScript(listen.text)
        began()
        onListening()
        while try connection.waitForNotifications(or: stopSignal, { continuation.yield($0) }) {}
    }
}

/// A pipe that wakes a thread out of poll(2).
final class StopSignal: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let raised = Atomic(false)

    init() throws(PostgresError) {
        var descriptors: [Int32] = [0, 0]
        guard pipe(&descriptors) == 0 else { throw .unavailable(.lacksOwnResources) }
        (reading, writing) = (descriptors[0], descriptors[1])
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() {
        guard !raised.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 0
        _ = write(writing, &byte, 1)
    }

    /// Waits for this long, or until the signal is raised.
    func wait(_ pause: Duration) { _ = waitFor(nil, milliseconds: Int32(clamping: pause.wholeMilliseconds)) }

    /// Waits until the socket is readable, the signal is raised or the time is over.
    ///
    /// - Returns: whether the socket is readable.
    func waitFor(_ socket: Int32?, milliseconds: Int32) -> Bool {
        var descriptors = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
        if let socket { descriptors.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
        _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        return !isRaised && descriptors.count == 2 && descriptors[1].revents != 0
    }
}
