import FeatureKit
import Jobs
import Postgres

/// Loses sessions whose end was not reported in time: the job `focus_ends`.
struct FocusEnds: Sendable {
    private static let batch = 500

    private let batches: RowBatches<(session: FocusSessionID, user: UserID), Void>

    init(sessions: FocusSessionStore) {
        batches = RowBatches(of: "focus_ends", sessions.postgres, size: Self.batch) {
            $0.session.rawValue
        } claim: { tx, limit, ids in
            try tx.requireAgreedTime()
            return try sessions.claimOverdue(tx, limit: limit, without: ids)
        } work: { tx, overdue in
            try sessions.lose(tx, overdue.map(\.session))
            for one in overdue { FocusHints().nowChanged(tx, of: one.user) }
        }
    }

    /// Any number of processes may run it at the same time.
    ///
    /// - Returns: the number of lost sessions.
    /// - Throws: the error of a session that failed, when all others are done.
    @discardableResult
    func runOnce() async throws -> Int {
        let failures = RowFailures()
        var total = 0
        while true {
            try Task.checkCancellation()
            let batch = try await batches.take(failures)
            total += batch.rows
            if batch.rows < Self.batch { break }
        }
        try failures.finish()
        return total
    }
}
