/// At most so many events of a kind for one subject within a window that starts with the first of them.
package struct RateLimit: Sendable, Hashable {
    /// What is counted, e.g. `code.number.hour`: limits with different windows are different scopes.
    package let scope: String
    /// Whose events: a number, an address, a user's id. Stored as an HMAC only.
    package let subject: String
    package let limit: Int
    package let window: Duration

    package init(scope: String, subject: String, limit: Int, per window: Duration) {
        self.scope = scope
        self.subject = subject
        self.limit = limit
        self.window = window
    }
}

/// A limit is used up.
package struct RateLimited: Error, Equatable {
    package let scope: String
    /// Until the window ends.
    package let retryAfter: Duration
    /// How many events a window takes, and how long it is.
    package let limit: Int
    package let window: Duration

    package init(scope: String, limit: Int, per window: Duration, retryAfter: Duration) {
        self.scope = scope
        self.limit = limit
        self.window = window
        self.retryAfter = retryAfter
    }

    package init(_ limit: RateLimit, retryAfter: Duration) {
        self.init(scope: limit.scope, limit: limit.limit, per: limit.window, retryAfter: retryAfter)
    }
}

/// How far a limit is used.
package struct RateState: Sendable, Equatable {
    package let limit: RateLimit
    package let used: Int
    /// Until the window ends; nil where none is open.
    package let remaining: Duration?

    package var isUsedUp: Bool { used >= limit.limit }

    package init(limit: RateLimit, used: Int, remaining: Duration?) {
        self.limit = limit
        self.used = used
        self.remaining = remaining
    }
}

/// The counters themselves failed, beyond what passes by itself. What they guard must be refused: 503.
package struct RateLimitsUnavailable: Error {
    package let reason: String
}
