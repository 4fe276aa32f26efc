import DeviceIntake

/// How a phone has learned of a lock.
package enum LockSource: String, Sendable, CaseIterable {
    case automatic, manual
}

/// How a phone has learned of an unlock.
package enum UnlockSource: String, Sendable, CaseIterable {
    /// By Android.
    case automatic
    /// By an automation of Shortcuts. Such phones report no locks.
    case shortcut
    /// Started and ended by hand.
    case manual
    /// When the app was installed.
    case install
    /// By the unlock that a set-up asks for.
    case verification
}

/// An accepted event of a device, as it is stored.
package struct FocusEvent: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case lock(LockSource)
        /// `verifies` says that this unlock has verified the device's set-up.
        case unlock(UnlockSource, verifies: Bool)
        /// `intention` is the place of the intention's id in the list that is stored beside the packed events.
        case open(intention: Int)
        case usage(day: DayNumber, minutes: Int, isFinal: Bool)
    }

    package let seq: Int
    /// The corrected time.
    package let at: Instant
    /// The local day of `at` when the event arrived.
    package let day: DayNumber
    package let content: Content

    package init(seq: Int, at: Instant, day: DayNumber, content: Content) {
        self.seq = seq
        self.at = at
        self.day = day
        self.content = content
    }
}

extension StreakEvent {
    /// nil if the event has no part in streaks.
    package init?(_ event: FocusEvent, device: DeviceNumber) {
        let effect: Effect
        switch event.content {
        case .lock: effect = .lock
        case .unlock(_, verifies: true): effect = .verifyingUnlock
        case .unlock(.shortcut, _), .unlock(.verification, _): effect = .heldUnlock
        case .unlock: effect = .unlock
        case .open, .usage: return nil
        }
        self.init(at: event.at, device: device, seq: event.seq, day: event.day, effect: effect)
    }
}
