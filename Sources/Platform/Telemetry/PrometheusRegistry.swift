import CoreMetrics
import Synchronization

/// A backend for swift-metrics that keeps all series in memory and writes them in Prometheus' text format (0.0.4).
///
/// Counters become counters (with `_total` added if it is missing), gauges and meters become gauges, timers and recorders
/// become histograms, and dimensions become labels. A metric has at most `maxSeries` label sets. Further ones are counted
/// under the label value `other`, so that no input can grow the memory.
package final class PrometheusRegistry: MetricsFactory {
    /// In seconds: fine enough for a request of a millisecond, and wide enough for a slow upload.
    package static let defaultBuckets: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ]

    private let maxSeries: Int
    private let buckets: [String: [Double]]
    private let help: [String: String]
    private let families = Mutex<[String: MetricFamily]>([:])

    /// - Parameters:
    ///   - maxSeries: the largest number of label sets of one metric.
    ///   - buckets: ascending upper bounds by metric name. Other metrics have `defaultBuckets`.
    ///   - help: help texts by metric name. Other metrics get their name in words.
    package init(maxSeries: Int = 1_000, buckets: [String: [Double]] = [:], help: [String: String] = [:]) {
        self.maxSeries = maxSeries
        self.buckets = buckets
        self.help = help
    }

    /// All metrics, sorted by name, then by labels.
    package func render() -> String {
        let families = families.withLock { $0.values.sorted { $0.name < $1.name } }
        var text = ""
        for family in families { family.write(to: &text) }
        return text
    }

    /// The `Content-Type` of the text from `render()`.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    // MARK: Factory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let name = label.hasSuffix("_total") ? label : label + "_total"
        return series(name, .counter, dimensions) { CounterSeries() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, .gauge, dimensions) { GaugeSeries() }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return series(label, .gauge, dimensions) { GaugeSeries() } }
        return series(label, .histogram, dimensions) { HistogramSeries(bounds: self.bounds(of: label)) }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, .histogram, dimensions) { HistogramSeries(bounds: self.bounds(of: label)) }
    }

    // A series outlives the object that wrote to it, because Prometheus expects totals that never fall.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func bounds(of name: String) -> [Double] {
        buckets[name] ?? Self.defaultBuckets
    }

    private func series<S: MetricSeries>(
        _ name: String, _ kind: MetricFamily.Kind, _ dimensions: [(String, String)], make: () -> S
    ) -> S {
        let safeName = PrometheusText.metricName(name)
        let family = families.withLock { families in
            if let family = families[safeName] { return family }
            let family = MetricFamily(
                name: safeName, kind: kind, help: help[name] ?? PrometheusText.words(of: safeName),
                maxSeries: maxSeries)
            families[safeName] = family
            return family
        }
        // If the name is already a metric of another kind, values recorded here are lost. Otherwise no scraper could read
        // the text.
        return family.series(labels: dimensions, make: make) ?? make()
    }
}
