import FeatureKit
import Foundation
import Logging
import Metrics
import ObjectStorage
import Postgres
import ServiceLifecycle

/// Forgets: abandoned uploads, due objects, and the rows of photos whose objects are gone. Any number of sweepers may
/// run side by side, and each may be killed at any point: what it held is another's when its lease ends.
package struct PhotoSweeper: Sendable {
    /// How the sweeper works.
    package struct Settings: Sendable {
        /// Objects claimed and deleted together at most; DeleteObjects takes 1,000.
        package var batchSize = 1000
        /// Claims under way at once, of objects that nobody has tried to delete; of others there is one beside them.
        package var batchesInFlight = 4
        /// How long a claim outlives its sweeper. One that lives renews it as long as the store takes.
        package var claimLease: Duration = .seconds(15)
        /// When objects are deleted once more that a PUT may yet bring back, those of an abandoned upload and those of
        /// a photo that is deleted as soon as it was sent: later than any PUT may land.
        package var secondPassAfter: Duration = .seconds(120)
        package var uploadKeysLifetime: Duration = .seconds(30 * 24 * 3600)
        /// How often a long sweep looks after abandoned uploads and says how things stand.
        package var pulse: Duration = .seconds(5)

        package init() {}
    }

    let store: ForgettingStore
    let deletion: ObjectDeletion
    let settings: Settings
    let clocks: ClockWatch
    let logger: Logger

    /// - Parameter clocks: nil: a watch of its own.
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

    /// Forgets all that is due now. Graceful shutdown ends it between two batches.
    ///
    /// - Parameter progress: Called after every batch.
    /// - Throws: `PostgresError`, `CancellationError`. A store that fails is no error: what it kept stays due, and the
    ///   report says so. The same holds for clocks that disagree.
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
        try await beat(&report)
        try await deleteDueObjects(&report, progress: progress)
        report.deletedPhotos += try await forgetPhotosWithoutObjects()
        _ = try await untilThrough {
            try await store.deleteUploadKeys(olderThan: settings.uploadKeysLifetime)
        }
        report.isInterrupted = isInterrupted
        report.backlog = try await measureBacklog()
    }

    /// What `runOnce` would forget now.
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

    /// What must not wait for the end of a long sweep.
    private func beat(_ report: inout SweepReport) async throws {
        try await clocks.requireAgreement(store.postgres)
        let abandoned = try await untilThrough { try await store.reapAbandonedUploads() }
        report.abandonedUploads += abandoned
        SweepMetrics.count(abandonedUploads: abandoned)
        report.backlog = try await measureBacklog()
    }

    /// Claims, deletes and strikes off batch after batch.
    private func deleteDueObjects(_ report: inout SweepReport, progress: (SweepReport) -> Void) async throws {
        var flow = SweepFlow(maxBatchSize: settings.batchSize, maxFresh: settings.batchesInFlight)
        var nextBeat = ContinuousClock.now + settings.pulse
        try await withThrowingTaskGroup(of: SweepBatch.self) { batches in
            for order in flow.start() { batches.addTask { try await deleteBatch(order) } }
            while let batch = try await batches.next() {
                report.add(batch)
                progress(report)
                flow.ended(batch)
                if isInterrupted { flow.stop() }
                if !flow.isOver, ContinuousClock.now >= nextBeat {
                    try await beat(&report)
                    flow.lookAgain()
                    nextBeat = ContinuousClock.now + settings.pulse
                }
                for order in flow.start() { batches.addTask { try await deleteBatch(order) } }
            }
        }
    }

    /// One claim: its objects, their rows in the ledger, the rows of their photos.
    private func deleteBatch(_ order: SweepFlow.Order) async throws -> SweepBatch {
        let began = ContinuousClock.now
        var batch = SweepBatch(order: order)
        let claim = try await store.claimDueObjects(
            order.kind, limit: order.size, lease: settings.claimLease,
            putsLandWithin: settings.secondPassAfter)
        if let claim {
            batch.claimedObjects = claim.objects.count
            do {
                // The database's clock may have jumped since the sweep began: nothing is due by such a time.
                try await clocks.judge(claim.claimedAt)
            } catch {
                try await store.undo(claim)
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
            kept = try await holding(claim) { try await deletion.delete(claim.keys) }
        } catch let error as ObjectStoreError {
            // The claim of a sweep that was cancelled ends with its lease.
            try Task.checkCancellation()
            batch.storeFailure = "\(error)"
            try await store.putBack(claim)
            return
        }
        let struck = try await store.strike(
            claim.objects.filter { kept[$0.key] == nil }, of: claim, secondPassAfter: settings.secondPassAfter
        )
        SweepMetrics.record(lateness: struck.lateness)
        batch.deletedObjects += struck.count
        batch.settledObjects += struck.settled
        batch.deletedPhotos += try await store.forgetPhotos(struck.photos)
        guard !kept.isEmpty else { return }
        try await store.release(Array(kept.keys), of: claim)
        batch.failedObjects += kept.count
        logger.warning(
            "the object store kept objects",
            metadata: ["count": "\(kept.count)", "reasons": "\(Set(kept.values).sorted().prefix(3))"])
    }

    /// Renews the claim for as long as `body` takes.
    private func holding<Value: Sendable>(
        _ claim: DeletionClaim, _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { renewing in
            renewing.addTask {
                while true {
                    try await Task.sleep(for: settings.claimLease / 3)
                    // Whoever takes it over meanwhile deletes the same once more, which harms nobody.
                    try? await store.renew(claim, for: settings.claimLease)
                }
            }
            defer { renewing.cancelAll() }
            return try await body()
        }
    }

    /// The rows that batches left: their sweeper was killed, or two of them had an object each.
    private func forgetPhotosWithoutObjects() async throws -> Int {
        let deleted = try await untilThrough {
            try await store.forgetPhotos(try await store.photosWithoutObjects())
        }
        SweepMetrics.count(deletedPhotos: deleted)
        return deleted
    }

    /// Repeats a step that is bounded until it has come to the end; gives the sum.
    private func untilThrough(_ step: () async throws -> Int) async throws -> Int {
        var sum = 0
        while !isInterrupted {
            let count = try await step()
            sum += count
            if count < ForgettingStore.statementLimit { break }
        }
        return sum
    }

    private func measureBacklog() async throws -> Backlog {
        let backlog = try await store.backlog()
        SweepMetrics.record(backlog)
        return backlog
    }
}
