import DeviceIntake

/// The figures of a day that events change, as its row keeps them.
///
/// A bypass goes through ``BypassRules/refusal(of:hp:lastWindow:isShielded:)`` and, unless that refuses it, through
/// ``takeBypass(at:)``. Every accepted event about the day sets ``hasEvents``.
package struct DayFigures: Hashable, Sendable {
    package let day: DayNumber
    /// A change of zone moves the end of the running day.
    package var times: DayTimes
    package var limitMinutes: Int
    /// The accepted bypasses.
    package private(set) var bypasses: Int
    /// The least and the greatest time of the accepted bypasses.
    package private(set) var firstUseAt: Instant?
    package private(set) var lastUseAt: Instant?
    /// The sum of ``BypassWindow/seconds(within:)`` of all windows of all devices.
    package var openSeconds: Int
    /// The largest report; nil without one.
    package private(set) var reportedMinutes: Int?
    package var hasEvents: Bool
    package var hasWelcome: Bool
    /// The diary has a `terminal` or a `nightly` of the day.
    package var hasSummary: Bool

    package init(
        day: DayNumber, times: DayTimes, limitMinutes: Int, bypasses: Int = 0, firstUseAt: Instant? = nil,
        lastUseAt: Instant? = nil, openSeconds: Int = 0, reportedMinutes: Int? = nil, hasEvents: Bool = false,
        hasWelcome: Bool = false, hasSummary: Bool = false
    ) {
        self.day = day
        self.times = times
        self.limitMinutes = limitMinutes
        self.bypasses = bypasses
        self.firstUseAt = firstUseAt
        self.lastUseAt = lastUseAt
        self.openSeconds = openSeconds
        self.reportedMinutes = reportedMinutes
        self.hasEvents = hasEvents
        self.hasWelcome = hasWelcome
        self.hasSummary = hasSummary
    }

    package var hp: Int { dayHP(bypasses: bypasses) }
    package var band: HealthBand { HealthBand(hp: hp) }
    /// The reported minutes or, without a report, those of the windows.
    package var usedMinutes: Int { reportedMinutes ?? openSeconds / secondsPerMinute }
    package var isWithinLimit: Bool { usedMinutes <= limitMinutes }
    /// `locked_until` of the API.
    package var lockedUntil: Instant? { hp == 0 ? times.endsAt : nil }

    /// Notes an accepted bypass.
    /// - Returns: the text that it writes, if any: see ``DiaryKind``.
    package mutating func takeBypass(at time: Instant) -> DiaryKind? {
        let before = band
        bypasses += 1
        firstUseAt = min(time, firstUseAt ?? time)
        lastUseAt = max(time, lastUseAt ?? time)
        hasEvents = true
        guard band != before else { return nil }
        return band == .zero && !hasSummary ? .terminal : .band(band)
    }

    /// Notes a usage report about the day. Once the day is closed the caller leaves this out.
    package mutating func takeReport(minutes: Int) {
        reportedMinutes = max(minutes, reportedMinutes ?? 0)
        hasEvents = true
    }
}
