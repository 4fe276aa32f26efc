/// The work of one sweep, and the backlog after it.
package struct SweepReport: Sendable, Codable, Equatable {
    /// Objects that were deleted from the store. Some are deleted twice; each counts at its first deletion only.
    package var deletedObjects = 0
    /// Objects that the store did not delete. They are tried again.
    package var failedObjects = 0
    /// Due objects that the store has kept, in this sweep or before. They wait for another attempt. The number is not
    /// determined where the sweep ended early.
    package var waitingObjects = 0
    /// Rows of expired photos that were deleted.
    package var deletedPhotos = 0
    /// Uploads whose lease had expired. Their days are free again.
    package var abandonedUploads = 0
    /// Why the store as a whole does not delete anything. The remaining objects are left to the next sweep.
    package var storeFailure: String?
    /// How far the database's clock is ahead of the store's, in seconds, if the difference is so large that nothing is
    /// deleted.
    package var clockDifferenceSeconds: Double?
    /// Whether shutdown or cancellation ended the sweep early.
    package var isInterrupted = false
    /// The objects that are due. During a sweep: as last counted, minus the objects that the sweep has deleted since.
    package var backlog: Backlog?

    enum CodingKeys: String, CodingKey {
        case deletedObjects = "deleted_objects"
        case failedObjects = "failed_objects"
        case waitingObjects = "waiting_objects"
        case deletedPhotos = "deleted_photos"
        case abandonedUploads = "abandoned_uploads"
        case storeFailure = "store_failure"
        case clockDifferenceSeconds = "clock_difference_seconds"
        case isInterrupted = "interrupted"
        case backlog
    }

    package init() {}

    /// Whether there was nothing to do.
    package var isIdle: Bool {
        deletedObjects + failedObjects + deletedPhotos + abandonedUploads == 0 && storeFailure == nil
            && clockDifferenceSeconds == nil
    }

    /// Whether something that is due was left, apart from the objects that other sweepers are deleting.
    package var hasLeftDue: Bool {
        isInterrupted || storeFailure != nil || clockDifferenceSeconds != nil
            || failedObjects + waitingObjects > 0
    }

    /// - Throws: `StoreUnavailable` if the store as a whole failed, so that a periodic sweep waits longer.
    package func requireStore() throws(StoreUnavailable) {
        if let storeFailure { throw StoreUnavailable(reason: storeFailure) }
    }

    mutating func add(_ batch: SweepBatch) {
        deletedObjects += batch.deletedObjects
        failedObjects += batch.failedObjects
        deletedPhotos += batch.deletedPhotos
        if let failure = batch.storeFailure { storeFailure = failure }
        backlog?.dueObjects -= batch.finishedObjects
    }
}

/// The object store as a whole does not delete anything.
package struct StoreUnavailable: Error, CustomStringConvertible {
    let reason: String

    package var description: String { "the object store deletes nothing: \(reason)" }
}
