import Foundation
import Postgres

/// SQL about the epoch, its steps and the erasures that are not in the journal yet.
struct GuardStore: Sendable {
    let postgres: PostgresClient

    func state() async throws -> (state: GuardState?, now: Date) {
        let row = try await postgres.first(
            """
            SELECT now() AS now, g.database_id, g.epoch, g.marked_epoch, g.beat_at, g.hole_at
            FROM (SELECT) AS nothing
            LEFT JOIN restore_guard g ON true
            """)
        guard let row else { throw PostgresError.decoding("no row of one") }
        let now: Date = try row.get("now")
        guard let database = try row.get("database_id", as: UUID?.self) else { return (nil, now) }
        return (
            GuardState(
                database: database, epoch: try row.get("epoch"), markedEpoch: try row.get("marked_epoch"),
                steppedAt: try row.get("beat_at"), holeAt: try row.get("hole_at")), now
        )
    }

    /// Inserts the guard's row if there is none, and raises the epoch above `least`.
    ///
    /// - Parameter adopted: segments of a lost history, which belong to this database's history from now on.
    func begin(above least: Int, adopting adopted: [JournalSegment] = []) async throws -> EpochStep {
        try await postgres.transaction { tx in
            try tx.execute("INSERT INTO restore_guard DEFAULT VALUES ON CONFLICT DO NOTHING")
            let next = try step(tx, .alive, above: least)
            try adopt(tx, adopted, by: next.epoch)
            return next
        }
    }

    /// Reads the newest step without a lock, and whether a new segment without records is due.
    ///
    /// - Throws: `WentBack` if the database has lost the step that this process has seen.
    func glance(every interval: Duration, seen: Seen) async throws -> GuardGlance {
        let row = try await postgres.first(
            """
            SELECT g.database_id, newest.epoch, newest.token, now() AS now,
                \(fragment: Self.isAliveDue(every: interval)) AS is_due,
                \(fragment: knows(seen)) AS is_known
            FROM restore_guard g
            CROSS JOIN LATERAL (SELECT epoch, token FROM journal_steps ORDER BY epoch DESC, token LIMIT 1) newest
            """)
        guard let row, try row.get("is_known") else { throw WentBack() }
        return GuardGlance(
            database: try row.get("database_id"),
            newest: StepName(epoch: try row.get("epoch"), token: try row.get("token")),
            isAliveDue: try row.get("is_due"), now: try row.get("now"))
    }

    /// A beat that lies ahead is one of a clock that was.
    private static func isAliveDue(every interval: Duration) -> SQL {
        "(g.beat_at <= now() - \(interval) OR g.beat_at > now() + interval '10 minutes')"
    }

    /// Takes the next step if the last one is at least `interval` old, else returns nil.
    ///
    /// - Throws: `WentBack`.
    func stayAlive(every interval: Duration, seen: Seen) async throws -> EpochStep? {
        try await postgres.transaction { tx in
            try lock(tx, seen)
            let row = try tx.first(
                """
                SELECT \(fragment: Self.isAliveDue(every: interval)) AS is_due
                FROM restore_guard g
                """)
            guard try row?.get("is_due") == true else { return nil }
            return try step(tx, .alive, above: seen.name.epoch)
        }
    }

    /// Takes a step for up to `limit` erasures that are not in the journal yet; nil if there are none.
    ///
    /// The guard's row is locked before the erasures are read. A process that reads later gets a higher epoch, so the records
    /// about one row keep their order.
    ///
    /// - Throws: `WentBack`.
    func pending(limit: Int, seen: Seen) async throws -> EpochStep? {
        guard try await postgres.first("SELECT 1 AS one FROM erasures LIMIT 1") != nil else { return nil }
        return try await postgres.transaction { tx in
            try lock(tx, seen)
            let rows = try tx.query(
                """
                SELECT id, kind, subject, payload FROM erasures ORDER BY id LIMIT \(limit)
                """)
            guard !rows.isEmpty else { return nil }
            var next = try step(tx, .log, above: seen.name.epoch)
            next.erasures = try rows.map { row in
                PendingErasure(
                    id: try row.get("id"), kind: try row.get("kind"), digest: try row.get("subject"),
                    payload: try row.get("payload"))
            }
            return next
        }
    }

