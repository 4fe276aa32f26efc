import FeatureKit
import Auth
import DaylyAPI
import Postgres
import RateLimiting

/// Counts what happens in the app, by the day and over everybody: nothing that is kept says who did it.
package struct AnalyticsService: Sendable {
    private let rates: RateLimits
    private let tally: AnalyticsTally

    /// - Parameter tally: where the process counts; `AnalyticsFlush` writes it to the database.
    package init(rates: RateLimits, tally: AnalyticsTally) {
        self.rates = rates
        self.tally = tally
    }

    /// - Throws: `RateLimited` when the user has reported too often within the hour; nothing is counted then.
    func count(_ totals: [AnalyticsEventName: Int], for user: UserID) async throws {
        let limit = RateLimit(
            scope: "analytics.user.hour", subject: user.rawValue.uuidString, limit: 60, per: .seconds(3_600))
        try await rates.check([limit])
        tally.add(totals)
    }
}
