import DaylyAPI
import Foundation

/// A phone that reports its owner's events to Companion.
public struct CompanionDevice: Codable, Sendable {
    /// The phone's own id.
    public var id: ResourceID
    /// The greatest `seq` that the phone has sent; it may forget all events up to it.
    public var lastSeq: Int
    public var syncedAt: Date

    public init(id: ResourceID, lastSeq: Int, syncedAt: Date) {
        self.id = id
        self.lastSeq = lastSeq
        self.syncedAt = syncedAt
    }

    enum CodingKeys: String, CodingKey {
        case id
        case lastSeq = "last_seq"
        case syncedAt = "synced_at"
    }
}

/// `GET /v1/companion/devices`: in the order of their registration.
public struct CompanionDeviceList: Codable, Sendable {
    public var devices: [CompanionDevice]

    public init(devices: [CompanionDevice]) {
        self.devices = devices
    }
}
