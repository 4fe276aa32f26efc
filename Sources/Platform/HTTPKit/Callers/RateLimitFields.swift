import Hummingbird

/// The state of a limit for `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
package struct RateLimitFields: Sendable, Equatable {
    /// The name of the limit: letters, digits, dots and dashes.
    package let policy: String
    package let quota: Int
    package let window: Duration
    package let remaining: Int
    /// The time until the limit has room again.
    package let reset: Duration

    package init(policy: String, quota: Int, window: Duration, remaining: Int, reset: Duration) {
        self.policy = policy.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        self.quota = quota
        self.window = window
        self.remaining = remaining
        self.reset = reset
    }

    package func add(to headers: inout HTTPFields) {
        headers[.rateLimitPolicy] = #""\#(policy)";q=\#(quota);w=\#(window.wholeSecondsRoundedUp)"#
        headers[.rateLimit] = #""\#(policy)";r=\#(remaining);t=\#(reset.wholeSecondsRoundedUp)"#
    }
}

extension Problem {
    /// 429 with the fields of the exhausted limit.
    package static func rateLimited(_ fields: RateLimitFields) -> Problem {
        var problem = Problem.rateLimited(retryAfter: fields.reset)
        fields.add(to: &problem.headers)
        return problem
    }
}
