import Postgres

/// A limit with its subject as the database stores it.
struct CountedSubject: Hashable {
    let limit: RateLimit
    /// Hexadecimal.
    let hash: String
    /// Whether the hash was made with the first of the secrets in force. Only that counter counts new events. Counters
    /// under previous secrets are added to it until their windows end.
    let isCurrent: Bool
}

/// The state of a counter whose window is open.
struct RateCounter {
    let scope: String
    let hash: String
    let used: Int
    let remaining: Duration

    init(_ row: PostgresRow) throws {
        scope = try row.get("scope")
        hash = try row.get("hash")
        used = try row.get("used")
        remaining = .seconds(try row.get("remaining", as: Double.self))
    }

    func matches(_ subject: CountedSubject) -> Bool {
        scope == subject.limit.scope.name && hash == subject.hash
    }

    /// The number of events that count against the limit.
    func used(of limit: RateLimit) -> Int {
        guard limit.refills else { return used }
        // An event counts in full until its whole interval has passed. A difference below a microsecond is rounding.
        return max(0, Int((remaining / limit.interval - 1e-6).rounded(.up)))
    }
}

/// All SQL about `rate_counters`.
///
/// A counter with a window keeps its count in `used`. A counter that refills keeps no count: each event moves its
/// `window_ends_at` ahead by one interval, and the time from now to `window_ends_at` says how many events count (the
/// "generic cell rate algorithm" of ATM networks).
///
/// A window that ends later than one that began now was opened by a clock that was ahead, and counts as ended. Otherwise people
/// would be shut out until the clock has reached that time.
struct RateCounterStore: Sendable {
    /// By how much an end may be later: the transaction that set it may have begun later than one that waited for it.
    private static let tolerance: Duration = .seconds(600)

    let postgres: PostgresClient

    /// Locks the counters. Creates those that do not exist, and restarts those whose window has ended.
    func requireLocked(_ tx: PostgresTransaction, _ subjects: [CountedSubject]) throws -> [RateCounter] {
        let ended: SQL = """
            NOT (SELECT \(fragment: Self.isOpen) FROM wanted
                WHERE wanted.scope = counter.scope AND decode(wanted.hash, 'hex') = counter.subject)
            """
        return try tx.query(
            """
            WITH wanted AS MATERIALIZED (SELECT * FROM \(fragment: Self.wanted(subjects)))
            INSERT INTO rate_counters AS counter (scope, subject, used, window_ends_at)
            SELECT wanted.scope, decode(wanted.hash, 'hex'), 0,
                now() + make_interval(secs => CASE WHEN wanted.refills THEN 0 ELSE wanted.seconds END)
            FROM wanted
            ORDER BY wanted.scope, wanted.hash
            ON CONFLICT (scope, subject) DO UPDATE SET
                used = CASE WHEN \(fragment: ended) THEN 0 ELSE counter.used END,
                window_ends_at = CASE
                    WHEN \(fragment: ended)
                        OR (counter.used = 0 AND excluded.window_ends_at > counter.window_ends_at)
                        THEN excluded.window_ends_at
                    ELSE counter.window_ends_at
                END
            RETURNING scope, encode(subject, 'hex') AS hash, used,
                extract(epoch FROM window_ends_at - now())::float8 AS remaining
            """
        ).map(RateCounter.init)
    }

    func increment(_ tx: PostgresTransaction, _ subjects: [CountedSubject], by amount: Int = 1) throws {
        try tx.execute(
            """
            UPDATE rate_counters AS counter
            SET used = CASE WHEN wanted.refills THEN 0 ELSE counter.used + \(amount)::integer END,
                window_ends_at = CASE
                    WHEN wanted.refills THEN least(
                        greatest(counter.window_ends_at, now())
                            + make_interval(secs => wanted.step * \(amount)::integer),
                        now() + make_interval(secs => wanted.seconds))
                    ELSE counter.window_ends_at
                END
            FROM \(fragment: Self.wanted(subjects))
            WHERE counter.scope = wanted.scope AND counter.subject = decode(wanted.hash, 'hex')
            """)
    }

    /// Takes one event back from each counter that has counted one.
    func decrement(_ tx: PostgresTransaction, _ subjects: [CountedSubject]) throws {
        try tx.execute(
            """
            UPDATE rate_counters AS counter
            SET used = greatest(0, counter.used - 1),
                window_ends_at = CASE
                    WHEN held.refills THEN counter.window_ends_at - make_interval(secs => held.step)
                    ELSE counter.window_ends_at
                END
            FROM (
                SELECT counter.scope, counter.subject, wanted.refills, wanted.step
                FROM \(fragment: Self.wanted(subjects))
                JOIN rate_counters counter
                    ON counter.scope = wanted.scope AND counter.subject = decode(wanted.hash, 'hex')
                WHERE counter.window_ends_at > now()
                ORDER BY wanted.scope, wanted.hash
                FOR UPDATE OF counter
            ) AS held
            WHERE counter.scope = held.scope AND counter.subject = held.subject
            """)
    }

    /// Makes the open windows end as late as if they began now.
    func prolong(_ tx: PostgresTransaction, _ subjects: [CountedSubject]) throws {
        try tx.execute(
            """
            UPDATE rate_counters AS counter
            SET window_ends_at = now() + make_interval(secs => wanted.seconds)
            FROM \(fragment: Self.wanted(subjects))
            WHERE counter.scope = wanted.scope AND counter.subject = decode(wanted.hash, 'hex')
            """)
    }

    /// Reads the counters whose window is open. Locks nothing.
    func find(_ tx: PostgresTransaction, _ subjects: [CountedSubject]) throws -> [RateCounter] {
        try tx.query(Self.reading(subjects)).map(RateCounter.init)
    }

    /// Reads the counters whose window is open. Locks nothing.
    func find(_ subjects: [CountedSubject]) async throws -> [RateCounter] {
        try await postgres.query(Self.reading(subjects)).map(RateCounter.init)
    }

    func deleteEnded() async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM rate_counters
            WHERE (scope, subject) IN (
                SELECT scope, subject FROM rate_counters
                WHERE window_ends_at <= now()
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }

    private static func reading(_ subjects: [CountedSubject]) -> SQL {
        """
        SELECT counter.scope, wanted.hash, counter.used,
            extract(epoch FROM counter.window_ends_at - now())::float8 AS remaining
        FROM \(fragment: wanted(subjects))
        JOIN rate_counters counter
            ON counter.scope = wanted.scope AND counter.subject = decode(wanted.hash, 'hex')
        WHERE \(fragment: isOpen)
        """
    }

    /// Whether the window of a counter that is wanted is open.
    private static let isOpen: SQL = """
        (counter.window_ends_at > now() AND counter.window_ends_at <= now() + make_interval(secs => wanted.longest))
        """

    private static func wanted(_ subjects: [CountedSubject]) -> SQL {
        """
        unnest(
            \(subjects.map(\.limit.scope.name))::text[],
            \(subjects.map(\.hash))::text[],
            \(subjects.map { $0.limit.window / .seconds(1) })::float8[],
            \(subjects.map { ($0.limit.longestWindow + tolerance) / .seconds(1) })::float8[],
            \(subjects.map { $0.limit.interval / .seconds(1) })::float8[],
            \(subjects.map(\.limit.refills))::boolean[]
        ) AS wanted (scope, hash, seconds, longest, step, refills)
        """
    }
}
