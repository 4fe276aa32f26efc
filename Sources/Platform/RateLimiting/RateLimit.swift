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

    package init(scope: String, retryAfter: Duration) {
        self.scope = scope
        self.retryAfter = retryAfter
    }
}
