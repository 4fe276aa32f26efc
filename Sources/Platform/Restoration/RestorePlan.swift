import Crypto
import Foundation

/// The segments that a restore has to read, and the steps that it has to take.
package struct RestorePlan: Sendable {
    /// Why the journal does not have everything that the database has lost.
    package enum Doubt: String, Sendable, Codable, Equatable {
        /// The bucket has no journal, or that of another database.
        case foreignBucket = "the bucket has no journal of this database"
        /// The backup is older than the journal.
        case tooOld = "the backup is older than restore.journal_lifetime"
        /// A part of the journal is missing.
        case hole = "a part of the journal is missing from the bucket"
        /// `--lenient` left out a part that could not be read.
        case unread = "a part of the journal could not be read"
    }

    /// The segments to read, in order.
    let segments: [JournalSegment]
    /// All segments of lost histories. They belong to the database's history when the restore is done.
    let adopted: [JournalSegment]
    package var doubt: Doubt?
    /// The rollback did not undo changes to things that were made later than this.
    package let until: Date
    package let now: Date
    /// The newest epoch that both histories share; 0 if the bucket has no history of this database.
    let forkEpoch: Int
    /// The database's state when the restore was planned. It does not change until the restore is done.
    let state: GuardState?

    /// When the backup was made, to half a minute. Nil: before the first start.
    package var backupAt: Date? { state?.steppedAt }

    /// Identifies the restore by the segments that it reads and by the database's epoch, so that a restore that was killed
    /// resumes at its position, and another one does not.
    package var name: String {
        var hash = SHA256()
        hash.update(data: Data("\(state?.database.uuidString ?? "") \(state?.epoch ?? 0)\n".utf8))
        for segment in segments { hash.update(data: Data((segment.key.rawValue + "\n").utf8)) }
        return hash.finalize().prefix(8).map { String($0, radix: 16) }.joined()
            + (doubt == nil ? "" : "+")
    }
}
