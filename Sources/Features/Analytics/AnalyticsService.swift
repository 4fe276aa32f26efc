import Auth
import DaylyAPI
import Postgres
import RateLimiting

/// Counts what happens in the app, by the day and over everybody: nothing that is kept says who did it.
package struct AnalyticsService: Sendable {
    private let postgres: PostgresClient
    private let rates: RateLimits

    package init(postgres: PostgresClient, rates: RateLimits) {
        self.postgres = postgres
        self.rates = rates
    }

    /// - Throws: `RateLimited` when the user has reported too often within the hour; nothing is counted then.
    func count(_ totals: [AnalyticsEventName: Int], for user: UserID) async throws {
        let limit = RateLimit(
            scope: "analytics.user.hour", subject: user.rawValue.uuidString, limit: 60, per: .seconds(3_600))
        try await postgres.transaction { tx in
            try rates.check(tx, [limit])
            try AnalyticsStore.add(tx, totals)
        }
    }
}
