import FeatureKit
import Groups
import Jobs
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
    /// - Throws: the error of a photo that failed, when all others are done.
    @discardableResult
    func runOnce() async throws -> Int {
        var next: ExpiryPosition? = .start
        var (total, done) = (0, Parts())
        while let last = next, !Task.isCancelled {
            let batch: (last: ExpiryPosition?, recorded: Int)
            do {
                batch = try await photos.recordExpiries(after: last, limit: batchSize)
            } catch let error where error.isOfRows {
                batch = try await recordEach(after: last, &done)
            }
            next = batch.last
            total += batch.recorded
        }
        try done.finish()
        return total
    }

    /// Takes the photos of a batch that has failed one by one.
    private func recordEach(
        after previous: ExpiryPosition, _ done: inout Parts
    ) async throws -> (last: ExpiryPosition?, recorded: Int) {
        var (last, recorded) = (previous, 0)
        let positions = try await photos.expired(after: previous, limit: batchSize)
        for position in positions {
            let from = last
            recorded += await done.run(or: 0) {
                try await photos.recordExpiries(after: from, limit: 1).recorded
            }
            last = position
        }
        return (positions.isEmpty ? nil : last, recorded)
    }
}
