import Metrics
import Synchronization

/// How many calls of an object store are under way at a time, as `dayly_object_store_in_flight` and
/// `dayly_object_store_refused_total` tell: a store that hangs must not gather them without end.
final class CallLimit: Sendable {
    private let maxCalls: Int
    private let underWay = Atomic(0)
    private let gauge = Gauge(label: "dayly_object_store_in_flight")
    private let refusals = Counter(label: "dayly_object_store_refused_total")

    init(maxCalls: Int) {
        self.maxCalls = maxCalls
        refusals.increment(by: 0)
    }

    /// False when there are too many already.
    func begin() -> Bool {
        let (_, now) = underWay.add(1, ordering: .relaxed)
        guard now <= maxCalls else {
            underWay.subtract(1, ordering: .relaxed)
            countRefusal()
            return false
        }
        gauge.record(now)
        return true
    }

    func countRefusal() {
        refusals.increment()
    }

    func end() {
        gauge.record(underWay.subtract(1, ordering: .relaxed).newValue)
    }
}
