import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import Metrics
import Notifications
import Postgres

/// The job `companion_nightly`: posts the push message of the evening, an hour before a day's end. A batch is one transaction:
/// what it decides, and the messages. Any number of processes may run it at the same time, and each may be killed at any
/// point.
struct CompanionNightlyJob: Sendable {
    /// The accounts of one batch at most.
    private static let batchSize = 500

    /// The effects of a run.
    struct Report: Sendable, Equatable {
        var handled = 0
        var posted = 0
    }

    /// The pool of background work.
    let postgres: PostgresClient
    let outbox: NotificationOutbox
    private let store = CompanionNightlyStore()

    init(postgres: PostgresClient, outbox: NotificationOutbox) {
        self.postgres = postgres
        self.outbox = outbox
    }

    @discardableResult
    func runOnce() async throws -> Report {
        var report = Report()
        while !Task.isCancelled {
            let batch = try await postgres.transaction { tx in try runBatch(tx) }
            report.handled += batch.handled
            report.posted += batch.posted
            guard batch.handled > 0 else { break }
        }
        Counter(label: "dayly_companion_nightly_total").increment(by: report.posted)
        return report
    }

    private func runBatch(_ tx: PostgresTransaction) throws -> Report {
        let users = try store.claim(tx, limit: Self.batchSize)
        guard !users.isEmpty else { return Report() }
        let evenings = try store.take(tx, of: users)
        let drafts = evenings.filter(\.isTold).map(\.draft)
        try outbox.notify(tx, drafts)
        return Report(handled: evenings.count, posted: drafts.count)
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
