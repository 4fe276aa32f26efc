import Foundation

/// The changes that a restore made to a database that went back in time.
package struct RestoreReport: Sendable, Codable, Equatable {
    package var accounts = 0
    package var groups = 0
    package var memberships = 0
    package var blocks = 0
    package var stops = 0
    package var sessions = 0
    package var invitations = 0
    /// Push messages that were given up because they may have been delivered already.
    package var messages = 0
    /// Photos that their senders or an audit had deleted.
    package var photos = 0
    /// Photos that were hidden because their objects were gone.
    package var photosWithoutObjects = 0
    /// Objects that were deleted from the bucket.
    package var objects = 0
    /// Why the restore ended all sessions and open invitations; nil if it ended only those that the journal names.
    package var endedAllBecause: String?
    /// The time of the backup where the journal has not everything that was erased after it.
    package var unrepeatedSince: Date?

    package init() {}

    package var text: String {
        let ends = endedAllBecause == nil ? "" : "all "
        return "\(accounts) accounts, \(groups) groups, \(memberships) memberships and "
            + "\(photos + photosWithoutObjects) photos erased again, \(objects) objects deleted, "
            + "\(ends)\(sessions) sessions ended, \(ends)\(invitations) invitations revoked, "
            + "\(blocks) blocks and \(stops) STOPs corrected, "
            + "\(messages) messages given up"
            + (endedAllBecause.map { "; all sessions and invitations ended because \($0)" } ?? "")
            + (unrepeatedSince.map {
                "; accounts, groups, memberships and photos that were deleted after \($0) are back where the bucket has no "
                    + "record of it: delete them again"
            } ?? "")
    }
}

/// The position of a restore.
package struct RestoreProgress: Sendable {
    /// The name of the walk, for example "sessions".
    package let part: String
    /// The number of rows that were examined since the restore began.
    package let rows: Int
    /// The number of rows that this walk has changed.
    package let changed: Int
}
