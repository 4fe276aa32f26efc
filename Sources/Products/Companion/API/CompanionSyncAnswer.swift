import Foundation

public struct CompanionSyncAnswer: Codable, Sendable {
    public struct Rejection: Codable, Sendable, Equatable {
        public var seq: Int
        /// `too_many`, `bad_clock`, `too_old`, `unknown_day`, `locked`, `window_open` or `not_shielded`.
        public var reason: String

        public init(seq: Int, reason: String) {
            self.seq = seq
            self.reason = reason
        }
    }

    /// The phone may forget all of its events up to this number.
    public var acknowledged: Int
    public var rejected: [Rejection]
    public var serverTime: Date
    /// The running day after the sync.
    public var day: CompanionDay

    public init(acknowledged: Int, rejected: [Rejection], serverTime: Date, day: CompanionDay) {
        self.acknowledged = acknowledged
        self.rejected = rejected
        self.serverTime = serverTime
        self.day = day
    }

    enum CodingKeys: String, CodingKey {
        case acknowledged
        case rejected
        case serverTime = "server_time"
        case day
    }
}
