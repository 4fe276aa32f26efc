/// At most so many events of a kind for one subject within a time.
package struct RateLimit: Sendable, Hashable {
    /// The counted events, e.g. `code.number.hour`: limits with different windows are different scopes.
    package let scope: String
    /// The one whose events count: a number, an address, a user's id. Stored as an HMAC only.
    package let subject: String
    package let limit: Int
    package let window: Duration
    /// Whether the limit refills steadily, one event after each `window / limit`. Otherwise the window starts with the
    /// first event, and the whole limit comes back when it ends.
    package let refills: Bool

    package init(scope: String, subject: String, limit: Int, per window: Duration, refills: Bool = false) {
        self.scope = scope
        self.subject = subject
        self.limit = limit
        self.window = window
        self.refills = refills
    }

    /// The time after which a limit that refills has room for one event more.
    var interval: Duration { window / max(1, limit) }
}

/// A limit is used up.
package struct RateLimited: Error, Equatable {
    package let scope: String
    /// Until there is room again.
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
    /// Until nothing counts any more; nil where nothing does.
    package let remaining: Duration?

    package var isUsedUp: Bool { used >= limit.limit }
    /// Until one event has room, where the limit is used up.
    package var wait: Duration { wait(for: 1) }

    package init(limit: RateLimit, used: Int, remaining: Duration?) {
        self.limit = limit
        self.used = used
        self.remaining = remaining
    }

    func wait(for amount: Int) -> Duration {
        let remaining = remaining ?? (limit.refills ? .zero : limit.window)
        guard limit.refills else { return remaining }
        return max(.zero, remaining + limit.interval * amount - limit.window)
    }
}

/// The counters themselves failed, and a retry did not help. A guarded call must be refused: 503.
package struct RateLimitsUnavailable: Error {
    package let reason: String
}
