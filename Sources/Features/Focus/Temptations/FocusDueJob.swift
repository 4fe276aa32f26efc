import FocusRules
import Metrics
import Notifications
import Postgres

/// The job `focus_due`: decides about temptations and reminders whose time has come. A batch is one transaction: what it
/// decides, the messages, and the next due times. Any number of processes may run it at the same time, and each may be
/// killed at any point.
struct FocusDueJob: Sendable {
    /// The rows of one batch at most.
    private static let batchSize = 500

    /// What a run did.
    struct Report: Sendable, Equatable {
        var handled = 0
        var posted = 0
    }

    /// The pool of background work.
    let postgres: PostgresClient
    let temptations: FocusTemptationService
    let reminders: FocusReminders
    let outbox: NotificationOutbox

    /// Handles everything that is due now, also what becomes due by the run itself, such as today's reminder after that of a
    /// day on which no job ran.
    @discardableResult
    func runOnce() async throws -> Report {
        var report = Report()
        while true {
            let batch = try await postgres.transaction { tx in try runBatch(tx) }
            report.handled += batch.handled
            report.posted += batch.posted
            guard batch.handled > 0, !Task.isCancelled else { break }
        }
        Counter(label: "dayly_focus_due_total").increment(by: report.handled)
        return report
    }

    private func runBatch(_ tx: PostgresTransaction) throws -> Report {
        let due = FocusDueStore()
        let claimed = try due.claim(tx, limit: Self.batchSize)
        guard !claimed.isEmpty else { return Report() }
        let now = try due.now(tx)
        let drafts =
            try temptations.drafts(tx, claimed.filter { $0.kind == .temptation }, now: now)
            + reminders.drafts(tx, claimed.filter { $0.kind != .temptation }, now: now)
        try outbox.notify(tx, drafts)
        return Report(handled: claimed.count, posted: drafts.count)
    }
}
