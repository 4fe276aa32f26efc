import CoreMetrics
import Logging
import Metrics
import Synchronization
import Telemetry

/// Sets up the logs and metrics of the whole process.
package enum Observability {
    private static let isBootstrapped = Atomic(false)

    /// Takes effect once per process; later calls have no effect.
    package static func bootstrap(_ log: LogSettings) {
        guard isBootstrapped.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
        else { return }
        LoggingSystem.bootstrap { LineLogHandler(label: $0, level: log.level, format: log.format) }
    }

    private static let registry = PrometheusRegistry(
        buckets: [
            "dayly_photo_worker_seconds": [
                0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30,
            ],
            "dayly_photo_worker_cpu_seconds": [
                0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2, 3, 4, 6, 10,
            ],
            "dayly_photo_worker_memory_bytes":
                [16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024, 2_048].map { $0 * 1_048_576 },
        ],
        help: [
            "dayly_bucket_keeps_deleted":
                "1 while the bucket only hides deleted objects; `dayly doctor` gives the reason",
            "dayly_photo_worker_seconds": "Run time of a picture's decoder, by format and outcome",
            "dayly_photo_worker_cpu_seconds": "User and system time of a picture's decoder",
            "dayly_photo_worker_memory_bytes": "Peak memory of a picture's decoder",
            "dayly_photo_worker_crashes_total":
                "Decoders that a signal ended, or that exited with an unknown status",
            "dayly_photo_sandbox": "1 while decoders run under the system call filter, 0 without it",
            "dayly_photo_queue_depth": "Pictures that are waiting for a decoder",
            "dayly_http_admitted": "Requests that hold a place, by lane: short requests, or bulk (uploads)",
            "dayly_http_admitted_limit": "Places in each lane",
            "dayly_http_refused_total": "Requests answered by 503 because their lane was full",
            "dayly_http_connections": "Open connections",
            "dayly_http_connections_limit": "The limit on open connections",
            "dayly_http_connections_refused_total": "Connections refused because the limit was reached",
            "dayly_postgres_pool_waiting":
                "Statements and transactions that wait for a connection, for requests and for background jobs",
            "dayly_clock_difference_seconds": "How far the database's clock is ahead of the object store's",
            "dayly_deletion_paused":
                "1 while these clocks differ too much, so that nothing that lasts is done",
            "dayly_upload_memory_bytes": "Memory that bodies of uploads hold",
            "dayly_upload_memory_limit_bytes": "The limit on the memory of all uploads' bodies together",
            "dayly_object_store_in_flight": "Calls to the object store in progress",
        ])
    private static let isMeasuring = Atomic(false)

    /// Takes effect once per process; later calls have no effect.
    ///
    /// - Returns: The content of `/metrics`.
    static func bootstrapMetrics() -> @Sendable () -> String {
        if isMeasuring.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged {
            MetricsSystem.bootstrap(registry)
        }
        return { registry.render() + ProcessMetrics.render() }
    }

    /// Settings that alerts compare measured values with.
    static func recordLimits(_ configuration: ServerConfiguration) {
        Gauge(label: "dayly_build_info", dimensions: [("version", Version.description)]).record(1)
        Gauge(label: "dayly_photo_lifetime_seconds").record(configuration.photos.lifetime / .seconds(1))
        Gauge(label: "dayly_audit_interval_seconds").record(configuration.photos.auditInterval / .seconds(1))
        Gauge(label: "dayly_backup_max_age_seconds").record(configuration.restore.maxBackupAge / .seconds(1))
        let messages = configuration.rates.messages
        for (window, limit) in [("minute", messages.perMinute), ("day", messages.perDay)] {
            Gauge(label: "dayly_sms_ceiling", dimensions: [("window", window)]).record(limit)
        }
    }
}