    /// When the newest backup was finished; nil if none was recorded.
    func lastBackup() async throws -> Date? {
        try await postgres.first("SELECT max(finished_at) AS finished FROM backups")?.get("finished")
    }

    /// Records that the bucket has the step's segment, and deletes the erasures that it contains.
    func confirm(_ step: EpochStep) async throws {
        let ids = step.erasures.map(\.id)
        try await postgres.transaction { tx in
            try tx.execute("UPDATE restore_guard SET marked_epoch = GREATEST(marked_epoch, \(step.epoch))")
            try tx.execute(
                """
                UPDATE journal_steps SET is_written = true
                WHERE epoch = \(step.epoch) AND token = \(step.name.token)
                """)
            if !ids.isEmpty { try tx.execute("DELETE FROM erasures WHERE id = ANY(\(ids))") }
        }
    }

    /// The erasures that are not in the journal: how many are no newer than `last`, and the newest.
    func pending(upTo last: Int) async throws -> (count: Int, newest: Int) {
        let row = try await postgres.first(
            """
            SELECT count(*) FILTER (WHERE id <= \(last)) AS count, coalesce(max(id), 0) AS newest
            FROM erasures
            """)
        return try row.map { (try $0.get("count"), try $0.get("newest")) } ?? (0, 0)
    }

    // MARK: - In a transaction

    /// - Throws: `WentBack`.
    private func lock(_ tx: PostgresTransaction, _ seen: Seen) throws {
        guard try tx.first("SELECT 1 AS one FROM restore_guard FOR UPDATE") != nil,
            let row = try tx.first("SELECT \(fragment: knows(seen)) AS is_known FROM restore_guard g"),
            try row.get("is_known")
        else { throw WentBack() }
    }

    private func knows(_ seen: Seen) -> SQL {
        """
        (g.database_id = \(seen.database) AND EXISTS (
            SELECT FROM journal_steps WHERE epoch = \(seen.name.epoch) AND token = \(seen.name.token)))
        """
    }

    private func step(
        _ tx: PostgresTransaction, _ content: JournalSegment.Content, above least: Int
    ) throws -> EpochStep {
        let token = JournalSegment.newToken()
        let row = try tx.first(
            """
            WITH next AS (
                UPDATE restore_guard SET epoch = GREATEST(epoch, \(least)) + 1, beat_at = now()
                RETURNING database_id, epoch
            ), kept AS (
                INSERT INTO journal_steps (epoch, token, content) SELECT epoch, \(token), \(content.rawValue) FROM next
            )
            SELECT database_id, epoch, now() AS now FROM next
            """)
        guard let row else { throw WentBack() }
        return EpochStep(
            database: try row.get("database_id"), name: StepName(epoch: try row.get("epoch"), token: token),
            content: content, now: try row.get("now"))
    }

    private func adopt(_ tx: PostgresTransaction, _ segments: [JournalSegment], by epoch: Int) throws {
        guard !segments.isEmpty else { return }
        try tx.execute(
            """
            INSERT INTO journal_steps (epoch, token, content, is_written, adopted_by)
            SELECT DISTINCT s.epoch, s.token, s.content, true, \(epoch)
            FROM unnest(
                \(segments.map(\.epoch)), \(segments.map(\.name.token)), \(segments.map(\.content.rawValue))
            ) AS s (epoch, token, content)
            ON CONFLICT (epoch, token) DO NOTHING
            """)
    }
}

/// The newest step that this process has seen.
struct Seen: Sendable {
    let database: UUID
    let name: StepName
}
