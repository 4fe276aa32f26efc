import DaylyClient
import DaylyAPI

/// A phone as its folder knows it.
package struct PhoneRecord: Codable, Sendable, Equatable {
    /// The folder's own: a folder that is lost takes its numbers along, and the next one begins as another phone.
    package let deviceID: ResourceID
    /// No other user's session sends the events.
    package let userID: ResourceID
    /// The last number that the service knows.
    package var acknowledged = 0
    /// How far this phone knows the user's other phones.
    package var cursor: String?
    /// Whether events that may wait are sent at once.
    package var sendsAllAtOnce = true

    package init(deviceID: ResourceID, userID: ResourceID) {
        self.deviceID = deviceID
        self.userID = userID
    }

    package enum CodingKeys: String, CodingKey {
        case deviceID = "device_id"
        case userID = "user_id"
        case acknowledged
        case cursor
        case sendsAllAtOnce = "sends_locks_at_once"
    }
}
