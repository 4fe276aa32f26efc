import Foundation
import KeyDerivation
import Metrics
import Postgres

/// Limits that hold across processes and restarts, because PostgreSQL counts them. Counting runs in the caller's
/// transaction: when that is rolled back, the counted event is too.
///
/// When the counters themselves fail, these functions throw `RateLimitsUnavailable` or `PostgresError`. They never
/// report a failure as "within the limits".
package struct RateLimits: Sendable {
    /// Whether the service counts at all (`limits.enforce_rates`).
    package let enforced: Bool
    /// The ceiling on all text messages together.
    package let messages: MessageCeiling
    private let postgres: PostgresClient
    private let counters: RateCounterStore
    private let keys: KeyRing

    /// - Parameters:
    ///   - secret: the service's secrets. The database stores subjects under keys derived from them.
    ///   - messageLimits: the number of text messages that the service may send in all.
    package init(
        postgres: PostgresClient, enforced: Bool, secret: some SecretSource,
        messageLimits: MessageCeiling.Limits = MessageCeiling.Limits()
    ) {
        self.postgres = postgres
        counters = RateCounterStore(postgres: postgres)
        self.enforced = enforced
        messages = MessageCeiling(limits: messageLimits, enforced: enforced)
        keys = secret.secrets.keys(for: "dayly rate subjects v1")
    }

    /// Counts an event against every limit, or against none of them when one is used up.
    ///
    /// - Parameter amount: the number of events. All of them are counted, or none.
    /// - Returns: of the exhausted limits, the one with the longest wait; nil when the events were counted.
    package func take(
        _ tx: PostgresTransaction, _ limits: [RateLimit], amount: Int = 1
    ) throws -> RateLimited? {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty, amount > 0 else { return nil }
        return try guarded {
            let states = states(of: limits, given: try counters.requireLocked(tx, subjects), subjects)
            if let refusal = Self.refusal(states, amount: amount) { return refusal }
            try counters.increment(tx, subjects.filter(\.isCurrent), by: amount)
            return nil
        }
    }

    /// As `take`, for callers whose transaction a refusal should roll back.
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

    /// Says which of the limits is used up, without counting.
    package func exceeded(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws -> RateLimited? {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return nil }
        return try guarded {
            Self.refusal(states(of: limits, given: try counters.find(tx, subjects), subjects))
        }
    }

    /// The state of each limit, in the order of `limits`, without a lock.
    package func states(_ tx: PostgresTransaction, of limits: [RateLimit]) throws -> [RateState] {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return [] }
        return try guarded {
            states(of: limits, given: try counters.find(tx, subjects), subjects)
        }
    }

    /// As `exceeded`, by one statement outside a transaction, so that a refusal that changes nothing is cheap.
    package func exceeded(_ limits: [RateLimit]) async throws -> RateLimited? {
        Self.refusal(try await states(of: limits))
    }

    /// The state of each limit, in the order of `limits`.
    package func states(of limits: [RateLimit]) async throws -> [RateState] {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return [] }
        do {
            return states(of: limits, given: try await counters.find(subjects), subjects)
        } catch {
            throw RateLimitsUnavailable(error) ?? error
        }
    }

    /// Locks the counters until the end of the transaction, so that the caller can decide by their state and count
    /// afterwards without a race.
    package func requireLocked(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws -> [RateState] {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return [] }
        return try guarded {
            states(of: limits, given: try counters.requireLocked(tx, subjects), subjects)
        }
    }

    /// Counts one event even when a limit is used up, for an event that has already happened, such as a wrong guess.
    package func count(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return }
        try guarded {
            _ = try counters.requireLocked(tx, subjects)
            try counters.increment(tx, subjects.filter(\.isCurrent))
        }
    }

    /// Takes one event back from each limit, for an event that did not happen after all or was harmless.
    package func giveBack(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return }
        try guarded { try counters.decrement(tx, subjects.filter(\.isCurrent)) }
    }

    /// Makes the open windows end as late as if they began now. It turns a used-up limit into a pause.
    package func prolong(_ tx: PostgresTransaction, _ limits: [RateLimit]) throws {
        let subjects = subjects(of: limits)
        guard enforced, !subjects.isEmpty else { return }
        try guarded { try counters.prolong(tx, subjects) }
    }

    /// Deletes tallies of text messages that are too old for every window of the ceiling.
    ///
    /// - Returns: the number of deleted rows.
    package func sweepMessages() async throws -> Int {
        try await MessageTallyStore.sweep(postgres)
    }

    /// Deletes counters whose window has ended.
    ///
    /// - Returns: the number of deleted counters.
    @discardableResult
    package func sweep() async throws -> Int {
        try await counters.deleteEnded()
    }

    /// The keyed digest of a phone number or an address, for tables that remember it over time. Without the key nobody
    /// can find the number out by trying all numbers.
    package func digest(_ subject: String) -> [UInt8] { keys.code(of: Array(subject.utf8)) }

    /// As `digest`, under each secret in force: for looking up rows that were stored under any of them.
    package func digests(_ subject: String) -> [[UInt8]] { keys.codes(of: Array(subject.utf8)) }

    /// Sorted, so that all transactions lock counters in the same order and cannot deadlock.
    private func subjects(of limits: [RateLimit]) -> [CountedSubject] {
        let subjects = limits.flatMap { limit in
            digests(limit.subject).enumerated().map { place, digest in
                CountedSubject(limit: limit, hash: Self.hexadecimal(digest), isCurrent: place == 0)
            }
        }
        return Set(subjects)
            .sorted { ($0.limit.scope.name, $0.hash) < ($1.limit.scope.name, $1.hash) }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// The states in the order of `limits`. The counters of one limit under all secrets in force are added up. A limit
    /// with a window has room again when the last of its windows that counted an event ends.
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
            Counter(label: "dayly_rate_limited_total", dimensions: [("scope", state.limit.scope.name)])
                .increment()
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
    /// Nil for errors that have a meaning of their own, such as a lost connection, or a deadlock, which is retried.
    init?(_ error: any Error) {
        guard let state = (error as? PostgresError)?.sqlState,
            ["42", "22", "23", "XX"].contains(state.prefix(2))
        else { return nil }
        reason = "PostgreSQL error \(state)"
    }
}
