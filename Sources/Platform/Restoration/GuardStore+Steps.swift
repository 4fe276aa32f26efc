import Foundation
import Postgres

/// SQL that compares the bucket's segments with the database's steps.
extension GuardStore {
    /// Compares the bucket's segments with this database's steps. Segments of other databases are ignored.
    ///
    /// - Parameter segments: all segments of the bucket, listed before this call: a step is committed before its segment is
    ///   written.
    func compare(_ segments: [JournalSegment], of database: UUID) async throws -> StepComparison {
        var found = StepComparison()
        found.unknown = try await unknown(among: segments.filter { $0.database == database })
        found.missing = try await missing(besides: segments)
        guard let first = found.unknown.map(\.epoch).min() else { return found }
        let row = try await postgres.first(
            """
            SELECT LEAST(g.epoch, \(first) - 1) AS epoch,
                CASE WHEN g.epoch < \(first) THEN g.beat_at ELSE fork.at END AS at
            FROM restore_guard g
            LEFT JOIN LATERAL (
                SELECT at FROM journal_steps
                WHERE epoch < \(first) AND adopted_by IS NULL
                ORDER BY epoch DESC LIMIT 1
            ) fork ON true
            """)
        found.forkEpoch = try row?.get("epoch") ?? 0
        found.forkedAt = try row?.get("at")
        return found
    }

    /// The segments that the database does not know.
    private func unknown(among segments: [JournalSegment]) async throws -> Set<StepName> {
        guard !segments.isEmpty else { return [] }
        let rows = try await postgres.query(
            """
            SELECT DISTINCT s.epoch, s.token
            FROM unnest(\(segments.map(\.epoch)), \(segments.map(\.name.token))) AS s (epoch, token)
            LEFT JOIN journal_steps k ON k.epoch = s.epoch AND k.token = s.token
            WHERE k.epoch IS NULL
            """)
        return Set(
            try rows.map { StepName(epoch: try $0.get("epoch"), token: try $0.get("token")) })
    }

    /// The written logs that are missing from the bucket. Steps of the last two minutes are left out, because a listing may
    /// show a new object late.
    private func missing(besides segments: [JournalSegment]) async throws -> [StepName] {
        try await postgres.query(
            """
            SELECT k.epoch, k.token
            FROM journal_steps k
            LEFT JOIN unnest(\(segments.map(\.epoch)), \(segments.map(\.name.token))) AS s (epoch, token)
                ON s.epoch = k.epoch AND s.token = k.token
            WHERE s.epoch IS NULL AND k.content = 'log' AND k.is_written AND k.gone_at IS NULL
                AND k.at < now() - interval '2 minutes'
            """
        ).map { StepName(epoch: try $0.get("epoch"), token: try $0.get("token")) }
    }

    /// Records that a part of the journal is missing, so that a later restore knows that the journal is incomplete. The
    /// record has the epoch, because a backup that was made later does not need the missing part.
    ///
    /// - Parameter steps: the missing logs; empty if the whole journal is missing.
    func noteHole(_ steps: [StepName]) async throws {
        try await postgres.transaction { tx in
            try tx.execute("UPDATE restore_guard SET hole_at = now()")
            try tx.execute(
                """
                INSERT INTO erasures (kind, payload)
                SELECT \(ErasureKind.hole.rawValue), convert_to(epoch::text, 'UTF8') FROM restore_guard
                """)
            if steps.isEmpty {
                try tx.execute("UPDATE journal_steps SET gone_at = now() WHERE gone_at IS NULL")
            } else {
                try markGone(tx, steps)
            }
        }
    }

    /// Marks the steps of segments that are going to be removed on purpose.
    func markGone(_ steps: [StepName]) async throws {
        guard !steps.isEmpty else { return }
        try await postgres.transaction { tx in try markGone(tx, steps) }
    }

    private func markGone(_ tx: PostgresTransaction, _ steps: [StepName]) throws {
        try tx.execute(
            """
            UPDATE journal_steps k SET gone_at = now()
            FROM unnest(\(steps.map(\.epoch)), \(steps.map(\.token))) AS s (epoch, token)
            WHERE k.epoch = s.epoch AND k.token = s.token AND k.gone_at IS NULL
            """)
    }

    /// Whether this process is to tidy up now. In each interval only one process gets true.
    func takeTidying(every interval: Duration) async throws -> Bool {
        try await postgres.execute(
            """
            UPDATE restore_guard SET tidied_at = now()
            WHERE tidied_at < now() - \(interval)
            """) > 0
    }

    /// Deletes steps whose segments have been gone for hours. Until then a process that was suspended finds the last step that
    /// it saw.
    func deleteGone(present: [JournalSegment]) async throws {
        try await postgres.execute(
            """
            DELETE FROM journal_steps k
            WHERE k.at < now() - interval '6 hours'
                AND (k.gone_at < now() - interval '6 hours' OR k.content = 'beat' OR NOT k.is_written)
                AND (k.epoch, k.token) NOT IN (
                    SELECT * FROM unnest(\(present.map(\.epoch)), \(present.map(\.name.token))))
                AND k.epoch < (SELECT epoch FROM restore_guard) - 1000
            """)
    }

    /// The adoption with which each adopted segment came. Segments are merged only within one lineage, so that a backup either
    /// contains all parts of a merged segment or does not know its name.
    func lineages() async throws -> [StepName: Int] {
        let rows = try await postgres.query(
            "SELECT epoch, token, adopted_by FROM journal_steps WHERE adopted_by IS NOT NULL")
        return try rows.reduce(into: [:]) { found, row in
            found[StepName(epoch: try row.get("epoch"), token: try row.get("token"))] =
                try row.get("adopted_by")
        }
    }
}
