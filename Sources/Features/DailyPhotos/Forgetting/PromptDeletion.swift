import Logging
import ObjectStorage

/// Deletes the objects of a photo while the request that ended it still waits, so that the photo's URLs are dead when
/// the client has its answer. What the store does not delete in time is left to the sweeper.
struct PromptDeletion: Sendable {
    /// How long another sweeper leaves the objects alone.
    static let lease: Duration = .seconds(15)

    let store: ForgettingStore
    let objects: any ObjectStore
    let logger: Logger
    /// How long a client waits for the store.
    var timeout: Duration = .seconds(2)
    /// When objects are deleted once more that a late PUT may bring back.
    var secondPassAfter = PhotoSweeper.Settings().secondPassAfter

    /// Never fails: the photo has ended, and its objects are due, whatever comes of this.
    func finish(_ claim: DeletionClaim) async {
        do {
            guard let kept = await deleted(claim.keys) else {
                try await store.putBack(claim)
                return
            }
            let struck = try await store.strike(
                claim.objects.filter { kept[$0.key] == nil }, of: claim, secondPassAfter: secondPassAfter)
            SweepMetrics.count(promptlyDeletedObjects: struck.count)
            SweepMetrics.record(lateness: struck.lateness)
            if !kept.isEmpty { try await store.release(Array(kept.keys), of: claim) }
        } catch {
            // The claim's lease ends by itself.
            logger.warning(
                "a deleted photo's objects are left to the sweeper", metadata: ["error": "\(error)"])
        }
    }

    /// The objects that the store kept, each with the reason; nil when it did not answer in time, or failed.
    private func deleted(_ keys: [ObjectKey]) async -> [ObjectKey: String]? {
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
