import DeviceIntake

/// The raw values are those of the API and of the ledger.
package enum RecoveryKind: String, CaseIterable, Sendable {
    case cure, revive, restart

    /// The health in which a pet must be.
    package var from: PetHealth { self == .cure ? .sick : .dead }
}

/// The limits of a recovery.
package struct RecoveryLimits: Hashable, Sendable {
    package let pauseHours: Int
    /// At most this many within ``windowDays``; nil: any number.
    package let count: Int?
    package let windowDays: Int?

    package init(pauseHours: Int, count: Int? = nil, windowDays: Int? = nil) {
        self.pauseHours = pauseHours
        self.count = count
        self.windowDays = windowDays
    }

    /// The first instant at which the recovery is allowed; nil if it is allowed now.
    /// - Parameter earlier: the account's own successful ones of the same kind, whichever pet they were for, in any
    ///   order. The caller may leave out those that are older than both the pause and the window.
    package func retryAt(earlier: some Sequence<Instant>, now: Instant) -> Instant? {
        let newestFirst = earlier.sorted(by: >)
        var retryAt = now
        if let last = newestFirst.first { retryAt = max(retryAt, last + pauseHours * secondsPerHour) }
        if let count, let windowDays, newestFirst.count >= count {
            retryAt = max(retryAt, newestFirst[count - 1] + windowDays * secondsPerDay)
        }
        return retryAt == now ? nil : retryAt
    }
}
