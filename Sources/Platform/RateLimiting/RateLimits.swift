import Crypto
import Foundation
import Metrics
import Postgres

/// Limits that hold over instances and restarts, because they are counted in PostgreSQL. Everything runs in the
/// caller's transaction: what is counted stands or falls with what it was counted for.
package struct RateLimits: Sendable {
    /// Whether anything is counted at all (`limits.enforce_rates`).
    package let enforced: Bool
    private let postgres: PostgresClient
    private let key: SymmetricKey

    /// - Parameter secret: the service's secret; subjects are stored under a key derived from it.
    package init(postgres: PostgresClient, enforced: Bool, secret: [UInt8]) {
        self.postgres = postgres
        self.enforced = enforced
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("dayly rate subjects v1".utf8),
            outputByteCount: 32)
    }

    /// Counts one event against every limit, or against none of them when one is used up.
    ///
    /// - Parameter amount: how many events it is at once: all of them are counted, or none.
    /// - Returns: the limit that lets go last among those used up; nil when the event was counted.
    package func take(
        _ tx: PostgresTransaction, _ limits: [RateLimit], amount: Int = 1
    ) throws -> RateLimited? {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty, amount > 0 else { return nil }
        let counters = try RateCounters.open(tx, subjects)
        if let refusal = refusal(of: subjects, given: counters, amount: amount) { return refusal }
        try RateCounters.increment(tx, subjects, by: amount)
        return nil
    }

    /// As `take`, for callers whose transaction should be undone.
    ///
    /// - Throws: `RateLimited`.
    package func check(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws {
        if let refusal = try take(tx, limits) { throw refusal }
    }

    /// As `check`, in a transaction of its own.
    package func check(_ limits: [RateLimit]) async throws {
        guard enforced else { return }
        if let refusal = try await postgres.transaction({ try take($0, limits) }) { throw refusal }
    }

    /// Whether one of the limits is used up, without counting.
    package func exceeded(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws -> RateLimited? {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return nil }
        return refusal(of: subjects, given: try RateCounters.read(tx, subjects))
    }

    /// Counts one event, above the limits too: for what has happened already, such as a wrong guess.
    package func count(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return }
        _ = try RateCounters.open(tx, subjects)
        try RateCounters.increment(tx, subjects)
    }

    /// Deletes counters whose window has ended.
    ///
    /// - Returns: how many.
    @discardableResult
    package func sweep() async throws -> Int {
        try await RateCounters.deleteEnded(postgres)
    }

    /// In the order in which every transaction locks them, so that two cannot wait for each other.
    private func subjects(of limits: [RateLimit]) -> [CountedSubject] {
        Set(limits.map { CountedSubject(limit: $0, hash: hash($0.subject)) })
            .sorted { ($0.limit.scope, $0.hash) < ($1.limit.scope, $1.hash) }
    }

    private func hash(_ subject: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Array(subject.utf8), using: key)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            .joined()
    }

    private func refusal(
        of subjects: [CountedSubject], given counters: [RateCounter], amount: Int = 1
    ) -> RateLimited? {
        var refusal: RateLimited?
        for subject in subjects {
            guard let counter = counters.first(where: { $0.matches(subject) }),
                counter.used + amount > subject.limit.limit
            else { continue }
            Counter(label: "dayly_rate_limited_total", dimensions: [("scope", subject.limit.scope)])
                .increment()
            if counter.remaining > refusal?.retryAfter ?? .zero {
                refusal = RateLimited(scope: subject.limit.scope, retryAfter: counter.remaining)
            }
        }
        return refusal
    }
}
