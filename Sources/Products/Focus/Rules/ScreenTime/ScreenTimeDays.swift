import DeviceIntake

extension RejectionReason {
    package static let unknownIntention = RejectionReason(rawValue: "unknown_intention")
}

/// The days of a user about which reports of screen time still count.
package struct ScreenTimeDays: Hashable, Sendable {
    /// This local day and all before it are closed; nil before the first report.
    package private(set) var closedThrough: DayNumber?

    package init(closedThrough: DayNumber? = nil) {
        self.closedThrough = closedThrough
    }

    private static let reportedDays = 7

    /// The reason to reject a report, or nil.
    /// - Parameter eventDay: the stored local day of the event.
    package static func rejection(of day: DayNumber, eventDay: DayNumber) -> RejectionReason? {
        if day > eventDay { return .badClock }
        return day < eventDay - reportedDays ? .tooOld : nil
    }

    /// The result of a report. The caller first closes the days up to `closesBefore`, then counts the minutes, then closes
    /// the days up to `closesAfter`: in this order the report is part of its day before that is judged.
    package struct Effect: Hashable, Sendable {
        /// The report counts: its day is not closed.
        package let counts: Bool
        /// The days that close before the report counts, in order.
        package let closesBefore: Range<DayNumber>
        /// The report's own day, if the report closes it.
        package let closesAfter: Range<DayNumber>
    }

    /// Takes a report about a day.
    /// - Parameter from: the first day that can be judged, which is the day of joining.
    package mutating func take(
        _ day: DayNumber, isFinal: Bool, eventDay: DayNumber, from joined: DayNumber
    ) -> Effect {
        let first = closedThrough.map { $0 + 1 } ?? min(joined, day)
        guard day >= first else {
            return Effect(counts: false, closesBefore: day..<day, closesAfter: day..<day)
        }
        let closesItself = isFinal && eventDay > day
        closedThrough = closesItself ? day : max(day - 1, closedThrough ?? day - 1)
        return Effect(
            counts: true, closesBefore: first..<day, closesAfter: day..<(closesItself ? day + 1 : day))
    }
}
