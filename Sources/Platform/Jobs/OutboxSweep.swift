import Metrics

/// Deletes old rows of the outbox and reports its backlog. Any number of processes may do it at the same time.
package struct OutboxSweep: Sendable {
    private let outbox: OutboxStore
    private let topics: [String]

    /// - Parameter topics: the topics whose backlog is reported.
    package init(outbox: OutboxStore, topics: [String]) {
        self.outbox = outbox
        self.topics = topics.sorted()
    }

    package func runOnce() async throws {
        var done = Parts()
        await done.run(or: ()) { try await outbox.deleteDone() }
        let expired = await done.run(or: 0) { try await outbox.deleteExpired() }
        Counter(label: "dayly_outbox_expired_total").increment(by: expired)
        try done.finish()
    }

    /// Every process reports, whichever deletes: alerts take the worst of all, so a value that one process does not renew would
    /// stand for ever.
    package func reportBacklog() async throws {
        for backlog in try await outbox.backlogs(of: topics) {
            let labels = [("topic", backlog.topic)]
            Gauge(label: "dayly_outbox_backlog", dimensions: labels).record(backlog.rows)
            Gauge(label: "dayly_outbox_lag_seconds", dimensions: labels).record(backlog.lagSeconds)
        }
    }
}
