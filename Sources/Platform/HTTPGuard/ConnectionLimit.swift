import Metrics
import NIOCore
import Resilience

/// Bounds the connections that are open at a time. A client beyond the limit gets 503 and the connection closes before
/// anything is read.
package final class ConnectionLimit: Sendable {
    /// The connections beyond the limit that get an answer at a time. The others are closed without one.
    private static let maxFarewells = 128

    package let maxConnections: Int
    private let open: Gate
    private let farewells = Gate(limit: ConnectionLimit.maxFarewells)
    private let refusals = Counter(label: "dayly_http_connections_refused_total")

    package init(maxConnections: Int) {
        self.maxConnections = maxConnections
        let gauge = Gauge(label: "dayly_http_connections")
        open = Gate(limit: maxConnections) { gauge.record($0) }
        refusals.increment(by: 0)
        Gauge(label: "dayly_http_connections_limit").record(maxConnections)
    }

    /// Connections that are open now, without those that are being refused.
    package var openConnections: Int { open.taken }

    /// Whether four fifths of all connections are taken, so that idle clients should make room.
    var isCrowded: Bool { openConnections >= maxConnections - maxConnections / 5 }

    enum Verdict {
        case accepted
        /// Answer 503, then close.
        case refused
        /// Close without an answer.
        case dropped
    }

    /// Counts a new connection until it is closed.
    func admit(_ channel: any Channel) -> Verdict {
        if let place = open.enter() {
            channel.closeFuture.whenComplete { _ in place.release() }
            return .accepted
        }
        refusals.increment()
        guard let place = farewells.enter() else { return .dropped }
        channel.closeFuture.whenComplete { _ in place.release() }
        return .refused
    }
}
