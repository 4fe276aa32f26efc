import DeviceIntake

/// An event of a counting device, as the streaks see it.
///
/// The order of events is that of their times, then of the devices' numbers, then of `seq`. A deletion comes after all
/// events of its instant.
package struct StreakEvent: Hashable, Sendable {
    package enum Effect: UInt8, Sendable {
        case lock
        /// An unlock of a phone that reports its locks.
        case unlock
        /// An unlock of a phone that reports no locks: it counts as locked after the hold.
        case heldUnlock
        /// The same, and the streak that it ends is lost.
        case verifyingUnlock
        case deletion
    }

    package let at: Instant
    package let seq: Int
    package let device: DeviceNumber
    /// The local day of `at` when the event arrived.
    package let day: DayNumber
    package let effect: Effect

    package init(at: Instant, device: DeviceNumber, seq: Int, day: DayNumber, effect: Effect) {
        self.at = at
        self.seq = seq
        self.device = device
        self.day = day
        self.effect = effect
    }

    /// The end of a device. `at` is not before the device's last event, so that its scores stay.
    package static func deletion(of device: DeviceNumber, at: Instant) -> StreakEvent {
        StreakEvent(at: at, device: device, seq: 0, day: 0, effect: .deletion)
    }
}

extension StreakEvent: Comparable {
    package static func < (left: StreakEvent, right: StreakEvent) -> Bool {
        StreakPosition(left) < StreakPosition(right)
    }
}

/// The place of an event in the order of events.
struct StreakPosition: Hashable, Comparable, Sendable {
    let at: Instant
    let isDeletion: Bool
    let device: DeviceNumber
    let seq: Int

    init(at: Instant, isDeletion: Bool, device: DeviceNumber, seq: Int) {
        self.at = at
        self.isDeletion = isDeletion
        self.device = device
        self.seq = seq
    }

    init(_ event: StreakEvent) {
        self.init(at: event.at, isDeletion: event.effect == .deletion, device: event.device, seq: event.seq)
    }

    static func < (left: StreakPosition, right: StreakPosition) -> Bool {
        if left.at != right.at { return left.at < right.at }
        if left.isDeletion != right.isDeletion { return right.isDeletion }
        return (left.device, left.seq) < (right.device, right.seq)
    }
}
