import DaylyAPI
import Foundation

/// `POST /v1/focus/sync`: a phone's events, and its clocks at the time of sending.
public struct FocusSync: Codable, Sendable {
    /// The client's own id of the phone. A text that is not an id is answered like an unknown phone.
    public var deviceID: String
    public var clientTime: Date
    /// Identifies the phone's start since which `uptime` counts; both or neither.
    public var bootID: String?
    /// In seconds.
    public var uptime: Int?
    /// By rising `seq`, at most 500.
    public var events: [FocusSyncEvent]
    /// The last answer's cursor: how far the phone knows the events of the user's other phones.
    public var cursor: String?

    public init(
        deviceID: String, clientTime: Date, bootID: String? = nil, uptime: Int? = nil,
        events: [FocusSyncEvent], cursor: String? = nil
    ) {
        self.deviceID = deviceID
        self.clientTime = clientTime
        self.bootID = bootID
        self.uptime = uptime
        self.events = events
        self.cursor = cursor
    }

    enum CodingKeys: String, CodingKey {
        case deviceID = "device_id"
        case clientTime = "client_time"
        case bootID = "boot_id"
        case uptime
        case events
        case cursor
    }
}

/// An event of a phone. Members that the kind of event does not have are left out.
public struct FocusSyncEvent: Codable, Sendable {
    /// The number of the phone, in answers alone.
    public var device: Int?
    /// Rising within a phone, from 1.
    public var seq: Int
    /// `lock`, `unlock`, `open` or `usage`.
    public var kind: String
    /// By the phone's clock; in answers the corrected time.
    public var at: Date
    public var bootID: String?
    public var uptime: Int?
    /// `automatic` or `manual`; of an unlock also `shortcut`, `install` or `verification`.
    public var source: String?
    /// The intention of an `open`.
    public var intentionID: ResourceID?
    /// The local day that a report of `usage` is about.
    public var day: String?
    public var minutes: Int?
    /// Whether no further report about the day follows.
    public var final: Bool?

    public init(
        device: Int? = nil, seq: Int, kind: String, at: Date, bootID: String? = nil, uptime: Int? = nil,
        source: String? = nil, intentionID: ResourceID? = nil, day: String? = nil, minutes: Int? = nil,
        final: Bool? = nil
    ) {
        self.device = device
        self.seq = seq
        self.kind = kind
        self.at = at
        self.bootID = bootID
        self.uptime = uptime
        self.source = source
        self.intentionID = intentionID
        self.day = day
        self.minutes = minutes
        self.final = final
    }

    enum CodingKeys: String, CodingKey {
        case device
        case seq
        case kind
        case at
        case bootID = "boot_id"
        case uptime
        case source
        case intentionID = "intention_id"
        case day
        case minutes
        case final
    }
}

public struct FocusSyncAnswer: Codable, Sendable {
    public struct Rejection: Codable, Sendable {
        public var seq: Int
        /// `too_many`, `bad_clock`, `too_old` or `unknown_intention`.
        public var reason: String

        public init(seq: Int, reason: String) {
            self.seq = seq
            self.reason = reason
        }
    }

    /// The phone may forget all of its events up to this number.
    public var acknowledged: Int
    public var rejected: [Rejection]
    /// Events of the user's other phones, by phone and `seq`.
    public var others: [FocusSyncEvent]
    /// For the next sync.
    public var cursor: String
    /// Whether there are more events of other phones: the next sync should follow at once.
    public var hasMore: Bool
    public var serverTime: Date
    /// The answer that `GET /v1/focus/now` would give after the sync.
    public var now: FocusNow

    public init(
        acknowledged: Int, rejected: [Rejection], others: [FocusSyncEvent], cursor: String, hasMore: Bool,
        serverTime: Date, now: FocusNow
    ) {
        self.acknowledged = acknowledged
        self.rejected = rejected
        self.others = others
        self.cursor = cursor
        self.hasMore = hasMore
        self.serverTime = serverTime
        self.now = now
    }

    enum CodingKeys: String, CodingKey {
        case acknowledged
        case rejected
        case others
        case cursor
        case hasMore = "has_more"
        case serverTime = "server_time"
        case now
    }
}
