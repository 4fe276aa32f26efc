import CoreMetrics
import Logging
import Synchronization
import Telemetry

/// Where logs and metrics of the whole process go.
package enum Observability {
    private static let isBootstrapped = Atomic(false)

    /// Once per process; later calls change nothing.
    package static func bootstrap(_ log: ServerConfiguration.Log) {
        guard isBootstrapped.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
        else { return }
        let level = Logger.Level(rawValue: log.level) ?? .info
        LoggingSystem.bootstrap { LineLogHandler(label: $0, level: level, format: log.format) }
    }

    private static let registry = PrometheusRegistry()
    private static let isMeasuring = Atomic(false)

    /// Once per process; later calls change nothing.
    ///
    /// - Returns: what `/metrics` answers.
    static func bootstrapMetrics() -> @Sendable () -> String {
        if isMeasuring.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged {
            MetricsSystem.bootstrap(registry)
        }
        return { registry.render() + ProcessMetrics.render() }
    }
}
