import Metrics
import Postgres

/// The bill's ceiling: how many text messages go out in any minute and any day, over all instances, whoever asked for
/// them. Not exceeded by one message: who takes from it holds a lock until the end of the transaction. So take from it
/// last, when everything else is decided.
///
/// The windows slide, by whole seconds in a minute and by whole minutes in a day.
package struct MessageCeiling: Sendable {
    package struct Limits: Sendable {
        package var perMinute = 300
        package var perDay = 10_000

        package init() {}
    }

    /// One of the two windows.
    package enum Span: String, Sendable, CaseIterable {
        case minute, day

        package var length: Duration { self == .minute ? .seconds(60) : .seconds(86_400) }
        fileprivate var unit: String { self == .minute ? "second" : "minute" }
        fileprivate var unitSeconds: Double { self == .minute ? 1 : 60 }
        package var scope: String { "messages.\(rawValue)" }
    }

    package let limits: Limits
    let enforced: Bool

    package func limit(_ span: Span) -> Int { span == .minute ? limits.perMinute : limits.perDay }

    /// Takes as many messages of `count` as there is room for.
    ///
    /// - Throws: `RateLimited` when there is room for none.
    package func take(_ tx: PostgresTransaction, upTo count: Int) throws -> Int {
        guard enforced, count > 0 else { return count }
        do {
            guard try tx.first("SELECT the_only FROM message_ceiling FOR UPDATE") != nil else {
                throw RateLimitsUnavailable(reason: "message_ceiling has no row")
            }
            // Only now: a statement sees what was committed before it began.
            if let refusal = try exceeded(tx) { throw refusal }
            let sums = try sums(tx)
            let granted = min(count, limits.perMinute - sums.minute, limits.perDay - sums.day)
            try add(granted, tx)
            return granted
        } catch {
            throw RateLimitsUnavailable(error) ?? error
        }
    }

    /// Takes one.
    ///
    /// - Throws: `RateLimited`.
    package func takeOne(_ tx: PostgresTransaction) throws {
        _ = try take(tx, upTo: 1)
    }

    /// Whether there is room for none, without a lock and without counting.
    package func exceeded(_ tx: PostgresTransaction) throws -> RateLimited? {
        guard enforced else { return nil }
        let sums = try sums(tx)
        let spent = Span.allCases.filter { (span: Span) in
            (span == .minute ? sums.minute : sums.day) >= limit(span)
        }
        let refusals = try spent.map { span in
            Counter(label: "dayly_rate_limited_total", dimensions: [("scope", span.scope)]).increment()
            return RateLimited(
                scope: span.scope, limit: limit(span), per: span.length,
                retryAfter: Self.wait(
                    for: limit(span), span, try tx.query(Self.buckets(span)).map(Bucket.init)))
        }
        return refusals.max { $0.retryAfter < $1.retryAfter }
    }

    /// What was sent within each window, and how long until there is room again where there is none.
    package func states(_ postgres: PostgresClient) async throws -> [(
        span: Span, used: Int, freeIn: Duration?
    )] {
        var states: [(span: Span, used: Int, freeIn: Duration?)] = []
        for span in Span.allCases {
            let buckets = try await postgres.query(Self.buckets(span)).map(Bucket.init)
            let used = buckets.reduce(0) { $0 + $1.sent }
            states.append(
                (span, used, used < limit(span) ? nil : Self.wait(for: limit(span), span, buckets)))
        }
        return states
    }

    private func sums(_ tx: PostgresTransaction) throws -> (minute: Int, day: Int) {
        let row = try tx.first(
            """
            SELECT
                (SELECT coalesce(sum(sent), 0)::bigint FROM message_tally WHERE \(fragment: Self.within(.minute)))
                    AS in_minute,
                (SELECT coalesce(sum(sent), 0)::bigint FROM message_tally WHERE \(fragment: Self.within(.day)))
                    AS in_day
            """)
        guard let row else { throw RateLimitsUnavailable(reason: "no sums") }
        return (try row.get("in_minute"), try row.get("in_day"))
    }

    private func add(_ count: Int, _ tx: PostgresTransaction) throws {
        try tx.execute(
            """
            INSERT INTO message_tally AS tally (unit, bucket, sent)
            VALUES
                ('second', date_trunc('second', statement_timestamp()), \(count)::integer),
                ('minute', date_trunc('minute', statement_timestamp()), \(count)::integer)
            ON CONFLICT (unit, bucket) DO UPDATE SET sent = tally.sent + excluded.sent
            """)
    }

    /// A bucket counts until the last moment of it is a window's length ago: rather too long than too short.
    private static func within(_ span: Span) -> SQL {
        """
        unit = \(span.unit)
        AND bucket > statement_timestamp() - make_interval(secs => \(span.length / .seconds(1) + span.unitSeconds))
        """
    }

    private static func buckets(_ span: Span) -> SQL {
        """
        SELECT sent::bigint AS sent, extract(epoch FROM statement_timestamp() - bucket)::float8 AS age
        FROM message_tally
        WHERE \(fragment: within(span))
        ORDER BY bucket
        """
    }

    private struct Bucket {
        let sent: Int
        let age: Double

        init(_ row: PostgresRow) throws {
            sent = try row.get("sent")
            age = try row.get("age")
        }
    }

    /// Until so many of the oldest buckets have left the window that there is room for one.
    private static func wait(for limit: Int, _ span: Span, _ buckets: [Bucket]) -> Duration {
        var left = buckets.reduce(0) { $0 + $1.sent }
        for bucket in buckets {
            left -= bucket.sent
            guard left >= limit else {
                return .seconds(max(0, span.length / .seconds(1) + span.unitSeconds - bucket.age))
            }
        }
        return span.length
    }

    /// Deletes what no window reaches any more.
    static func sweep(_ postgres: PostgresClient) async throws {
        try await postgres.execute(
            """
            DELETE FROM message_tally
            WHERE bucket < now() - CASE unit
                WHEN 'second' THEN interval '5 minutes' ELSE interval '25 hours' END
            """)
    }
}
