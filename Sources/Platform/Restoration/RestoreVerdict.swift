import Foundation

/// How a database and a bucket stand to each other.
package enum RestoreVerdict: Sendable, Equatable {
    /// They belong together, and nothing is missing.
    case current
    /// Neither has been used: nothing can have been lost.
    case fresh
    /// The database is older than it was when the bucket saw it last.
    case wentBack(Gap)
    /// The database has been used with a bucket that had a journal; this one has none.
    case journalMissing
    /// The bucket was last used by another database.
    case otherDatabase

    /// Between which times what happened is not in the database.
    package struct Gap: Sendable, Equatable {
        /// When the database knew its epoch: the backup is at least as new.
        package let from: Date
        /// When the database that the bucket knows was alive last.
        package let to: Date
    }

    static func judge(_ state: GuardState?, _ last: JournalSegment?) -> RestoreVerdict {
        switch (state, last) {
        case (nil, nil): .fresh
        // A database without a row is a new one, or was saved before it had one: that cannot be told.
        case (nil, _?): .otherDatabase
        // Where no mark was ever confirmed the first start was cut off.
        case (let state?, nil): state.markedEpoch == 0 ? .fresh : .journalMissing
        case (let state?, let last?):
            if last.database != state.database {
                .otherDatabase
            } else if last.epoch > state.epoch {
                .wentBack(Gap(from: state.beatAt, to: last.writtenAt))
            } else {
                .current
            }
        }
    }
}
