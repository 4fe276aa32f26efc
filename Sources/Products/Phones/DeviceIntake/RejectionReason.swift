/// The reason for which an event is acknowledged and dropped. Products add their own to these.
package struct RejectionReason: RawRepresentable, Hashable, Error, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The device has sent as many events as it may on this UTC day.
    package static let tooMany = RejectionReason(rawValue: "too_many")
    /// The phone's uptimes contradict each other.
    package static let badClock = RejectionReason(rawValue: "bad_clock")
    package static let tooOld = RejectionReason(rawValue: "too_old")
}
