import Foundation
import ObjectStorage

/// The object store's clock, read once in an audit. The age of an object is measured by the clock that dated it, because the
/// store's clock may differ from ours.
actor StoreClock {
    private let objects: any ObjectStore
    private let pace: AuditPace
    private var reading: (date: Date?, at: ContinuousClock.Instant)?

    init(_ objects: any ObjectStore, pace: AuditPace) {
        self.objects = objects
        self.pace = pace
    }

    /// Nil if the store does not report its time.
    func age(of object: ObjectListing.Object) async throws -> Duration? {
        let reading: (date: Date?, at: ContinuousClock.Instant)
        if let known = self.reading {
            reading = known
        } else {
            try await pace.waitForRequest()
            reading = (try await objects.currentDate(), ContinuousClock.now)
            self.reading = reading
        }
        guard let date = reading.date else { return nil }
        return .seconds(date.timeIntervalSince(object.lastModified)) + reading.at.duration(to: .now)
    }
}
