import DaylyAPI

/// Counts the use of the app. The service keeps totals by the day, without users.
public struct AnalyticsRepository: Sendable {
    let calls: ServiceCalls

    /// Up to 100 events.
    public func count(_ events: [AnalyticsEvent]) async throws(DaylyError) {
        try await calls.perform(.countEvents, json: AnalyticsReport(events: events))
    }
}
