/// At most `limit` events of a kind for one subject within `window`.
package struct RateLimit: Sendable, Hashable {
    package let scope: RateScope
    /// The phone number, address or user id whose events are counted. The database stores an HMAC of it only.
    package let subject: String
    package let limit: Int
    package let window: Duration
    /// How long a window may be at most, after it was prolonged.
    package let longestWindow: Duration
    /// Whether the limit refills steadily, one event after each `window / limit`. Otherwise the window starts with the
    /// first event, and the whole limit comes back when it ends.
    package let refills: Bool

    package init(
        scope: RateScope, subject: String, limit: Int, per window: Duration,
        prolongedTo longest: Duration = .zero,
        refills: Bool = false
    ) {
        self.scope = scope
        self.subject = subject
        self.limit = limit
        self.window = window
        longestWindow = max(window, longest)
        self.refills = refills
    }

    /// The time after which a limit that refills has room for one more event.
    var interval: Duration { window / max(1, limit) }
}

/// A limit is used up.
package struct RateLimited: Error, Equatable {
    package let scope: RateScope
    /// The time until there is room again.
    package let retryAfter: Duration
    /// The number of events that the limit allows within `window`.
    package let limit: Int
    package let window: Duration

    package init(scope: RateScope, limit: Int, per window: Duration, retryAfter: Duration) {
        self.scope = scope
        self.limit = limit
        self.window = window
        self.retryAfter = retryAfter
    }

    package init(_ limit: RateLimit, retryAfter: Duration) {
        self.init(scope: limit.scope, limit: limit.limit, per: limit.window, retryAfter: retryAfter)
    }
}

/// The number of events that a limit has counted.
package struct RateState: Sendable, Equatable {
    package let limit: RateLimit
    package let used: Int
    /// The time until no event counts any more; nil when none counts now.
    package let remaining: Duration?

    package var isUsedUp: Bool { used >= limit.limit }
    /// The time until there is room for one event, when the limit is used up.
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

/// The counters themselves failed, and a retry would not help. The guarded call must be refused with 503.
package struct RateLimitsUnavailable: Error {
    package let reason: String
}
