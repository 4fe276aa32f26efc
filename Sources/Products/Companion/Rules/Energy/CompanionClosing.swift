import DeviceIntake

/// The effect of an accepted usage report on the days that are still open.
///
/// The caller closes the open days before ``closesBefore``, the oldest first; notes the report, unless its day is closed
/// already; and closes the day of the report too if ``closesOwnDay``.
package struct ReportEffect: Hashable, Sendable {
    /// All open days before this one are closed.
    package let closesBefore: DayNumber
    package let closesOwnDay: Bool

    package init(day: DayNumber, times: DayTimes, isFinal: Bool, receivedAt: Instant) {
        closesBefore = day
        closesOwnDay = isFinal && receivedAt >= times.endsAt
    }
}

/// Phone use by its limit on a closed day. It may exceed 1.
package struct UseRatio: Hashable, Sendable {
    package let usedMinutes: Int
    package let limitMinutes: Int

    package init(usedMinutes: Int, limitMinutes: Int) {
        self.usedMinutes = usedMinutes
        self.limitMinutes = limitMinutes
    }

    /// The ratio of a day without a report.
    package static let unreported = UseRatio(usedMinutes: 1, limitMinutes: 1)

    /// A day that is closed later than this after its end counts as one without a report.
    package static let openSeconds = 7 * secondsPerDay

    /// The ratio of a day at its closing; nil if the day pays nothing, because it counts as one without a report.
    package init?(reportedMinutes: Int?, limitMinutes: Int, endedAt: Instant, closedAt: Instant) {
        guard let reportedMinutes, closedAt - endedAt <= Self.openSeconds else { return nil }
        self.init(usedMinutes: reportedMinutes, limitMinutes: limitMinutes)
    }
}
