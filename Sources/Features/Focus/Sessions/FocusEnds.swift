import Jobs
import Postgres

/// Loses sessions whose end was not reported in time: the job `focus_ends`.
struct FocusEnds: Sendable {
    private static let batch = 500

    let sessions: FocusSessionStore
    let signals: FocusSignals

    /// Any number of processes may run it at the same time.
    ///
    /// - Returns: the number of lost sessions.
    @discardableResult
    func runOnce() async throws -> Int {
        var total = 0
        while true {
            try Task.checkCancellation()
            let lost = try await sessions.postgres.transaction { tx in
                let users = try sessions.loseOverdue(tx, limit: Self.batch)
                for user in users { try signals.nowChanged(tx, user) }
                return users.count
            }
            total += lost
            if lost < Self.batch { return total }
        }
    }
}
