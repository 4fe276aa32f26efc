import Metrics
import Resilience

/// The calls of an object store that are under way at a time, with the metrics `dayly_object_store_in_flight` and
/// `dayly_object_store_refused_total`. Without a limit a store that hangs would collect calls without end.
final class CallLimit: Sendable {
    private let gate: Gate
    private let refusals = Counter(label: "dayly_object_store_refused_total")

    init(maxCalls: Int) {
        let gauge = Gauge(label: "dayly_object_store_in_flight")
        gate = Gate(limit: maxCalls) { gauge.record($0) }
        refusals.increment(by: 0)
    }

    /// Takes a place for one call; nil when too many calls are under way.
    func enter() -> Gate.Place? {
        guard let place = gate.enter() else {
            countRefusal()
            return nil
        }
        return place
    }

    func countRefusal() {
        refusals.increment()
    }
}
