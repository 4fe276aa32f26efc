import Metrics

/// What sweepers tell /metrics. The counters are of one process, so that their sum over all processes is the truth; the
/// gauges are read from the database, so that every process tells the same.
enum SweepMetrics {
    static func count(_ batch: SweepBatch) {
        increment("dayly_sweeper_deleted_objects_total", by: batch.deletedObjects)
        increment("dayly_sweeper_failed_objects_total", by: batch.failedObjects)
        increment("dayly_sweeper_store_failures_total", by: batch.storeFailure == nil ? 0 : 1)
        count(deletedPhotos: batch.deletedPhotos)
    }

    /// Objects that were deleted in the request of the photo's sender.
    static func count(promptlyDeletedObjects: Int) {
        increment("dayly_sweeper_deleted_objects_total", by: promptlyDeletedObjects)
    }

    static func count(deletedPhotos: Int) {
        increment("dayly_sweeper_deleted_photos_total", by: deletedPhotos)
    }

    static func count(abandonedUploads: Int) {
        increment("dayly_sweeper_abandoned_uploads_total", by: abandonedUploads)
    }

    /// - Parameter lateness: Of each object that is gone, in seconds after it was due.
    static func record(lateness: [Double]) {
        let histogram = Recorder(label: "dayly_sweeper_lateness_seconds")
        for seconds in lateness { histogram.record(seconds) }
    }

    static func record(_ backlog: Backlog) {
        Gauge(label: "dayly_sweeper_lag_seconds").record(backlog.lagSeconds)
        Gauge(label: "dayly_sweeper_due_objects").record(backlog.dueObjects)
        Gauge(label: "dayly_oldest_object_seconds").record(backlog.oldestObjectSeconds)
    }

    /// By nothing too: a counter is there from the first sweep on.
    private static func increment(_ label: String, by amount: Int) {
        Counter(label: label).increment(by: amount)
    }
}
