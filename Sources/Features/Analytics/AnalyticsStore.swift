import DaylyAPI
import Postgres

/// All SQL about `analytics_totals`.
struct AnalyticsStore: Sendable {
    let postgres: PostgresClient

    func add(_ totals: [AnalyticsEventName: Int]) async throws {
        let named = Dictionary(uniqueKeysWithValues: totals.map { ($0.key.rawValue, $0.value) })
        try await postgres.transaction { tx in try Self.add(tx, named) }
    }

    /// Adds the totals in the order of their names, so that two transactions cannot deadlock.
    static func add(_ tx: PostgresTransaction, _ totals: [String: Int]) throws {
        let sorted = totals.sorted { $0.key < $1.key }
        guard !sorted.isEmpty else { return }
        try tx.execute(
            """
            INSERT INTO analytics_totals AS total (day, name, count)
            SELECT (now() AT TIME ZONE 'UTC')::date, added.name, added.count
            FROM unnest(\(sorted.map(\.key))::text[], \(sorted.map(\.value))::bigint[])
                AS added (name, count)
            ORDER BY added.name
            ON CONFLICT (day, name) DO UPDATE SET count = total.count + excluded.count
            """)
    }
}
