import PhoneClient
import FocusAPI
import DaylyClient
import DaylyAPI
import Foundation

/// The service's answer to a sync.
public struct FocusSynced: Sendable {
    /// An event that the service did not take. It is not sent again.
    public struct Rejected: Sendable, Equatable {
        /// The number that `FocusSyncQueue.record(_:at:uptime:)` gave it.
        public let seq: Int
        /// `too_many`, `bad_clock`, `too_old` or `unknown_intention`.
        public let reason: String
    }

    /// The state of the user after the sync.
    public let now: FocusNow
    public let serverTime: Date
    public let rejected: [Rejected]
}
