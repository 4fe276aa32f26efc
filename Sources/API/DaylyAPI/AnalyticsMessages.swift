/// The events about the use of the app that the service counts.
public enum AnalyticsEventName: String, Codable, Sendable, CaseIterable {
    case photoSent = "photo_sent"
    case groupCreated = "group_created"
    case appOpened = "app_opened"
    case inviteSent = "invite_sent"
}

extension AnalyticsEvent {
    public init(name: AnalyticsEventName, count: Int? = nil) {
        self.init(name: name.rawValue, count: count)
    }
}
