import FeatureKit
import HTTPKit
import ServiceLifecycle

/// Anonymous counts of what people do in the app, per day.
package struct AnalyticsFeature: Feature {
    let flush: AnalyticsFlush
    private let service: AnalyticsService

    package init(platform: Platform, flushInterval: Duration = .seconds(5)) {
        let tally = AnalyticsTally()
        service = AnalyticsService(rates: platform.rates, tally: tally)
        flush = AnalyticsFlush(
            postgres: platform.jobDatabase, tally: tally, every: flushInterval, logger: platform.logger)
    }

    package var routes: [Route] { AnalyticsRoutes(analytics: service).routes }
    package var jobs: [any Service] { [flush] }
}
