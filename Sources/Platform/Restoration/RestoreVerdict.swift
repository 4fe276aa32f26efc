import Foundation

/// The relation between a database and a bucket.
package enum RestoreVerdict: Sendable, Equatable {
    /// They belong together, and the database is up to date.
    case current
    /// Neither has been used before.
    case fresh
    /// The bucket has segments of a history that the database does not know.
    case wentBack(Gap)
    /// The database was used with a bucket that had a journal, and this bucket has none.
    case journalMissing
    /// The bucket was last used by another database.
    case otherDatabase

    /// The period whose changes are missing from the database.
    package struct Gap: Sendable, Equatable {
        /// When the two histories diverged. The database has everything that was done before.
        package let from: Date
        /// When the database that the bucket knows was last alive.
        package let to: Date
        /// The newest epoch that both histories share.
        let epoch: Int
    }

    static func judge(
        _ state: GuardState?, _ segments: [JournalSegment], _ comparison: StepComparison
    ) -> RestoreVerdict {
        switch (state, segments.last) {
        case (nil, nil): return .fresh
        // A database without the row is new, or its backup was made before it had the row. The two cannot be distinguished.
        case (nil, _?): return .otherDatabase
        // If no segment was ever confirmed, the first start was interrupted.
        case (let state?, nil): return state.markedEpoch == 0 ? .fresh : .journalMissing
        case (let state?, let last?):
            if last.database != state.database { return .otherDatabase }
            let lost = segments.filter {
                comparison.unknown.contains($0.name) && $0.database == state.database
            }
            guard let end = lost.map(\.writtenAt).max() else { return .current }
            return .wentBack(
                Gap(from: comparison.forkedAt ?? .distantPast, to: end, epoch: comparison.forkEpoch))
        }
    }
}
