import Postgres

/// Adds to the day's totals in the transaction of another feature, so that nothing is counted that is not committed.
package enum AnalyticsTotals {
    /// Everybody adds to the same rows, so this is best the last statement of a transaction.
    ///
    /// - Parameter totals: by names that the table knows.
    package static func add(_ tx: PostgresTransaction, _ totals: [String: Int]) throws {
        try AnalyticsStore.add(tx, totals)
    }
}
