import DaylyAPI
import Foundation

/// How far a phone's events have come.
public struct FocusSyncStatus: Sendable, Equatable {
    public enum State: Sendable, Equatable {
        /// Nothing is sent before the next event, or before the app opens.
        case idle
        case syncing
        /// The last sync failed, and is repeated by itself.
        case waiting
        case stopped(Stop)
    }

    /// The reasons for which nothing is sent until the app acts. Events are kept meanwhile.
    public enum Stop: Sendable, Equatable {
        /// The user has not joined Focus, or has left it elsewhere. Offer joining, or call ``FocusSyncQueue/clear()``.
        case notJoined
        /// The service does not know this phone: register it.
        case unknownDevice
        /// The queue goes on with the next sign-in.
        case signedOut
        /// The service refuses the request. A newer version of the app may know why.
        case refused(code: String)
    }

    public internal(set) var state: State
    /// The events that the service has not acknowledged.
    public internal(set) var pending: Int
    /// The service's time of the last sync of this process.
    public internal(set) var syncedAt: Date?
    /// The reason for which the last sync failed.
    public internal(set) var error: DaylyError?
}

/// The service's answer to a sync.
public struct FocusSynced: Sendable {
    /// An event that the service did not take. It is not sent again.
    public struct Rejected: Sendable, Equatable {
        /// The number that ``FocusSyncQueue/record(_:at:uptime:)`` gave it.
        public let seq: Int
        /// `too_many`, `bad_clock`, `too_old` or `unknown_intention`.
        public let reason: String
    }

    /// The state of the user after the sync.
    public let now: FocusNow
    public let serverTime: Date
    public let rejected: [Rejected]
}
