import FeatureKit
import Foundation
import Jobs
import Logging
import Metrics
import ObjectStorage
import Postgres
import ServiceLifecycle

/// Deletes abandoned uploads, due objects, and the rows of photos whose objects are gone. Any number of sweepers may run at
/// the same time, and each may be killed at any point: after its leases have expired other sweepers claim its objects.
package struct PhotoSweeper: Sendable {
    /// The sizes and times of a sweep.
    package struct Settings: Sendable {
        /// The largest number of objects in a batch. S3's DeleteObjects accepts 1,000.
        package var batchSize = 1000
        /// The number of parallel claims of fresh objects. One more claim may run for objects whose deletion failed before.
        var batchesInFlight = 4
        /// The lease of a claim. A sweeper renews it while the store deletes the objects.
        var claimLease: Duration = .seconds(15)
        /// The time until objects that a late PUT may write again are deleted a second time: the objects of an abandoned
        /// upload, and those of a photo that was deleted right after it was sent. No PUT lasts longer.
        var secondPassAfter: Duration = .seconds(120)
        /// How long idempotency keys of uploads are kept, to answer late retries.
        var uploadKeysLifetime: Duration = .seconds(30 * 24 * 3600)
        /// How often a long sweep deletes abandoned uploads and measures the backlog.
        var recheckInterval: Duration = .seconds(5)

        package init() {}
    }

    let store: ForgettingStore
    let deletion: ObjectDeletion
    let settings: Settings
    let clocks: ClockWatch
    let logger: Logger

    /// - Parameter clocks: nil for a watch of its own.
    package init(
        postgres: PostgresClient, objects: any ObjectStore, settings: Settings = Settings(),
        clocks: ClockWatch? = nil, logger: Logger
    ) {
        self.clocks = clocks ?? ClockWatch(objects, logger: logger)
        self.store = ForgettingStore(postgres: postgres)
        self.deletion = ObjectDeletion(objects: objects)
        self.settings = settings
        self.logger = logger
    }

    /// Deletes everything that is due now. Graceful shutdown ends it between two batches.
    ///
    /// - Parameter progress: called after every batch.
    /// - Throws: `PostgresError`, `CancellationError`. It does not throw if the store fails or the clocks disagree: the
    ///   objects stay due, and the report has the reason.
    @discardableResult
    package func runOnce(progress: (SweepReport) -> Void = { _ in }) async throws -> SweepReport {
        var report = SweepReport()
        do {
            try await sweep(&report, progress: progress)
        } catch let difference as ClocksDisagree {
            report.clockDifferenceSeconds = difference.seconds
        }
        return report
    }

    private func sweep(_ report: inout SweepReport, progress: (SweepReport) -> Void) async throws {
        var done = Parts()
        try await recheck(&report, &done)
        try await deleteDueObjects(&report, &done, progress: progress)
        report.deletedPhotos += await done.run(or: 0) { try await deletePhotosWithoutObjects() }
        _ = await done.run(or: 0) { try await store.deleteUploadKeys(olderThan: settings.uploadKeysLifetime) }
        try await finish(&report)
        try done.finish()
    }

    private func finish(_ report: inout SweepReport) async throws {
        report.isInterrupted = isInterrupted
        let backlog = try await measureBacklog()
        report.backlog = backlog
        // Where the sweep ended early the backlog may be long, and its reason is in the report.
        if backlog.dueObjects > 0, !report.hasLeftDue {
            report.waitingObjects = try await store.waitingObjects()
        }
    }

    /// Counts what `runOnce` would delete now.
    package func dryRun() async throws -> SweepReport {
        let due = try await store.due()
        let backlog = try await store.backlog()
        var report = SweepReport()
        report.deletedObjects = due.objects
        report.deletedPhotos = due.photos
        report.abandonedUploads = due.abandonedUploads
        report.backlog = backlog
        return report
    }

    private var isInterrupted: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    // MARK: - Steps

    /// The steps that must not wait for the end of a long sweep.
    private func recheck(_ report: inout SweepReport, _ done: inout Parts) async throws {
        try await clocks.requireAgreement(store.postgres)
        let abandoned = await done.run(or: 0) { try await store.deleteAbandonedUploads() }
        report.abandonedUploads += abandoned
        SweepMetrics.count(abandonedUploads: abandoned)
        report.backlog = try await measureBacklog()
    }

    /// Claims and deletes batch after batch.
    private func deleteDueObjects(
        _ report: inout SweepReport, _ done: inout Parts, progress: (SweepReport) -> Void
    ) async throws {
        var flow = SweepFlow(maxBatchSize: settings.batchSize, maxFresh: settings.batchesInFlight)
        var nextRecheck = ContinuousClock.now + settings.recheckInterval
        try await withThrowingTaskGroup(of: SweepBatch.self) { batches in
            for order in flow.start() { batches.addTask { try await deleteBatch(order) } }
            while let batch = try await batches.next() {
                report.add(batch)
                progress(report)
                flow.ended(batch)
                if isInterrupted { flow.stop() }
                if !flow.isOver, ContinuousClock.now >= nextRecheck {
                    try await recheck(&report, &done)
                    flow.lookAgain()
                    nextRecheck = ContinuousClock.now + settings.recheckInterval
                }
                for order in flow.start() { batches.addTask { try await deleteBatch(order) } }
            }
        }
    }

    /// Deletes the objects of one claim, their rows in the ledger, and the rows of their photos.
    private func deleteBatch(_ order: SweepFlow.Order) async throws -> SweepBatch {
        let began = ContinuousClock.now
        var batch = SweepBatch(order: order)
        let claim = try await store.claimDueObjects(
            order.kind, limit: order.size, lease: settings.claimLease,
            putsLandWithin: settings.secondPassAfter)
        if let claim {
            batch.claimedObjects = claim.objects.count
            do {
                // The database's clock may have jumped since the sweep began. Then the objects may not be due.
                try await clocks.judge(claim.claimedAt)
            } catch {
                // Other batches fail, too, and the first of them cancels this task. A task of its own is not cancelled.
                try await Task { try await store.undo(claim) }.value
                throw error
            }
            try await delete(claim, &batch)
            SweepMetrics.count(batch)
        }
        batch.duration = ContinuousClock.now - began
        return batch
    }

    private func delete(_ claim: DeletionClaim, _ batch: inout SweepBatch) async throws {
        let kept: [ObjectKey: String]
        do {
            kept = try await renewing(claim) { try await deletion.delete(claim.keys) }
        } catch let error as ObjectStoreError {
            // After a cancellation the claim ends with its lease.
            try Task.checkCancellation()
            batch.storeFailure = "\(error)"
            try await store.putBack(claim)
            return
        }
        let deleted = try await store.recordDeletion(
            of: claim.objects.filter { kept[$0.key] == nil }, claim, secondPassAfter: settings.secondPassAfter
        )
        SweepMetrics.record(lateness: deleted.lateness)
        batch.deletedObjects += deleted.count
        batch.finishedObjects += deleted.finished
        // A photo that cannot be deleted is among those without objects from now on, whose errors the sweep reports.
        var failures: [any Error] = []
        batch.deletedPhotos += try await store.deletePhotos(Array(deleted.photos), &failures)
        guard !kept.isEmpty else { return }
        try await store.release(Array(kept.keys), of: claim)
        batch.failedObjects += kept.count
        logger.warning(
            "the object store did not delete some objects",
            metadata: ["count": "\(kept.count)", "reasons": "\(Set(kept.values).sorted().prefix(3))"])
    }

    /// Renews the claim for as long as `body` takes.
    private func renewing<Value: Sendable>(
        _ claim: DeletionClaim, _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { renewals in
            renewals.addTask {
                while true {
                    try await Task.sleep(for: settings.claimLease / 3)
                    // If another sweeper claims the objects meanwhile, it deletes them again, which does no harm.
                    try? await store.renew(claim, for: settings.claimLease)
                }
            }
            defer { renewals.cancelAll() }
            return try await body()
        }
    }

    /// Deletes the photos' rows that batches have left: a sweeper was killed, or two sweepers had an object each.
    private func deletePhotosWithoutObjects() async throws -> Int {
        var (deleted, failures) = (0, [] as [any Error])
        while !isInterrupted {
            let count = try await store.deletePhotos(try await store.photosWithoutObjects(), &failures)
            deleted += count
            if count < ForgettingStore.statementLimit { break }
        }
        SweepMetrics.count(deletedPhotos: deleted)
        if let failure = failures.first { throw failure }
        return deleted
    }

    private func measureBacklog() async throws -> Backlog {
        let backlog = try await store.backlog()
        SweepMetrics.record(backlog)
        return backlog
    }
}
