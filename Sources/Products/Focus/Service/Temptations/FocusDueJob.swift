import FeatureKit
import FocusRules
import Jobs
import Metrics
import Notifications
import Postgres

/// The job `focus_due`: decides about temptations and reminders whose time has come. A batch is one transaction: what it
/// decides, the messages, and the next due times. Any number of processes may run it at the same time, and each may be
/// killed at any point.
struct FocusDueJob: Sendable {
    /// The effects of a run.
    struct Report: Sendable, Equatable {
        var handled = 0
        var posted = 0
    }

    private let batches: RowBatches<FocusDue, Int>

    /// - Parameter postgres: the pool of background work.
    init(
        postgres: PostgresClient, temptations: FocusTemptationService, reminders: FocusReminders,
        outbox: NotificationOutbox
    ) {
        batches = RowBatches(of: "focus_due", postgres, size: 500) {
            $0.user.rawValue
        } claim: { tx, limit, users in
            try tx.requireAgreedTime()
            return try FocusDueStore.claim(tx, limit: limit, without: users)
        } work: { tx, claimed in
            let now = try FocusDueStore.now(tx)
            let drafts =
                try temptations.drafts(tx, claimed.filter { $0.kind == .temptation }, now: now)
                + reminders.drafts(tx, claimed.filter { $0.kind != .temptation }, now: now)
            try outbox.notify(tx, drafts)
            return drafts.count
        }
    }

    /// Handles everything that is due now, also what becomes due by the run itself, such as today's reminder after that of a
    /// day on which no job ran.
    ///
    /// - Throws: the error of a row that failed, when all others are done.
    @discardableResult
    func runOnce() async throws -> Report {
        let failures = RowFailures()
        var report = Report()
        while true {
            let batch = try await batches.take(failures)
            report.handled += batch.rows
            report.posted += batch.values.reduce(0, +)
            guard batch.rows > 0, !Task.isCancelled else { break }
        }
        Counter(label: "dayly_focus_due_total").increment(by: report.handled)
        try failures.finish()
        return report
    }
}
