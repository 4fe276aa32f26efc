import Foundation
import ObjectStorage

/// The object store's clock, asked once for a run. Ages are told by the clock that the dates are of: the store's may be
/// ahead of ours, or behind.
actor StoreClock {
    private let objects: any ObjectStore
    private let pace: AuditPace
    private var told: (date: Date?, at: ContinuousClock.Instant)?

    init(_ objects: any ObjectStore, pace: AuditPace) {
        self.objects = objects
        self.pace = pace
    }

    /// Nil where the store does not tell the time.
    func age(of object: ObjectListing.Object) async throws -> Duration? {
        let told: (date: Date?, at: ContinuousClock.Instant)
        if let known = self.told {
            told = known
        } else {
            try await pace.turn()
            told = (try await objects.currentDate(), ContinuousClock.now)
            self.told = told
        }
        guard let date = told.date else { return nil }
        return .seconds(date.timeIntervalSince(object.lastModified)) + told.at.duration(to: .now)
    }
}
