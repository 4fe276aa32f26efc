import Metrics
import Postgres

/// The bill's ceiling: how many text messages go out in any minute and any day, over all instances, whoever asked for
/// them, with parts of it kept apart (`MessageShares`). Not exceeded by one message: who takes from it holds a lock until
/// the end of the transaction. So take from it last, when everything else is decided.
///
/// The windows slide, by whole seconds in a minute and by whole minutes in a day.
package struct MessageCeiling: Sendable {
    package struct Limits: Sendable {
        package var perMinute = 300
        package var perDay = 10_000
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
        package var scope: String { "messages.\(rawValue)" }
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

    /// Takes as many messages of `count` as there is room for.
    ///
    /// - Throws: `RateLimited` when there is room for none.
    package func take(
        _ tx: PostgresTransaction, upTo count: Int, for purpose: MessagePurpose
    ) throws -> Int {
        guard enforced, count > 0 else { return count }
        do {
            guard try tx.first("SELECT the_only FROM message_ceiling FOR UPDATE") != nil else {
                throw RateLimitsUnavailable(reason: "message_ceiling has no row")
            }
            // Only now: a statement sees what was committed before it began.
            let counts = try counts(tx, for: purpose)
            if let refusal = try refusal(tx, of: purpose, beside: counts) { throw refusal }
            let granted = counts.map { shares($0).room(for: purpose, beside: $1) }.reduce(count, min)
            try add(granted, purpose, tx)
            return granted
        } catch {
            throw RateLimitsUnavailable(error) ?? error
        }
    }

    /// Takes one.
    ///
    /// - Throws: `RateLimited`.
    package func takeOne(_ tx: PostgresTransaction, for purpose: MessagePurpose) throws {
        _ = try take(tx, upTo: 1, for: purpose)
    }

    /// Whether there is room for none, without a lock and without counting.
    package func exceeded(_ tx: PostgresTransaction, for purpose: MessagePurpose) throws -> RateLimited? {
        guard enforced else { return nil }
        return try refusal(tx, of: purpose, beside: try counts(tx, for: purpose))
    }

    private func refusal(
        _ tx: PostgresTransaction, of purpose: MessagePurpose, beside counts: [Span: MessageCount]
    ) throws -> RateLimited? {
        let refusals = try counts.compactMap { span, count -> RateLimited? in
            let shares = shares(span)
            guard let (suffix, limit) = shares.exhausted(by: purpose, beside: count) else { return nil }
            let scope = span.scope + suffix
            Counter(label: "dayly_rate_limited_total", dimensions: [("scope", scope)]).increment()
            let buckets = try tx.query(MessageTally.buckets(span, purpose)).map(MessageTally.Bucket.init)
            return RateLimited(
                scope: scope, limit: limit, per: span.length,
                retryAfter: Self.wait(for: purpose, span, shares, count, buckets))
        }
        return refusals.max { $0.retryAfter < $1.retryAfter }
    }

    /// Until so many of the oldest buckets have left the window that there is room for one.
    static func wait(
        for purpose: MessagePurpose, _ span: Span, _ shares: MessageShares, _ count: MessageCount,
        _ buckets: [MessageTally.Bucket]
    ) -> Duration {
        var left = count
        for bucket in buckets {
            left = left - bucket.count
            if shares.room(for: purpose, beside: left) > 0 {
                return .seconds(max(0, span.length / .seconds(1) + span.unitSeconds - bucket.age))
            }
        }
        return span.length
    }

    private func counts(_ tx: PostgresTransaction, for purpose: MessagePurpose) throws -> [Span: MessageCount]
    {
        let rows = try tx.query(MessageTally.sums(purpose))
        let counts = try rows.map { (try MessageTally.span($0), try MessageCount($0)) }
        guard counts.count == Span.allCases.count else { throw RateLimitsUnavailable(reason: "no sums") }
        return Dictionary(counts) { first, _ in first }
    }

    private func add(_ count: Int, _ purpose: MessagePurpose, _ tx: PostgresTransaction) throws {
        try tx.execute(MessageTally.adding(count))
        if let part = purpose.part {
            try tx.execute(MessageTally.adding(count, to: part, callingCode: purpose.callingCode))
        }
    }
}

extension MessageCeiling {
    /// How a window, or a part of it, stands.
    package struct State: Sendable {
        package let scope: String
        package let used: Int
        package let limit: Int
        /// Until there is room again, where this is what leaves none.
        package let freeIn: Duration?
    }

    /// How the windows and the parts of them that a message of this purpose needs stand.
    package func states(_ postgres: PostgresClient, for purpose: MessagePurpose) async throws -> [State] {
        try await postgres.transaction { tx in
            let counts = try counts(tx, for: purpose)
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
        _ span: Span, _ purpose: MessagePurpose, _ count: MessageCount, exhausted: String?
    ) -> [(scope: String, used: Int, limit: Int)] {
        let shares = shares(span)
        var parts = [(scope: span.scope, used: count.total, limit: shares.ceiling)]
        switch purpose {
        case .knownCode: break
        case .invitation:
            parts.append((span.scope + ".invitations", count.invitations, shares.invitations))
        case .strangerCode:
            parts.append((span.scope + ".strangers", count.strangers, shares.strangers))
            let ofCode = span.scope + ".calling_code"
            if exhausted == ofCode { parts.append((ofCode, count.toCallingCode, count.toCallingCode)) }
        }
        return parts
    }
}
