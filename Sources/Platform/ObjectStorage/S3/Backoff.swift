/// How long to wait between attempts: capped exponential growth with full jitter, so that many clients who
/// failed together do not come back together.
package struct Backoff: Sendable {
    package var base: Duration
    package var cap: Duration
    /// How often an operation is tried at most, the first time included.
    package var maxAttempts: Int

    package init(base: Duration = .milliseconds(100), cap: Duration = .seconds(2), maxAttempts: Int = 5) {
        self.base = base
        self.cap = cap
        self.maxAttempts = maxAttempts
    }

    /// The pause after the `attempt`-th failure (1, 2, …).
    /// - Parameter random: uniformly from 0 to 1.
    package func delay(after attempt: Int, random: Double) -> Duration {
        let longest = min(cap, base * (1 << min(attempt - 1, 20)))
        // Never nothing: a server that has just failed is given a moment.
        return longest * (0.25 + 0.75 * random)
    }
}
