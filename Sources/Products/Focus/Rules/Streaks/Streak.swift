/// A time in which all phones of a user were left alone. It ends by an unlock.
package struct Streak: Hashable, Sendable {
    package let began: Instant
    package let ended: Instant
    /// The local day of the unlock that ended the streak, as it was stored with the unlock. The whole streak belongs to it.
    package let day: DayNumber
    /// The phone reports no locks, so the beginning is derived from the unlock before.
    package let isEstimated: Bool

    package init(began: Instant, ended: Instant, day: DayNumber, isEstimated: Bool) {
        self.began = began
        self.ended = ended
        self.day = day
        self.isEstimated = isEstimated
    }

    /// The seconds that count: a phone in a drawer must not win.
    package var seconds: Int { min(ended - began, Self.maxSeconds) }

    package var points: Hundredths { streakPoints(seconds: seconds) }

    /// A streak of these seconds or fewer has no points and appears in no figure.
    package static let worthlessSeconds = 60
    package static let maxSeconds = 604_800
}

/// A streak that has not ended.
package struct RunningStreak: Hashable, Sendable {
    package let began: Instant
    package let isEstimated: Bool

    package init(began: Instant, isEstimated: Bool) {
        self.began = began
        self.isEstimated = isEstimated
    }
}
