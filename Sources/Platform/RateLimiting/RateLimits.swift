import Foundation
import KeyDerivation
import Metrics
import Postgres

/// Limits that hold over instances and restarts, because they are counted in PostgreSQL. Everything runs in the
/// caller's transaction: what is counted stands or falls with what it was counted for.
///
/// Where the counters themselves fail, `RateLimitsUnavailable` or `PostgresError` is thrown, never "within the limits".
package struct RateLimits: Sendable {
    /// Whether anything is counted at all (`limits.enforce_rates`).
    package let enforced: Bool
    /// The bill's ceiling: all text messages together.
    package let messages: MessageCeiling
    private let postgres: PostgresClient
    private let keys: KeyRing

    /// - Parameters:
    ///   - secret: the service's secrets; subjects are stored under keys derived from them.
    ///   - messageLimits: how many text messages may go out in all.
    package init(
        postgres: PostgresClient, enforced: Bool, secret: some SecretSource,
        messageLimits: MessageCeiling.Limits = MessageCeiling.Limits()
    ) {
        self.postgres = postgres
        self.enforced = enforced
        messages = MessageCeiling(limits: messageLimits, enforced: enforced)
        keys = secret.secrets.keys(for: "dayly rate subjects v1")
    }

    /// Counts one event against every limit, or against none of them when one is used up.
    ///
    /// - Parameter amount: how many events it is at once: all of them are counted, or none.
    /// - Returns: of the exhausted limits, the one that has room last; nil when the event was counted.
    package func take(
        _ tx: PostgresTransaction, _ limits: [RateLimit], amount: Int = 1
    ) throws -> RateLimited? {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty, amount > 0 else { return nil }
        return try guarded {
            let states = states(of: limits, given: try RateCounters.open(tx, subjects), subjects)
            if let refusal = Self.refusal(states, amount: amount) { return refusal }
            try RateCounters.increment(tx, subjects.filter(\.isCurrent), by: amount)
            return nil
        }
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
        return try guarded {
            Self.refusal(
                states(
                    of: limits, given: try tx.query(RateCounters.reading(subjects)).map(RateCounter.init),
                    subjects))
        }
    }

    /// How far each limit is used, in the order in which they are asked for, without a lock.
    package func states(_ tx: PostgresTransaction, of limits: [RateLimit]) throws -> [RateState] {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return [] }
        return try guarded {
            let rows = try tx.query(RateCounters.reading(subjects))
            return states(of: limits, given: try rows.map(RateCounter.init), subjects)
        }
    }

    /// As `exceeded`, by one statement of its own: what a refusal that changes nothing costs.
    package func exceeded(_ limits: [RateLimit]) async throws -> RateLimited? {
        Self.refusal(try await states(of: limits))
    }

    /// How far each limit is used, in the order in which they are asked for.
    package func states(of limits: [RateLimit]) async throws -> [RateState] {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return [] }
        do {
            let rows = try await postgres.query(RateCounters.reading(subjects))
            return states(of: limits, given: try rows.map(RateCounter.init), subjects)
        } catch {
            throw RateLimitsUnavailable(error) ?? error
        }
    }

    /// Locks the counters until the end of the transaction: who judges by them and counts afterwards is alone in it.
    package func hold(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws -> [RateState] {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return [] }
        return try guarded {
            states(of: limits, given: try RateCounters.open(tx, subjects), subjects)
        }
    }

    /// Counts one event, above the limits too: for what has happened already, such as a wrong guess.
    package func count(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return }
        try guarded {
            _ = try RateCounters.open(tx, subjects)
            try RateCounters.increment(tx, subjects.filter(\.isCurrent))
        }
    }

    /// Takes one event back from each limit, for what did not happen after all or turned out to be harmless.
    package func giveBack(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return }
        try guarded { try RateCounters.decrement(tx, subjects.filter(\.isCurrent)) }
    }

    /// Lets the windows that are open end as late as if they began now: a limit that is used up becomes a pause.
    package func prolong(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return }
        try guarded { try RateCounters.prolong(tx, subjects) }
    }

    /// Deletes what no window of the ceiling on text messages reaches any more.
    ///
    /// - Returns: how many rows were deleted.
    package func sweepMessages() async throws -> Int {
        try await MessageTally.sweep(postgres)
    }

    /// Deletes counters whose window has ended.
    ///
    /// - Returns: how many.
    @discardableResult
    package func sweep() async throws -> Int {
        try await RateCounters.deleteEnded(postgres)
    }

    /// The hash of a number or an address in tables that remember it over time: keyed, so that neither can be
    /// found out by trying.
    package func digest(_ subject: String) -> [UInt8] { keys.code(of: Array(subject.utf8)) }

    /// As `digest`, under each secret in force: for looking up what was stored under any of them.
    package func digests(_ subject: String) -> [[UInt8]] { keys.codes(of: Array(subject.utf8)) }

    /// In the order in which every transaction locks them, so that two cannot wait for each other.
    private func subjects(of limits: [RateLimit]) -> [CountedSubject] {
        let subjects = limits.flatMap { limit in
            digests(limit.subject).enumerated().map { place, digest in
                CountedSubject(limit: limit, hash: Self.hexadecimal(digest), isCurrent: place == 0)
            }
        }
        return Set(subjects)
            .sorted { ($0.limit.scope, $0.hash) < ($1.limit.scope, $1.hash) }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// In the order of the limits. The counters of a limit under all secrets are added up. A limit with a window has room
    /// again when the last window in which something was counted ends.
    private func states(
        of limits: [RateLimit], given counters: [RateCounter], _ subjects: [CountedSubject]
    ) -> [RateState] {
        limits.map { limit in
            let own = subjects.filter { $0.limit == limit }
            let found = counters.filter { counter in own.contains(where: counter.matches) }
            let counting = found.filter { $0.used(of: limit) > 0 }
            let remaining = (counting.isEmpty ? found : counting).map(\.remaining)
            return RateState(
                limit: limit, used: found.reduce(0) { $0 + $1.used(of: limit) },
                remaining: limit.refills && !found.isEmpty
                    ? remaining.reduce(.zero, +) : remaining.max())
        }
    }

    private static func refusal(_ states: [RateState], amount: Int = 1) -> RateLimited? {
        var refusal: RateLimited?
        for state in states where state.used + amount > state.limit.limit {
            Counter(label: "dayly_rate_limited_total", dimensions: [("scope", state.limit.scope)]).increment()
            let wait = state.wait(for: amount)
            if wait >= refusal?.retryAfter ?? .zero {
                refusal = RateLimited(state.limit, retryAfter: wait)
            }
        }
        return refusal
    }

    private func guarded<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw RateLimitsUnavailable(error) ?? error
        }
    }
}

extension RateLimitsUnavailable {
    /// Nil for what has a meaning of its own, such as a lost connection or a deadlock, which is tried again.
    init?(_ error: any Error) {
        guard let state = (error as? PostgresError)?.sqlState,
            ["42", "22", "23", "XX"].contains(state.prefix(2))
        else { return nil }
        reason = "PostgreSQL error \(state)"
    }
}
