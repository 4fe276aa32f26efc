import Logging
import ObjectStorage

/// Deletes the objects of a photo within the request that ended the photo, so that the photo's URLs do not work any more
/// when the client gets the answer. The sweeper deletes objects that the store does not delete in time.
struct PromptDeletion: Sendable {
    /// The time for which no sweeper claims the objects.
    static let lease: Duration = .seconds(15)

    let store: ForgettingStore
    let objects: any ObjectStore
    let logger: Logger
    /// The longest time for which the client waits for the store.
    var timeout: Duration = .seconds(2)
    /// The time until objects which a late PUT may write again are deleted a second time.
    var secondPassAfter = PhotoSweeper.Settings().secondPassAfter

    /// Does not throw: the photo has ended and its objects are due, whether or not they are deleted now.
    func finish(_ claim: DeletionClaim) async {
        do {
            guard let kept = await delete(claim.keys) else {
                try await store.putBack(claim)
                return
            }
            let deleted = try await store.recordDeletion(
                of: claim.objects.filter { kept[$0.key] == nil }, claim, secondPassAfter: secondPassAfter)
            SweepMetrics.count(promptlyDeletedObjects: deleted.count)
            SweepMetrics.record(lateness: deleted.lateness)
            if !kept.isEmpty { try await store.release(Array(kept.keys), of: claim) }
        } catch {
            // The sweeper can claim the objects after the lease.
            logger.warning(
                "the objects of a deleted photo are left to the sweeper", metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: the objects that the store did not delete, each with the reason; nil if the store failed or did not answer
    ///   in time.
    private func delete(_ keys: [ObjectKey]) async -> [ObjectKey: String]? {
        await withTaskGroup(of: [ObjectKey: String]?.self) { race in
            race.addTask { [objects] in try? await objects.delete(keys) }
            race.addTask { [timeout] in
                try? await Task.sleep(for: timeout)
                return nil
            }
            let first = await race.next().flatMap { $0 }
            race.cancelAll()
            return first
        }
    }
}
