import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `/v1/analytics`.
struct AnalyticsRoutes: Sendable {
    /// The largest number of events in one call.
    static let maxEvents = 100
    /// The allowed counts of one event.
    static let counts = 1...1_000

    let analytics: AnalyticsService

    var routes: [Route] { [Route(.post, "analytics/events", use: count)] }

    private func count(
        _ request: Request, _ context: AppContext
    ) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        let report = try await request.decodeJSON(AnalyticsReport.self, context: context)
        try await analytics.count(try Self.totals(of: report.events), for: caller)
        return .noContent
    }

    /// - Throws: 400 that points at the first invalid event.
    private static func totals(of events: [AnalyticsEvent]) throws(Problem) -> [AnalyticsEventName: Int] {
        guard events.count <= maxEvents else {
            throw .invalidRequest(pointer: "/events", detail: "must have at most \(maxEvents) events")
        }
        var totals: [AnalyticsEventName: Int] = [:]
        for (index, event) in events.enumerated() {
            guard let name = AnalyticsEventName(rawValue: event.name) else {
                let names = AnalyticsEventName.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidRequest(pointer: "/events/\(index)/name", detail: "must be one of \(names)")
            }
            let count = event.count ?? 1
            guard counts.contains(count) else {
                throw .invalidRequest(pointer: "/events/\(index)/count", detail: "must be 1 to 1000")
            }
            totals[name, default: 0] += count
        }
        return totals
    }
}
