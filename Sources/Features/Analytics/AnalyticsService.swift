import DaylyAPI
import FeatureKit
import Postgres
import RateLimiting

extension RateScope {
    fileprivate static let analyticsUserHour: RateScope = "analytics.user.hour"
}

/// Counts what people do in the app, per day and over all users. The database does not record who did it.
struct AnalyticsService: Sendable {
    private let rates: RateLimits
    private let tally: AnalyticsTally

    /// - Parameter tally: the counts of this process. `AnalyticsFlush` writes them to the database.
    init(rates: RateLimits, tally: AnalyticsTally) {
        self.rates = rates
        self.tally = tally
    }

    /// - Throws: `RateLimited` when the user has reported too often within the hour. Nothing is counted then.
    func count(_ totals: [AnalyticsEventName: Int], for user: UserID) async throws {
        let limit = RateLimit(
            scope: .analyticsUserHour, subject: user.rawValue.uuidString, limit: 60, per: .seconds(3_600))
        try await rates.check([limit])
        tally.add(totals)
    }
}
