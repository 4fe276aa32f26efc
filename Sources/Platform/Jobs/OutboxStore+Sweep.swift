import Postgres

/// SQL that deletes old rows of the outbox and measures its backlog.
extension OutboxStore {
    /// The rows of one topic that are due and not done.
    struct Backlog: Sendable {
        let topic: String
        let rows: Int
        /// The seconds for which the oldest row has been due.
        let lagSeconds: Double
    }

    /// Deletes rows that are done and whose keys need not be kept any more.
    func deleteDone() async throws {
        try await deleteInBatches("done_at IS NOT NULL AND keep_until < now()")
    }

    /// Deletes rows that expired before they were done. A row that a worker has leased is left to the worker.
    ///
    /// - Returns: the number of deleted rows.
    func deleteExpired() async throws -> Int {
        try await deleteInBatches(
            "done_at IS NULL AND expires_at < now() AND (lease IS NULL OR due_at < now())")
    }

    @discardableResult
    private func deleteInBatches(_ condition: SQL) async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM outbox WHERE id IN (
                SELECT id FROM outbox WHERE \(fragment: condition) LIMIT \(batch) FOR UPDATE SKIP LOCKED
            )
            """
        }
    }

    func backlogs(of topics: [String]) async throws -> [Backlog] {
        try await postgres.query(
            """
            SELECT t.topic, count(o.id) AS waiting,
                coalesce(extract(epoch FROM now() - min(o.due_at)), 0)::float8 AS lag
            FROM unnest(\(topics)) AS t (topic)
            LEFT JOIN outbox o
                ON o.topic = t.topic AND o.done_at IS NULL AND o.due_at <= now() AND o.expires_at > now()
            GROUP BY t.topic
            """
        ).map { row in
            Backlog(
                topic: try row.get("topic"), rows: try row.get("waiting"), lagSeconds: try row.get("lag"))
        }
    }
}
