import FeatureKit
import Postgres
import Synchronization

/// The hints for streams that the transactions of a test have sent.
package final class HeardHints: Sendable {
    private final class Box: Sendable {
        let hints = Mutex<[EventHint]>([])
    }

    private let box = Box()
    private let subscription: CommitSignals.Subscription

    package init(_ postgres: PostgresClient) {
        let box = box
        subscription = postgres.signals.subscribe(to: [EventHint.channel]) { signals in
            box.hints.withLock { $0 += signals.compactMap { EventHint(payload: $0.payload) } }
        }
    }

    /// The hints since the last call, by name.
    package func take() -> [EventHint] {
        box.hints.withLock { hints in
            defer { hints = [] }
            return hints.sorted { $0.name < $1.name }
        }
    }
}
