import DaylyClient
import DaylyAPI

/// A phone as its folder knows it.
struct PhoneRecord: Codable, Sendable, Equatable {
    /// The folder's own: a folder that is lost takes its numbers along, and the next one begins as another phone.
    let deviceID: ResourceID
    /// No other user's session sends the events.
    let userID: ResourceID
    /// The last number that the service knows.
    var acknowledged = 0
    /// How far this phone knows the user's other phones.
    var cursor: String?
    /// Whether events that may wait are sent at once.
    var sendsAllAtOnce = true

    init(deviceID: ResourceID, userID: ResourceID) {
        self.deviceID = deviceID
        self.userID = userID
    }

    enum CodingKeys: String, CodingKey {
        case deviceID = "device_id"
        case userID = "user_id"
        case acknowledged
        case cursor
        case sendsAllAtOnce = "sends_locks_at_once"
    }
}
