import Metrics
import Postgres

/// Forgets rows of the outbox whose time is over, and says how far behind the work is. Any number may run at once.
package struct OutboxSweep: Sendable {
    let postgres: PostgresClient
    let topics: [String]

    package init(outbox: Outbox, topics: [String]) {
        postgres = outbox.postgres
        self.topics = topics.sorted()
    }

    package func runOnce() async throws {
        // Done long enough ago for their keys to mean nothing any more.
        try await inBatches("done_at IS NOT NULL AND keep_until < now()")
        // Never done, and of no use now. Whoever holds one still ends with it first.
        let expired = try await inBatches(
            "done_at IS NULL AND expires_at < now() AND (lease IS NULL OR due_at < now())")
        Counter(label: "dayly_outbox_expired_total").increment(by: expired)
        try await measure()
    }

    @discardableResult
    private func inBatches(_ condition: SQL) async throws -> Int {
        var total = 0
        while true {
            let deleted = try await postgres.execute(
                """
                DELETE FROM outbox WHERE id IN (
                    SELECT id FROM outbox WHERE \(fragment: condition) LIMIT 1000 FOR UPDATE SKIP LOCKED
                )
                """)
            total += deleted
            guard deleted == 1_000, !Task.isCancelled else { return total }
        }
    }

    /// The number of rows that are due, and how long the oldest one has waited.
    private func measure() async throws {
        let rows = try await postgres.query(
            """
            SELECT t.topic, count(o.id) AS waiting,
                coalesce(extract(epoch FROM now() - min(o.due_at)), 0)::float8 AS lag
            FROM unnest(\(topics)) AS t (topic)
            LEFT JOIN outbox o
                ON o.topic = t.topic AND o.done_at IS NULL AND o.due_at <= now() AND o.expires_at > now()
            GROUP BY t.topic
            """)
        for row in rows {
            let labels = [("topic", try row.get("topic", as: String.self))]
            Gauge(label: "dayly_outbox_backlog", dimensions: labels)
                .record(try row.get("waiting", as: Int.self))
            Gauge(label: "dayly_outbox_lag_seconds", dimensions: labels)
                .record(try row.get("lag", as: Double.self))
        }
    }
}
