import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import Jobs
import Metrics
import Notifications
import Postgres

/// The job `companion_nightly`: posts the push message of the evening, an hour before a day's end. A batch is one transaction:
/// what it decides, and the messages. Any number of processes may run it at the same time, and each may be killed at any
/// point.
struct CompanionNightlyJob: Sendable {
    /// The effects of a run.
    struct Report: Sendable, Equatable {
        var handled = 0
        var posted = 0
    }

    private let batches: RowBatches<UserID, Report>

    /// - Parameter postgres: the pool of background work.
    init(postgres: PostgresClient, outbox: NotificationOutbox) {
        batches = RowBatches(of: "companion_nightly", postgres, size: 500) {
            $0.rawValue
        } claim: { tx, limit, users in
            try tx.requireAgreedTime()
            return try CompanionNightlyStore.claim(tx, limit: limit, without: users)
        } work: { tx, users in
            let evenings = try CompanionNightlyStore.take(tx, of: users)
            let drafts = evenings.filter(\.isTold).map(\.draft)
            try outbox.notify(tx, drafts)
            return Report(handled: evenings.count, posted: drafts.count)
        }
    }

    /// - Throws: the error of an account that failed, when all others are done.
    @discardableResult
    func runOnce() async throws -> Report {
        let failures = RowFailures()
        var report = Report()
        while !Task.isCancelled {
            let batch = try await batches.take(failures)
            for one in batch.values {
                report.handled += one.handled
                report.posted += one.posted
            }
            guard batch.rows > 0 else { break }
        }
        Counter(label: "dayly_companion_nightly_total").increment(by: report.posted)
        try failures.finish()
        return report
    }
}

extension CompanionEvening {
    fileprivate var draft: PersonalDraft {
        let times = DayTimes(beginsAt: endsAt, endsAt: endsAt)
        return PersonalDraft(
            PersonalNotification(.companionNightly, subject: String(day)), to: user,
            key: "\(user.companionText) \(isoText(day: day))",
            usefulUntil: Date(instant: times.nightlyPushUselessAt))
    }
}
