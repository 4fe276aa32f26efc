import Metrics

/// The metrics of workers: their costs and outcomes.
enum WorkerMetrics {
    private static let crashes = "dayly_photo_worker_crashes"
    private static let sandbox = "dayly_photo_sandbox"

    /// Shows the metrics from the start, also of events that never happen, because alerts need them.
    static func begin() {
        Counter(label: crashes).increment(by: 0)
        Gauge(label: sandbox).record(1)
    }

    static func withoutSandbox() {
        Gauge(label: sandbox).record(0)
    }

    static func record(_ report: WorkerRun.Report) {
        let format = ("format", report.format)
        Timer(
            label: "dayly_photo_worker_seconds",
            dimensions: [format, ("outcome", report.outcome.label)]
        ).record(duration: report.duration)
        if case .crashed = report.outcome { Counter(label: crashes).increment() }
        guard report.cpuSeconds > 0 else { return }
        Timer(label: "dayly_photo_worker_cpu_seconds", dimensions: [format])
            .recordNanoseconds(Int64(report.cpuSeconds * 1e9))
        // The peak of a worker that ended before the first observation is unknown.
        guard report.peakMemoryBytes > 0 else { return }
        Recorder(label: "dayly_photo_worker_memory_bytes", dimensions: [format])
            .record(Int64(report.peakMemoryBytes))
    }
}
