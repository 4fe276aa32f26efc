import DaylyAPI
import Postgres

/// All SQL about `analytics_totals` and `analytics_additions`.
struct AnalyticsStore: Sendable {
    let postgres: PostgresClient

    func add(_ totals: [AnalyticsEventName: Int]) async throws {
        let named = Dictionary(uniqueKeysWithValues: totals.map { ($0.key.rawValue, $0.value) })
        try await postgres.transaction { tx in try Self.append(tx, named) }
    }

    /// Notes counts of today as rows of their own: everybody's transactions would wait for one row of the totals.
    static func append(_ tx: PostgresTransaction, _ counts: [String: Int]) throws {
        guard !counts.isEmpty else { return }
        try tx.execute(
            """
            INSERT INTO analytics_additions (day, name, count)
            SELECT (now() AT TIME ZONE 'UTC')::date, added.name, added.count
            FROM unnest(\(Array(counts.keys))::text[], \(Array(counts.values))::bigint[]) AS added (name, count)
            """)
    }

    /// Adds what was noted to the totals, in the order of days and names, so that two processes cannot deadlock.
    ///
    /// - Returns: the number of notes.
    @discardableResult
    func sumUp(batch: Int = 10_000) async throws -> Int {
        var total = 0
        while true {
            try Task.checkCancellation()
            let count = try await sumUp(limit: batch)
            total += count
            if count < batch { return total }
        }
    }

    private func sumUp(limit: Int) async throws -> Int {
        try await postgres.transaction { tx in
            try tx.one(
                """
                WITH taken AS (
                    DELETE FROM analytics_additions WHERE id IN (
                        SELECT id FROM analytics_additions ORDER BY id LIMIT \(limit) FOR UPDATE SKIP LOCKED
                    )
                    RETURNING day, name, count
                ),
                added AS (
                    INSERT INTO analytics_totals AS total (day, name, count)
                    SELECT day, name, sum(count)::bigint FROM taken GROUP BY day, name ORDER BY day, name
                    ON CONFLICT (day, name) DO UPDATE SET count = total.count + excluded.count
                )
                SELECT count(*) AS count FROM taken
                """
            ).get("count")
        }
    }
}
