import Postgres

/// The messages of one second or one minute.
struct MessageBucket {
    let age: Double
    let count: MessageCount

    init(age: Double, count: MessageCount) {
        self.age = age
        self.count = count
    }

    init(_ row: PostgresRow) throws {
        self.init(age: try row.get("age"), count: try MessageCount(row))
    }
}

/// All SQL about the tally of text messages. Functions that take a transaction need no client of their own.
enum MessageTallyStore {
    /// Locks the ceiling's one row.
    static func requireLocked(_ tx: PostgresTransaction) throws {
        guard try tx.first("SELECT the_only FROM message_ceiling FOR UPDATE") != nil else {
            throw RateLimitsUnavailable(reason: "message_ceiling has no row")
        }
    }

    /// The messages in each window.
    static func counts(
        _ tx: PostgresTransaction, for purpose: MessagePurpose
    ) throws -> [MessageCeiling.Span: MessageCount] {
        let counts = try tx.query(sums(purpose)).map { (try span($0), try MessageCount($0)) }
        guard counts.count == MessageCeiling.Span.allCases.count else {
            throw RateLimitsUnavailable(reason: "no sums")
        }
        return Dictionary(counts) { first, _ in first }
    }

    /// The buckets of a window, oldest first.
    static func buckets(
        _ tx: PostgresTransaction, _ span: MessageCeiling.Span, _ purpose: MessagePurpose
    ) throws -> [MessageBucket] {
        try tx.query(buckets(span, purpose)).map(MessageBucket.init)
    }

    static func add(_ tx: PostgresTransaction, _ count: Int, for purpose: MessagePurpose) throws {
        try tx.execute(adding(count))
        if let part = purpose.part {
            try tx.execute(adding(count, to: part, callingCode: purpose.callingCode))
        }
    }

    private static func span(_ row: PostgresRow) throws -> MessageCeiling.Span {
        guard let span = MessageCeiling.Span(rawValue: try row.get("span")) else {
            throw RateLimitsUnavailable(reason: "no span")
        }
        return span
    }

    private static func sums(_ purpose: MessagePurpose) -> SQL {
        let (minute, day) = (sums(.minute, purpose), sums(.day, purpose))
        return "\(fragment: minute) UNION ALL \(fragment: day)"
    }

    private static func sums(_ span: MessageCeiling.Span, _ purpose: MessagePurpose) -> SQL {
        """
        SELECT \(span.rawValue)::text AS span,
            (SELECT coalesce(sum(sent), 0)::bigint FROM message_tally WHERE \(fragment: within(span))) AS total,
            \(fragment: parts(purpose))
        FROM message_parts
        WHERE \(fragment: within(span))
        """
    }

    private static func buckets(_ span: MessageCeiling.Span, _ purpose: MessagePurpose) -> SQL {
        """
        SELECT extract(epoch FROM statement_timestamp() - bucket)::float8 AS age, tally.total,
            coalesce(parts.strangers, 0) AS strangers, coalesce(parts.to_calling_code, 0) AS to_calling_code,
            coalesce(parts.invitations, 0) AS invitations
        FROM (
            SELECT bucket, sent::bigint AS total FROM message_tally WHERE \(fragment: within(span))
        ) AS tally
        LEFT JOIN (
            SELECT bucket, \(fragment: parts(purpose))
            FROM message_parts
            WHERE \(fragment: within(span))
            GROUP BY bucket
        ) AS parts USING (bucket)
        ORDER BY bucket
        """
    }

    private static func parts(_ purpose: MessagePurpose) -> SQL {
        """
        coalesce(sum(sent) FILTER (WHERE part = 'stranger'), 0)::bigint AS strangers,
        coalesce(sum(sent) FILTER (WHERE part = 'stranger' AND calling_code = \(purpose.callingCode)), 0)::bigint
            AS to_calling_code,
        coalesce(sum(sent) FILTER (WHERE part = 'invitation'), 0)::bigint AS invitations
        """
    }

    /// A bucket counts until its last moment is older than the window. So it counts too long rather than too short. One that lies
    /// ahead was filled by a clock that was ahead.
    private static func within(_ span: MessageCeiling.Span) -> SQL {
        """
        unit = \(span.unit)
        AND bucket > statement_timestamp() - \(span.length + .seconds(span.unitSeconds))
        AND bucket < statement_timestamp() + interval '10 minutes'
        """
    }

    private static func adding(_ count: Int) -> SQL {
        """
        INSERT INTO message_tally AS tally (unit, bucket, sent)
        VALUES
            ('second', date_trunc('second', statement_timestamp()), \(count)::integer),
            ('minute', date_trunc('minute', statement_timestamp()), \(count)::integer)
        ON CONFLICT (unit, bucket) DO UPDATE SET sent = tally.sent + excluded.sent
        """
    }

    private static func adding(_ count: Int, to part: String, callingCode: Int) -> SQL {
        """
        INSERT INTO message_parts AS tally (unit, bucket, part, calling_code, sent)
        SELECT unit, date_trunc(unit, statement_timestamp()), \(part), \(callingCode)::integer, \(count)::integer
        FROM unnest('{second,minute}'::text[]) AS unit
        ON CONFLICT (unit, bucket, part, calling_code) DO UPDATE SET sent = tally.sent + excluded.sent
        """
    }

    /// Deletes buckets that are too old for every window.
    static func sweep(_ postgres: PostgresClient) async throws -> Int {
        let tables: [SQL] = ["message_tally", "message_parts"]
        var deleted = 0
        for table in tables {
            deleted += try await postgres.executeInBatches { batch in
                """
                DELETE FROM \(fragment: table)
                WHERE ctid IN (
                    SELECT ctid FROM \(fragment: table)
                    WHERE (unit = 'second' AND bucket < now() - interval '5 minutes')
                        OR (unit = 'minute' AND bucket < now() - interval '25 hours')
                    LIMIT \(batch)
                    FOR UPDATE SKIP LOCKED)
                """
            }
        }
        return deleted
    }
}

extension MessageCount {
    init(_ row: PostgresRow) throws {
        self.init(
            total: try row.get("total"), strangers: try row.get("strangers"),
            toCallingCode: try row.get("to_calling_code"), invitations: try row.get("invitations"))
    }
}
