import Metrics

/// The metrics of workers: their cost and their outcomes.
enum WorkerMetrics {
    private static let crashes = "dayly_photo_worker_crashes"
    private static let sandbox = "dayly_photo_sandbox"

    /// Lets what may never happen be seen from the start, as an alert needs it.
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
        // Nothing is known of one that ended before the first look at it.
        guard report.peakMemoryBytes > 0 else { return }
        Recorder(label: "dayly_photo_worker_memory_bytes", dimensions: [format])
            .record(Int64(report.peakMemoryBytes))
    }
}
