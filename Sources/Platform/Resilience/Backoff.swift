/// Pauses between attempts: each failure in a row doubles the pause, up to a longest one. A random part of each pause
/// is left out, so that clients that failed together do not come back together.
package struct Backoff: Sendable {
    /// The pause after the first failure, before jitter.
    package var first: Duration
    /// The longest pause, before jitter.
    package var longest: Duration
    /// The part of a pause that may be left out, from 0 (none) to 1 (all of it).
    package var jitter: Double

    package init(first: Duration, longest: Duration, jitter: Double = 0.5) {
        self.first = first
        self.longest = longest
        self.jitter = jitter
    }

    /// The pause before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: the number of failures in a row, from 1.
    ///   - random: uniform from 0 to 1; 0 gives the whole pause.
    package func pause(afterFailures failures: Int, random: Double = .random(in: 0...1)) -> Duration {
        let doubled = first * (1 << min(max(failures - 1, 0), 20))
        return min(doubled, longest) * (1 - jitter * random)
    }
}
