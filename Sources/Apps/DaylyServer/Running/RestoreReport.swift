import Logging
import Synchronization

/// The changes that a restore made to a database that went back in time.
package struct RestoreReport: Sendable, Codable, Equatable {
    package var accounts = 0
    package var groups = 0
    package var memberships = 0
    package var blocks = 0
    package var stops = 0
    package var sessions = 0
    package var invitations = 0
    /// Push messages that may have been sent already.
    package var messages = 0
    /// Deleted before, by their senders or by an audit.
    package var photos = 0
    /// The number of photos whose objects were gone.
    package var photosWithoutObjects = 0
    package var objects = 0
    package var days = 0
    /// Why all sessions and open invitations ended; nil where only those ended that the journal names.
    package var endedAllBecause: String?

    package init() {}

    package var text: String {
        let ends = endedAllBecause == nil ? "" : "all "
        return "\(accounts) accounts, \(groups) groups, \(memberships) memberships and "
            + "\(photos + photosWithoutObjects) photos erased again, \(objects) objects deleted, "
            + "\(ends)\(sessions) sessions ended, \(ends)\(invitations) invitations revoked, "
            + "\(blocks) blocks and \(stops) STOPs set right, \(days) days taken for used, "
            + "\(messages) messages given up"
            + (endedAllBecause.map { "; all sessions and invitations ended because \($0)" } ?? "")
    }
}

/// How far a restore is.
package struct RestoreProgress: Sendable {
    /// The rows that the restore is walking through, such as "sessions".
    package let part: String
    /// Rows looked at since the restore began.
    package let rows: Int
    /// Rows changed in this part.
    package let changed: Int
}

/// Logs the progress of a restore every ten seconds, for a service that does not serve yet.
final class RestoreProgressLog: Sendable {
    private static let pause: Duration = .seconds(10)

    private let logger: Logger
    private let dueAt = Mutex(ContinuousClock.now + pause)

    init(_ logger: Logger) {
        self.logger = logger
    }

    func note(_ progress: RestoreProgress) {
        let isDue = dueAt.withLock { dueAt in
            guard dueAt <= .now else { return false }
            dueAt = .now + Self.pause
            return true
        }
        guard isDue else { return }
        logger.info(
            "the database is being set right",
            metadata: [
                "part": "\(progress.part)", "rows": "\(progress.rows)", "changed": "\(progress.changed)",
            ])
    }
}
