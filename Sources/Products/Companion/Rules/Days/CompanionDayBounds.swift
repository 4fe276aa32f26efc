/// The first instant of a local date in the account's zone.
package struct Midnight: Hashable, Sendable {
    /// The local date at that instant. Where a zone leaves a date out, it is the date after the one that was asked for.
    package let date: DayNumber
    package let at: Instant

    package init(date: DayNumber, at: Instant) {
        self.date = date
        self.at = at
    }
}

/// The running day of an account, as far as its end depends on it.
package struct RunningDay: Hashable, Sendable {
    /// The local date at its beginning.
    package let day: DayNumber
    package let beganAt: Instant
    /// The day of joining, which may be short.
    package let isFirst: Bool

    package init(day: DayNumber, beganAt: Instant, isFirst: Bool) {
        self.day = day
        self.beganAt = beganAt
        self.isFirst = isFirst
    }

    /// A day that is not the first lasts at least this many seconds.
    package static let leastSeconds = 18 * secondsPerHour

    /// The end of the day: the first suitable midnight or, if a change of zone comes after it, the change.
    ///
    /// The next day begins at the end, and its name is the local date at that instant.
    /// - Parameters:
    ///   - midnights: those of some dates after ``day`` in the account's zone, in any order.
    ///   - zoneChangedAt: now, if the zone changes now.
    /// - Returns: nil if none of the midnights is suitable.
    package func end(among midnights: some Sequence<Midnight>, zoneChangedAt: Instant? = nil) -> Instant? {
        let earliest = isFirst ? beganAt + 1 : beganAt + Self.leastSeconds
        let end = midnights.filter { $0.date > day && $0.at >= earliest }.map(\.at).min()
        return end.map { max($0, zoneChangedAt ?? $0) }
    }
}

/// The instants at which something of a day is due.
package struct DayTimes: Hashable, Sendable {
    package let beginsAt: Instant
    package let endsAt: Instant

    package init(beginsAt: Instant, endsAt: Instant) {
        self.beginsAt = beginsAt
        self.endsAt = endsAt
    }

    /// The push `companion_nightly` is due: 23:00 of most days.
    package var nightlyPushAt: Instant { endsAt - secondsPerHour }
    /// The push `companion_nightly` is not sent from here on.
    package var nightlyPushUselessAt: Instant { endsAt + secondsPerHour }
    /// An `open` in this time writes the day's summary: 21:00 to 01:00 of most days.
    package var summaryTime: Range<Instant> { endsAt - 3 * secondsPerHour..<summaryAloneAt }
    /// The summary is written by itself, and this is its `at`.
    package var summaryAloneAt: Instant { endsAt + secondsPerHour }
}
