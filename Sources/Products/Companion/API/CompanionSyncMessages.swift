import DaylyAPI
import Foundation

/// `POST /v1/companion/sync`: a phone's events, and its clocks at the time of sending.
public struct CompanionSync: Codable, Sendable {
    /// An id that the phone makes. The first sync with it registers the phone.
    public var deviceID: ResourceID
    public var clientTime: Date
    /// Identifies the phone's start since which `uptime` counts; both or neither.
    public var bootID: String?
    /// In seconds.
    public var uptime: Int?
    /// By rising `seq`, at most 500.
    public var events: [CompanionSyncEvent]

    public init(
        deviceID: ResourceID, clientTime: Date, bootID: String? = nil, uptime: Int? = nil,
        events: [CompanionSyncEvent] = []
    ) {
        self.deviceID = deviceID
        self.clientTime = clientTime
        self.bootID = bootID
        self.uptime = uptime
        self.events = events
    }

    enum CodingKeys: String, CodingKey {
        case deviceID = "device_id"
        case clientTime = "client_time"
        case bootID = "boot_id"
        case uptime
        case events
    }
}

/// An event of a phone. Members that the kind of event does not have are left out.
public struct CompanionSyncEvent: Codable, Sendable {
    /// Rising within a phone, from 1.
    public var seq: Int
    /// `bypass`, `reshield`, `open` or `usage`.
    public var kind: String
    /// By the phone's clock.
    public var at: Date
    public var bootID: String?
    public var uptime: Int?
    /// The day that a report of `usage` is about.
    public var day: String?
    /// The minutes of use on that day so far, from 0 to 3,600.
    public var minutes: Int?
    /// Whether no further report about the day follows.
    public var final: Bool?

    public init(
        seq: Int, kind: String, at: Date, bootID: String? = nil, uptime: Int? = nil, day: String? = nil,
        minutes: Int? = nil, final: Bool? = nil
    ) {
        self.seq = seq
        self.kind = kind
        self.at = at
        self.bootID = bootID
        self.uptime = uptime
        self.day = day
        self.minutes = minutes
        self.final = final
    }

    enum CodingKeys: String, CodingKey {
        case seq
        case kind
        case at
        case bootID = "boot_id"
        case uptime
        case day
        case minutes
        case final
    }
}
