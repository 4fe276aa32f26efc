import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Sends the signals of this process's transactions to other processes: one NOTIFY for all signals of some
/// milliseconds.
///
/// A transaction that runs NOTIFY itself holds a lock of the whole cluster from before its commit is flushed until its
/// end, so such commits run one at a time. Here only the notifier's own transaction takes that lock, and it waits for
/// no flush and no standby. When the process is killed, its unsent signals are lost; listeners then find the changes
/// when they look by themselves.
package struct CommitNotifier: Service {
    /// The number of signals that may wait while the database is unavailable. Beyond it the notifier tells listeners to
    /// look at everything.
    private static let maxWaiting = 10_000
    /// PostgreSQL takes payloads of less than 8,000 bytes.
    private static let maxPayload = 7_500

    /// The signals that are not sent yet.
    private final class Waiting: Sendable {
        private let signals = Mutex<Set<CommitSignal>>([])
        let wake: AsyncStream<Void>.Continuation
        let wakeups: AsyncStream<Void>

        init() {
            (wakeups, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        }

        func add(_ new: some Sequence<CommitSignal>) {
            signals.withLock { signals in
                signals.formUnion(new)
                guard signals.count > CommitNotifier.maxWaiting else { return }
                signals = Set(signals.map { CommitSignal(channel: $0.channel) })
            }
            wake.yield()
        }

        func take() -> Set<CommitSignal> {
            signals.withLock { signals in
                defer { signals = [] }
                return signals
            }
        }
    }

    private let postgres: PostgresClient
    private let interval: Duration
    private let logger: Logger
    private let waiting = Waiting()
    private let subscription: CommitSignals.Subscription

    /// - Parameters:
    ///   - configuration: the configuration of the clients whose transactions send signals. The notifier has one
    ///     connection of its own.
    ///   - channels: the channels that other processes listen to.
    ///   - interval: the shortest time from one NOTIFY to the next.
    package init(
        _ configuration: PostgresConfiguration, channels: Set<String>,
        every interval: Duration = .milliseconds(15),
        logger: Logger
    ) {
        var own = configuration
        own.maxConnections = 1
        own.poolName = "notifier"
        own.signals = CommitSignals()
        postgres = PostgresClient(configuration: own, logger: logger)
        self.interval = interval
        self.logger = logger
        let waiting = waiting
        subscription = configuration.signals.subscribe(to: channels) { waiting.add($0) }
    }

    /// Sends signals until graceful shutdown or cancellation, and then the last ones.
    package func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            for await _ in waiting.wakeups {
                await notify()
                try? await Task.sleep(for: interval)
            }
        } onCancelOrGracefulShutdown: {
            waiting.wake.finish()
        }
        await notify()
        await postgres.close()
    }

    private func notify() async {
        let signals = waiting.take()
        guard !signals.isEmpty else { return }
        let notifications = Self.notifications(of: signals)
        do {
            _ = try await postgres.query(
                """
                SELECT set_config('synchronous_commit', 'off', true), count(pg_notify(channel, payload))
                FROM unnest(\(notifications.map(\.channel)), \(notifications.map(\.payload))) AS n (channel, payload)
                """)
            Counter(label: "dayly_postgres_notifications_total").increment(by: notifications.count)
        } catch {
            guard !Task.isCancelled else { return }
            logger.debug(
                "could not notify other processes", metadata: ["error": "\(String(reflecting: error))"])
            try? await Task.sleep(for: .milliseconds(500))
            waiting.add(signals)
        }
    }

    /// Packs signals into few notifications with many lines each. A signal without a payload stands for its whole
    /// channel.
    static func notifications(of signals: Set<CommitSignal>) -> [CommitSignal] {
        var notifications: [CommitSignal] = []
        for (channel, own) in Dictionary(grouping: signals, by: \.channel) {
            let lines = own.map(\.payload)
            if lines.contains("") {
                notifications.append(CommitSignal(channel: channel))
                continue
            }
            var payload = ""
            for line in lines {
                if payload.utf8.count + line.utf8.count >= maxPayload {
                    notifications.append(CommitSignal(channel: channel, payload: payload))
                    payload = ""
                }
                payload += payload.isEmpty ? line : "\n" + line
            }
            notifications.append(CommitSignal(channel: channel, payload: payload))
        }
        return notifications
    }
}
