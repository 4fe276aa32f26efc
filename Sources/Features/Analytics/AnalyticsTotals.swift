import Postgres

/// Adds to the day's totals in the transaction of another feature, so that nothing is counted that is not committed.
package enum AnalyticsTotals {
    /// `AnalyticsFlush` adds the counts to the totals seconds later, so that no transaction waits for the row of another one.
    ///
    /// - Parameter totals: by names that the table knows.
    package static func add(_ tx: PostgresTransaction, _ totals: [String: Int]) throws {
        try AnalyticsStore.append(tx, totals)
    }
}
