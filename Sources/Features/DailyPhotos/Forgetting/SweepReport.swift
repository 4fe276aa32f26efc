/// What one sweep did, and how things stand after it.
package struct SweepReport: Sendable, Codable, Equatable {
    /// Objects deleted from the store. Each counts once, at its first deletion, though some are deleted twice.
    package var deletedObjects = 0
    /// Objects that the store kept; they are tried again.
    package var failedObjects = 0
    /// Rows of expired photos deleted.
    package var deletedPhotos = 0
    /// Uploads whose lease ran out: their days are free again.
    package var abandonedUploads = 0
    /// Why the store as a whole deletes nothing, where it does not; the rest was left for later.
    package var storeFailure: String?
    /// How far the database's clock is ahead of the store's, where that is too far for anything to be deleted.
    package var clockDifferenceSeconds: Double?
    /// True when the sweep was told to end before it was through.
    package var isInterrupted = false
    /// What is due; during a sweep as last counted, less what it has deleted since.
    package var backlog: Backlog?

    enum CodingKeys: String, CodingKey {
        case deletedObjects = "deleted_objects"
        case failedObjects = "failed_objects"
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

    /// - Throws: `StoreUnavailable` when the store as a whole failed: whoever sweeps again and again waits longer then.
    package func requireStore() throws(StoreUnavailable) {
        if let storeFailure { throw StoreUnavailable(reason: storeFailure) }
    }

    mutating func add(_ batch: SweepBatch) {
        deletedObjects += batch.deletedObjects
        failedObjects += batch.failedObjects
        deletedPhotos += batch.deletedPhotos
        if let failure = batch.storeFailure { storeFailure = failure }
        backlog?.dueObjects -= batch.settledObjects
    }
}

/// The object store did not do what a sweep asked of it.
package struct StoreUnavailable: Error, CustomStringConvertible {
    let reason: String

    package var description: String { "the object store deletes nothing: \(reason)" }
}
