import Foundation
import Logging
import Metrics
import ObjectStorage
import Postgres

/// What one sweep did.
package struct SweepReport: Sendable, Codable, Equatable {
    /// Objects deleted from the store.
    package var deletedObjects = 0
    /// Objects whose deletion failed; they are tried again.
    package var failedObjects = 0
    /// Rows of expired photos deleted.
    package var deletedPhotos = 0
    /// Uploads whose lease ran out: their days are free again.
    package var abandonedUploads = 0

    enum CodingKeys: String, CodingKey {
        case deletedObjects = "deleted_objects"
        case failedObjects = "failed_objects"
        case deletedPhotos = "deleted_photos"
        case abandonedUploads = "abandoned_uploads"
    }
}

/// Forgets: abandoned uploads, then due objects, then the rows of photos whose objects are gone. Any number of
/// sweepers may run side by side, and each may be killed at any point.
package struct PhotoSweeper: Sendable {
    /// How the sweeper works.
    package struct Settings: Sendable {
        /// Objects claimed and deleted together; DeleteObjects takes 1,000.
        package var batchSize = 1000
        /// How long a claim keeps other sweepers off: longer than the store's deadline for one batch.
        package var claimLease: Duration = .seconds(90)
        /// When objects of an abandoned upload are deleted once more: later than any PUT may land.
        package var secondPassAfter: Duration = .seconds(120)
        package var uploadKeysLifetime: Duration = .seconds(30 * 24 * 3600)

        package init() {}
    }

    let store: ForgettingStore
    let objects: any ObjectStore
    let settings: Settings
    let logger: Logger

    package init(
        postgres: PostgresClient, objects: any ObjectStore, settings: Settings = Settings(), logger: Logger
    ) {
        self.store = ForgettingStore(postgres: postgres)
        self.objects = objects
        self.settings = settings
        self.logger = logger
    }

    /// Forgets all that is due now.
    ///
    /// - Parameter progress: Called after every batch.
    /// - Throws: `PostgresError`. A store that fails is no error: what it kept stays due and is counted as failed.
    @discardableResult
    package func runOnce(progress: (SweepReport) -> Void = { _ in }) async throws -> SweepReport {
        var report = SweepReport()
        report.abandonedUploads = try await store.reapAbandonedUploads()
        while !Task.isCancelled,
            let claim = try await store.claimDueObjects(limit: settings.batchSize, lease: settings.claimLease)
        {
            let deleted = try await delete(claim, report: &report)
            progress(report)
            if !deleted { break }
        }
        report.deletedPhotos = try await store.deleteForgottenPhotos()
        try await store.deleteUploadKeys(olderThan: settings.uploadKeysLifetime)
        try await measure(report)
        return report
    }

    /// What `runOnce` would forget now.
    package func dryRun() async throws -> SweepReport {
        let due = try await store.due()
        var report = SweepReport()
        report.deletedObjects = due.objects
        report.deletedPhotos = due.photos
        report.abandonedUploads = due.abandonedUploads
        return report
    }

    /// Deletes a claim's objects. False when the store as a whole failed: the rest would too.
    private func delete(_ claim: DeletionClaim, report: inout SweepReport) async throws -> Bool {
        let failures: [ObjectKey: String]
        do throws(ObjectStoreError) {
            failures = try await objects.delete(claim.keys)
        } catch {
            try await store.release(claim.keys, of: claim)
            report.failedObjects += claim.keys.count
            logger.warning("the object store did not delete", metadata: ["error": "\(error)"])
            return false
        }
        let gone = claim.keys.filter { failures[$0] == nil }
        report.deletedObjects += try await store.finish(
            gone, of: claim, secondPassAfter: settings.secondPassAfter)
        if !failures.isEmpty {
            try await store.release(Array(failures.keys), of: claim)
            report.failedObjects += failures.count
            logger.warning(
                "the object store kept objects", metadata: ["count": "\(failures.count)"])
        }
        return true
    }

    private func measure(_ report: SweepReport) async throws {
        Counter(label: "dayly_sweeper_deleted_objects_total").increment(by: report.deletedObjects)
        Counter(label: "dayly_sweeper_failed_objects_total").increment(by: report.failedObjects)
        Counter(label: "dayly_sweeper_abandoned_uploads_total").increment(by: report.abandonedUploads)
        let backlog = try await store.backlog()
        Gauge(label: "dayly_sweeper_lag_seconds").record(backlog.lag.seconds)
        Gauge(label: "dayly_sweeper_due_objects").record(backlog.dueObjects)
        Gauge(label: "dayly_oldest_object_seconds").record(backlog.oldestObjectAge.seconds)
    }
}
