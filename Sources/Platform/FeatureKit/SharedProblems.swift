import HTTPKit
import Messaging
import RateLimiting

// The problems of platform errors that calls of several features answer.

extension RateLimited: ProblemConvertible {
    /// 429. The answer names the limit, unless several callers share it.
    package var problem: Problem {
        guard !scope.isShared else { return .rateLimited(retryAfter: retryAfter) }
        return .rateLimited(
            RateLimitFields(policy: scope.name, quota: limit, window: window, remaining: 0, reset: retryAfter)
        )
    }
}

extension SMSQueueFull: ProblemConvertible {
    package var problem: Problem { .overloaded() }
}
