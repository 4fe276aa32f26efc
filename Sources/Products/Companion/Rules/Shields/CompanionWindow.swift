import DeviceIntake

/// The time for which a bypass opens the shielded apps of its device: from `opened` to before `closes`.
package struct BypassWindow: Hashable, Sendable {
    package let opened: Instant
    package private(set) var closes: Instant

    package init(opened: Instant, closes: Instant) {
        self.opened = opened
        self.closes = closes
    }

    /// The minutes of a cooldown that an owner may choose.
    package static let cooldowns = [10, 20, 30, 45, 60]
    package static let defaultCooldown = 30

    package func contains(_ time: Instant) -> Bool { opened <= time && time < closes }

    /// Shuts the apps again, if the time lies in the window.
    /// - Returns: whether the window has changed.
    package mutating func reshield(at time: Instant) -> Bool {
        guard contains(time) else { return false }
        closes = time
        return true
    }

    /// The part that lies within a day. A window counts in full from the moment it opens.
    package func seconds(within day: DayTimes) -> Int {
        max(0, min(closes, day.endsAt) - max(opened, day.beginsAt))
    }
}

extension Sequence<BypassWindow> {
    /// The last end of the windows that are open now: `open_until` of the API.
    package func openUntil(now: Instant) -> Instant? {
        filter { $0.contains(now) }.map(\.closes).max()
    }
}

/// The rules that refuse a bypass or let it open a window.
package enum BypassRules {
    /// The first reason for which a bypass is refused; nil: it is accepted.
    /// - Parameters:
    ///   - hp: those of the day of the bypass, before it.
    ///   - lastWindow: the last one of its device.
    ///   - isShielded: ``ShieldSchedule/isUp(weekday:minute:)`` by the local time of the bypass; true without a schedule.
    package static func refusal(
        of time: Instant, hp: Int, lastWindow: BypassWindow?, isShielded: Bool
    ) -> RejectionReason? {
        if hp == 0 { return .locked }
        if let lastWindow, lastWindow.contains(time) { return .windowOpen }
        return isShielded ? nil : .notShielded
    }

    /// The window that an accepted bypass opens.
    /// - Parameter hp: those of the day after the bypass. With 0 hp no window opens.
    package static func window(openedBy time: Instant, hp: Int, cooldownMinutes: Int) -> BypassWindow? {
        hp == 0 ? nil : BypassWindow(opened: time, closes: time + cooldownMinutes * secondsPerMinute)
    }
}
