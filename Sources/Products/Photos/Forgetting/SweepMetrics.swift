import Metrics

/// The sweepers' metrics. Counters count the work of one process, so their sum over all processes is the total. Gauges are
/// read from the database, so every process reports the same values.
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

    /// - Parameter lateness: for each deleted object, the seconds between its due time and its deletion.
    static func record(lateness: [Double]) {
        let histogram = Recorder(label: "dayly_sweeper_lateness_seconds")
        for seconds in lateness { histogram.record(seconds) }
    }

    static func record(_ backlog: Backlog) {
        Gauge(label: "dayly_sweeper_lag_seconds").record(backlog.lagSeconds)
        Gauge(label: "dayly_sweeper_due_objects").record(backlog.dueObjects)
        Gauge(label: "dayly_oldest_object_seconds").record(backlog.oldestObjectSeconds)
    }

    /// Also increments by 0, so that the counter exists from the first sweep on.
    private static func increment(_ label: String, by amount: Int) {
        Counter(label: label).increment(by: amount)
    }
}
