import Foundation

/// A step's number and its random token, which tells it from the same step of another history.
struct StepName: Sendable, Hashable {
    let epoch: Int
    /// Empty for segments that were written before tokens existed.
    let token: String
}

/// The guard's row: the database's knowledge of its own history.
struct GuardState: Sendable, Equatable {
    let database: UUID
    let epoch: Int
    /// The highest epoch that the bucket is known to have.
    let markedEpoch: Int
    /// When the epoch grew last.
    let beatAt: Date
    /// A database whose epoch is lower was saved before ends of sessions and invitations were journaled.
    var tracedFrom = 0
    /// When a part of the journal was found missing last.
    var holeAt: Date?
}

/// A step forward of the epoch, and the records that are to be written with it.
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

/// The part of the guard's row that a running process compares.
struct GuardGlance: Sendable {
    let database: UUID
    /// The newest step. Nil before the first one that has a token.
    let newest: StepName?
    let isBeatDue: Bool
    let now: Date
}

/// How the segments of the bucket stand to the steps of the database.
struct StepComparison: Sendable {
    /// Segments that the database does not know.
    var unknown: Set<StepName> = []
    /// Logs that the database knows to be in the bucket, and that are not there.
    var missing: [StepName] = []
    /// The epoch up to which both histories agree, and when that was.
    var forkEpoch = 0
    var forkedAt: Date?
}

/// The database has lost a step that this process or the bucket knows: it was replaced underneath.
package struct WentBack: Error, CustomStringConvertible {
    package var description: String { "the database went back in time while it was in use" }
}
