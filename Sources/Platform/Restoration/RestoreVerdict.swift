import Foundation

/// How a database and a bucket stand to each other.
package enum RestoreVerdict: Sendable, Equatable {
    /// They belong together, and nothing is missing.
    case current
    /// Neither has been used: nothing can have been lost.
    case fresh
    /// The bucket has segments of a history that the database does not know.
    case wentBack(Gap)
    /// The database has been used with a bucket that had a journal; this one has none.
    case journalMissing
    /// The bucket was last used by another database.
    case otherDatabase

    /// Between which times what happened is not in the database.
    package struct Gap: Sendable, Equatable {
        /// When the two histories parted: the database has everything that was done before.
        package let from: Date
        /// When the database that the bucket knows was alive last.
        package let to: Date
        /// The newest epoch that both histories share.
        let epoch: Int
    }

    static func judge(
        _ state: GuardState?, _ segments: [JournalSegment], _ comparison: StepComparison
    ) -> RestoreVerdict {
        switch (state, segments.last) {
        case (nil, nil): return .fresh
        // A database without a row is a new one, or was saved before it had one: that cannot be told.
        case (nil, _?): return .otherDatabase
        // Where no mark was ever confirmed the first start was cut off.
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
