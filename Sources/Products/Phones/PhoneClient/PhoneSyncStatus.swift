import DaylyClient
import DaylyAPI
import Foundation

/// How far a phone's events have come.
public struct PhoneSyncStatus: Sendable, Equatable {
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
        /// The user does not take part, or has left elsewhere. Offer joining, or clear the queue.
        case notJoined
        /// The service does not know this phone: register it. Some products register phones by themselves.
        case unknownDevice
        /// The queue goes on with the next sign-in.
        case signedOut
        /// The service refuses the request, as by `device_limit_reached`. A newer version of the app may know other codes.
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
