import DeviceIntake

extension IntakeLimits {
    /// The limits of Companion's devices.
    /// - Parameter enforced: `limits.enforce_rates`.
    package static func companion(enforced: Bool) -> IntakeLimits {
        IntakeLimits(maxAge: 7 * secondsPerDay, eventsPerDay: enforced ? 500 : nil)
    }
}

extension RejectionReason {
    /// The account has no such day, or not yet.
    package static let unknownDay = RejectionReason(rawValue: "unknown_day")
    /// The day has 0 hp.
    package static let locked = RejectionReason(rawValue: "locked")
    /// The device's window is open, so a bypass is not needed.
    package static let windowOpen = RejectionReason(rawValue: "window_open")
    /// The schedule has the shields down.
    package static let notShielded = RejectionReason(rawValue: "not_shielded")
}

/// The kinds of events. The raw values are those of the API.
package enum CompanionEventKind: String, CaseIterable, Sendable {
    case bypass, reshield, open, usage
}

/// An event belongs to the day that holds this instant. Before joining there is none: ``RejectionReason/unknownDay``.
package func instantOfDay(happenedAt time: Instant, receivedAt: Instant) -> Instant {
    min(time, receivedAt)
}

/// The reason for which a usage report is refused.
/// - Parameter day: the day of the report; nil unless it has begun and is not before joining.
package func refusal(ofReportAbout day: DayTimes?, receivedAt: Instant) -> RejectionReason? {
    guard let day else { return .unknownDay }
    return receivedAt - day.endsAt > 7 * secondsPerDay ? .tooOld : nil
}
