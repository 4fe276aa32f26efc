/// A circuit breaker: it opens after several failures in a row, and callers then leave the provider alone for a pause.
/// A pure value; its owner guards it with a lock.
package struct Breaker: Sendable {
    package enum State: Equatable, Sendable {
        /// Calls go out. Becomes `open` with the last of several failures in a row, or when the owner opens it.
        case closed
        /// No calls go out before the pause is over. Then it becomes `halfOpen`, or `closed` again when the provider asked
        /// for the pause after fewer failures. A success of a call that was under way closes it earlier.
        case open(remaining: Duration)
        /// The pause is over and the fault may be too: one call should go ahead of the others. Becomes `closed` with a
        /// success and `open` with the next failure.
        case halfOpen
    }

    private let maxFailures: Int
    private let pause: Duration
    private var failures = 0
    private var openUntil: ContinuousClock.Instant?

    /// - Parameters:
    ///   - maxFailures: the number of failures in a row that opens the breaker.
    ///   - pause: the time for which the breaker then stays open.
    package init(maxFailures: Int, pause: Duration) {
        self.maxFailures = maxFailures
        self.pause = pause
    }

    package func state(at now: ContinuousClock.Instant) -> State {
        if let openUntil, now < openUntil { return .open(remaining: openUntil - now) }
        return failures >= maxFailures ? .halfOpen : .closed
    }

    package func isOpen(at now: ContinuousClock.Instant) -> Bool {
        if case .open = state(at: now) { true } else { false }
    }

    package mutating func recordSuccess() {
        failures = 0
        openUntil = nil
    }

    /// - Parameter requested: a pause that the provider asks for; it opens the breaker even after a single failure.
    package mutating func recordFailure(at now: ContinuousClock.Instant, pause requested: Duration? = nil) {
        failures += 1
        guard failures >= maxFailures || requested != nil else { return }
        openUntil = now + (requested ?? pause)
    }

    /// Opens the breaker at once. After the pause it is half open.
    package mutating func open(at now: ContinuousClock.Instant, for pause: Duration) {
        failures = max(failures, maxFailures)
        openUntil = now + pause
    }
}
