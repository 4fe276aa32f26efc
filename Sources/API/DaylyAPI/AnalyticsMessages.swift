/// The events about the use of the app that the service counts.
public enum AnalyticsEventName: String, Codable, Sendable, CaseIterable {
    case photoSent = "photo_sent"
    case groupCreated = "group_created"
    case appOpened = "app_opened"
    case inviteSent = "invite_sent"
}

/// Something that happened `count` times; once, where that is left out.
public struct AnalyticsEvent: Codable, Sendable {
    /// An `AnalyticsEventName`.
    public var name: String
    /// From 1 to 1,000.
    public var count: Int?

    public init(name: AnalyticsEventName, count: Int? = nil) {
        self.name = name.rawValue
        self.count = count
    }
}

/// `POST /v1/analytics/events`: up to 100 events.
public struct AnalyticsReport: Codable, Sendable {
    public var events: [AnalyticsEvent]

    public init(events: [AnalyticsEvent]) {
        self.events = events
    }
}
