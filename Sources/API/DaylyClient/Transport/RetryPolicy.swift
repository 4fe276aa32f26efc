import Foundation

/// How often and when a request is sent again. Only requests are repeated whose repetition changes nothing.
public struct RetryPolicy: Sendable {
    /// All attempts together.
    public var attempts: Int
    /// The bound of the first pause. Each further bound is twice as long.
    public var firstPause: Duration
    /// The longest pause. A service that names a longer one in `Retry-After` is not waited for: the call fails.
    public var longestPause: Duration
    /// A number from 0 to 1.
    public var random: @Sendable () -> Double

    public init(
        attempts: Int = 4, firstPause: Duration = .milliseconds(500), longestPause: Duration = .seconds(10),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.attempts = attempts
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.random = random
    }

    /// Sends each request once.
    public static let never = RetryPolicy(attempts: 1)

    /// The pause before the next attempt; nil when there is none.
    ///
    /// - Parameters:
    ///   - attempt: the attempt that has failed, from 1.
    ///   - retryAfter: what the service asked for.
    package func pause(afterAttempt attempt: Int, retryAfter: Duration?) -> Duration? {
        guard attempt < attempts else { return nil }
        guard let retryAfter else { return delay(attempt: attempt) }
        guard retryAfter <= longestPause else { return nil }
        // Clients that were refused together must not come back together.
        return retryAfter + delay(attempt: 1)
    }

    /// A random pause up to a bound that doubles with each attempt ("full jitter").
    package func delay(attempt: Int) -> Duration {
        let bound = min(longestPause, firstPause * (1 << min(max(attempt - 1, 0), 20)))
        return bound * random()
    }

    /// Whether an answer says that the request was not carried out, and may be later.
    static func isTransient(_ status: Int) -> Bool {
        [408, 429, 502, 503, 504].contains(status)
    }
}
