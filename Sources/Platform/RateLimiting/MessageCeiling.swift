import Metrics
import Postgres
import Settings

/// The ceiling on the service's bill: the number of text messages that all processes together send in any minute and in
/// any day. It keeps parts of itself for different purposes (`MessageShares`).
///
/// The ceiling is exact: taking from it locks one row until the end of the transaction. So take from it last, when
/// everything else is decided. The windows slide, by whole seconds within a minute and by whole minutes within a day.
package struct MessageCeiling: Sendable {
    package struct Limits: SettingGroup {
        @Setting(
            "sms.limits.per_minute", .number(1...1_000_000), default: "300",
            "All text messages in a minute, over all processes. A third is kept for people who verified "
                + "their number from the same address before, at most a quarter is for invitations, the "
                + "rest is for other codes; of that, one calling code gets at most four fifths, unless "
                + "`sms.countries` has only one."
        )
        package var perMinute: Int

        @Setting(
            "sms.limits.per_day", .number(1...1_000_000), default: "10000",
            "The same in a day. Beyond it codes are refused, and invitations are made without an SMS.")
        package var perDay: Int

        /// Whether only one calling code is served, so that none needs protection from another.
        package var isForOneCallingCode = false

        package init() {}
    }

    /// One of the two windows.
    package enum Span: String, Sendable, CaseIterable {
        case minute, day

        package var length: Duration { self == .minute ? .seconds(60) : .seconds(86_400) }
        var unit: String { self == .minute ? "second" : "minute" }
        var unitSeconds: Double { self == .minute ? 1 : 60 }
        package var scope: RateScope { scope(suffix: "") }
        func scope(suffix: String) -> RateScope { RateScope("messages.\(rawValue)\(suffix)", isShared: true) }
    }

    package let limits: Limits
    let enforced: Bool

    package init(limits: Limits, enforced: Bool) {
        self.limits = limits
        self.enforced = enforced
    }

    func shares(_ span: Span) -> MessageShares {
        MessageShares(
            ceiling: span == .minute ? limits.perMinute : limits.perDay,
            isDividedByCallingCode: !limits.isForOneCallingCode)
    }

    /// Takes up to `count` messages, as many as there is room for.
    ///
    /// - Returns: the number of messages taken.
    /// - Throws: `RateLimited` when there is no room.
    package func take(
        _ tx: PostgresTransaction, upTo count: Int, for purpose: MessagePurpose
    ) throws -> Int {
        guard enforced, count > 0 else { return count }
        do {
            try MessageTallyStore.requireLocked(tx)
            // Count in a statement after the lock, because a statement sees only what was committed before it began.
            let counts = try MessageTallyStore.counts(tx, for: purpose)
            if let refusal = try refusal(tx, of: purpose, beside: counts) { throw refusal }
            let granted = counts.map { shares($0).room(for: purpose, beside: $1) }.reduce(count, min)
            try MessageTallyStore.add(tx, granted, for: purpose)
            return granted
        } catch {
            throw RateLimitsUnavailable(error) ?? error
        }
    }

    /// Takes one message.
    ///
    /// - Throws: `RateLimited`.
    package func takeOne(_ tx: PostgresTransaction, for purpose: MessagePurpose) throws {
        _ = try take(tx, upTo: 1, for: purpose)
    }

    /// The messages in both windows.
    package struct Use: Sendable {
        fileprivate let counts: [Span: MessageCount]
        /// How much of the fuller window's parts for the purpose is used, from 0 to 1.
        package let share: Double
    }

    package func use(_ tx: PostgresTransaction, for purpose: MessagePurpose) throws -> Use {
        let counts = enforced ? try MessageTallyStore.counts(tx, for: purpose) : [:]
        return Use(
            counts: counts, share: counts.map { shares($0).use(of: purpose, beside: $1) }.max() ?? 0)
    }

    /// The refusal when there is no room. It neither locks nor counts.
    ///
    /// - Parameter share: nil: there must be room for a message; otherwise less than this much must be used.
    package func exceeded(
        _ tx: PostgresTransaction, for purpose: MessagePurpose, given use: Use, beyond share: Double? = nil
    ) throws -> RateLimited? {
        try refusal(tx, of: purpose, beside: use.counts, beyond: share)
    }

    private func refusal(
        _ tx: PostgresTransaction, of purpose: MessagePurpose, beside counts: [Span: MessageCount],
        beyond share: Double? = nil
    ) throws -> RateLimited? {
        let refusals = try counts.compactMap { span, count -> RateLimited? in
            let shares = shares(span)
            func isFree(_ count: MessageCount) -> Bool {
                guard let share else { return shares.room(for: purpose, beside: count) > 0 }
                return shares.use(of: purpose, beside: count) < share
            }
            guard !isFree(count) else { return nil }
            let (suffix, limit) = shares.scarcest(for: purpose, beside: count)
            let scope = span.scope(suffix: suffix)
            Counter(label: "dayly_rate_limited_total", dimensions: [("scope", scope.name)]).increment()
            let buckets = try MessageTallyStore.buckets(tx, span, purpose)
            return RateLimited(
                scope: scope, limit: limit, per: span.length,
                retryAfter: Self.wait(span, count, buckets, until: isFree))
        }
        return refusals.max { $0.retryAfter < $1.retryAfter }
    }

    /// The time until enough of the oldest buckets have left the window.
    static func wait(
        _ span: Span, _ count: MessageCount, _ buckets: [MessageBucket],
        until isFree: (MessageCount) -> Bool
    ) -> Duration {
        var left = count
        for bucket in buckets {
            left = left - bucket.count
            if isFree(left) {
                return .seconds(max(0, span.length / .seconds(1) + span.unitSeconds - bucket.age))
            }
        }
        return span.length
    }

}

extension MessageCeiling {
    /// The use of a window, or of a part of it.
    package struct State: Sendable {
        package let scope: RateScope
        package let used: Int
        package let limit: Int
        /// The time until there is room again; nil unless this part is the one that is used up.
        package let freeIn: Duration?
    }

    /// The use of both windows, and of the parts of them that a message of this purpose needs.
    package func states(_ postgres: PostgresClient, for purpose: MessagePurpose) async throws -> [State] {
        try await postgres.transaction { tx in
            let counts = try MessageTallyStore.counts(tx, for: purpose)
            return try Span.allCases.flatMap { span -> [State] in
                guard let count = counts[span] else { return [] }
                let refusal = try refusal(tx, of: purpose, beside: [span: count])
                return parts(span, purpose, count, exhausted: refusal?.scope).map { scope, used, limit in
                    State(
                        scope: scope, used: used, limit: limit,
                        freeIn: scope == refusal?.scope ? refusal?.retryAfter : nil)
                }
            }
        }
    }

    private func parts(
        _ span: Span, _ purpose: MessagePurpose, _ count: MessageCount, exhausted: RateScope?
    ) -> [(scope: RateScope, used: Int, limit: Int)] {
        let shares = shares(span)
        var parts = [(scope: span.scope, used: count.total, limit: shares.ceiling)]
        switch purpose {
        case .knownCode: break
        case .invitation:
            parts.append((span.scope(suffix: ".invitations"), count.invitations, shares.invitations))
        case .strangerCode:
            parts.append((span.scope(suffix: ".strangers"), count.strangers, shares.strangers))
            let ofCode = span.scope(suffix: ".calling_code")
            if exhausted == ofCode { parts.append((ofCode, count.toCallingCode, count.toCallingCode)) }
        }
        return parts
    }
}
