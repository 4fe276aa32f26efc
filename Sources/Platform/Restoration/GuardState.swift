import Foundation

/// A step's number and its random token, which distinguishes it from the step with the same number in another history.
struct StepName: Sendable, Hashable {
    let epoch: Int
    let token: String
}

/// The guard's row.
struct GuardState: Sendable, Equatable {
    let database: UUID
    let epoch: Int
    /// The highest epoch that the bucket is known to have.
    let markedEpoch: Int
    /// When the epoch last increased.
    let steppedAt: Date
    /// When a part of the journal was last found missing.
    var holeAt: Date?
}

/// A step of the epoch, and the erasures to be written in its segment.
struct EpochStep: Sendable {
    let database: UUID
    let name: StepName
    let content: JournalSegment.Content
    let now: Date
    var erasures: [PendingErasure] = []

    var epoch: Int { name.epoch }
}

/// An erasure that is not in the bucket yet.
struct PendingErasure: Sendable {
    let id: Int
    let kind: String
    let digest: [UInt8]?
    let payload: [UInt8]?
}

/// The part of the guard's state that a running process reads.
struct GuardGlance: Sendable {
    let database: UUID
    /// The newest step.
    let newest: StepName
    /// Whether the bucket is to be told that the database is alive.
    let isAliveDue: Bool
    let now: Date
}

/// The differences between the segments of the bucket and the steps of the database.
struct StepComparison: Sendable {
    /// Segments that the database does not know.
    var unknown: Set<StepName> = []
    /// Logs that the database has written and that are missing from the bucket.
    var missing: [StepName] = []
    /// The newest epoch that both histories share, and its time.
    var forkEpoch = 0
    var forkedAt: Date?
}

/// The database does not have a step that this process or the bucket knows: it was replaced by an older copy.
package struct WentBack: Error, CustomStringConvertible {
    package var description: String { "the database went back in time while it was in use" }
}
