import CoreMetrics
import Synchronization

final class CounterSeries: MetricSeries, CounterHandler {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        // A counter never falls, and stays at its maximum when it overflows.
        guard amount > 0 else { return }
        var current = value.load(ordering: .relaxed)
        while true {
            let (sum, overflow) = current.addingReportingOverflow(amount)
            let (done, seen) = value.weakCompareExchange(
                expected: current, desired: overflow ? .max : sum, ordering: .relaxed)
            if done { return }
            current = seen
        }
    }

    func reset() {
        value.store(0, ordering: .relaxed)
    }

    func write(name: String, labels: String, to text: inout String) {
        text += PrometheusText.line(name, labels, String(value.load(ordering: .relaxed)))
    }
}

/// A gauge, a meter, or a recorder that does not aggregate.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }

    func write(name: String, labels: String, to text: inout String) {
        text += PrometheusText.line(name, labels, PrometheusText.number(value.withLock { $0 }))
    }
}

/// A timer (it takes nanoseconds and reports seconds) or an aggregating recorder.
final class HistogramSeries: MetricSeries, TimerHandler, RecorderHandler {
    private struct State {
        /// The counts by bound, not cumulative. The last one counts the values above all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock {
            $0.counts[index] += 1
            $0.sum += value
        }
    }

    func write(name: String, labels: String, to text: inout String) {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        let separator = labels.isEmpty ? "" : ","
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? PrometheusText.number(bounds[index]) : "+Inf"
            text += PrometheusText.line(
                "\(name)_bucket", "\(labels)\(separator)le=\"\(bound)\"", String(total))
        }
        text += PrometheusText.line("\(name)_sum", labels, PrometheusText.number(sum))
        text += PrometheusText.line("\(name)_count", labels, String(total))
    }
}
