import FeatureKit
import Groups
import Postgres

/// Records expired photos in their groups' logs, so that members with a stream get an event. Reads exclude a photo from the
/// instant of its expiry on, whether or not the event is recorded.
///
/// Any number of processes may do this at the same time: each photo is recorded once. If a photo's row is deleted before its
/// expiry is recorded, a trigger records it.
struct PhotoExpiryEvents: Sendable {
    let photos: PhotoStore
    /// The number of photos that one transaction examines, and so of groups whose rows it locks at most.
    let batchSize: Int

    init(postgres: PostgresClient, groups: GroupMembership, batchSize: Int = 100) {
        photos = PhotoStore(postgres: postgres, groups: groups)
        self.batchSize = batchSize
    }

    /// - Returns: the number of recorded photos. Photos of groups whose rows another transaction has locked are left to the
    ///   next run.
    @discardableResult
    func runOnce() async throws -> Int {
        var next: ExpiryPosition? = .start
        var total = 0
        while let last = next, !Task.isCancelled {
            let batch = try await photos.recordExpiries(after: last, limit: batchSize)
            next = batch.last
            total += batch.recorded
        }
        return total
    }
}
