import Foundation
import Postgres

/// SQL of the outbox. A row stands for a side effect of a transaction, which writes the row. An `OutboxWorker` handles it
/// after the commit, at least once.
package struct OutboxStore: Sendable {
    /// The channel of the signals that wake the worker of this process.
    static let channel = "outbox"

    let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// Writes one row without a key.
    ///
    /// - Parameters:
    ///   - dueAt: before this time the row is not handled. Nil: it is due at once.
    ///   - lifetime: how long after it is due the row expires.
    package static func post<Payload: Codable & Sendable>(
        _ tx: PostgresTransaction, topic: String, _ payload: Payload, owner: UUID?, dueAt: Date? = nil,
        lifetime: Duration, lanes: [String] = []
    ) throws {
        try tx.execute(
            """
            INSERT INTO outbox (id, topic, user_id, payload, due_at, expires_at, keep_until, lanes)
            SELECT \(UUID.version7()), \(topic), \(owner), \(JSONB(payload)), due.at, due.at + \(lifetime),
                due.at + \(lifetime), \(lanes)
            FROM (SELECT coalesce(\(dueAt), now()) AS at) AS due
            """)
        wake(tx)
    }

    /// Writes the drafts whose keys are free, in the order of their keys, so that two transactions with the same keys do not
    /// deadlock.
    ///
    /// - Returns: the number of written rows.
    @discardableResult
    package static func post<Payload: Codable & Sendable>(
        _ tx: PostgresTransaction, topic: String, _ drafts: [OutboxDraft<Payload>]
    ) throws -> Int {
        guard !drafts.isEmpty else { return 0 }
        let written = try tx.execute(
            """
            INSERT INTO outbox (id, topic, key, user_id, payload, due_at, expires_at, keep_until, lanes)
            SELECT d.id, \(topic), d.key, d.owner, d.payload, coalesce(d.due_at, now()), d.expires_at, d.keep_until,
                string_to_array(d.lanes, ',')
            FROM unnest(
                \(drafts.map { _ in UUID.version7() }), \(drafts.map(\.key)), \(drafts.map(\.owner)),
                \(drafts.map { JSONB($0.payload) }), \(drafts.map(\.dueAt)), \(drafts.map(\.expiresAt)),
                \(drafts.map(\.keepUntil)), \(drafts.map { $0.lanes.joined(separator: ",") })
            ) AS d (id, key, owner, payload, due_at, expires_at, keep_until, lanes)
            ORDER BY d.key
            ON CONFLICT (topic, key) DO NOTHING
            """)
        if written > 0 { wake(tx) }
        return written
    }

    /// Wakes the worker of this process after the commit. If it is busy or has ended, other processes find the rows at their
    /// next poll.
    private static func wake(_ tx: PostgresTransaction) {
        tx.signal(CommitSignal(channel: channel))
    }

    // MARK: - Work

    /// Claims up to `limit` due rows for the duration of the lease. After it any worker may claim them again.
    ///
    /// - Parameter lanes: the number of rows that may be claimed for each lane. A row that needs lanes is not claimed unless one
    ///   of them has a place.
    func claim(
        topics: [String], limit: Int, lanes: [String: Int] = [:], lease: Duration
    ) async throws -> [OutboxItem] {
        let open = lanes.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        // The first entry is not a lane: it stands for the rows that do not need one. `kinds` are the few different sets of
        // lanes that open rows need. Each is looked up in the index by itself, so that a backlog of one kind does not slow
        // down the claims of the others.
        let (names, rooms) = ([""] + open.map(\.key), [limit] + open.map { min($0.value, limit) })
        return try await postgres.query(
            """
            WITH RECURSIVE kinds AS (
                (SELECT lanes FROM outbox WHERE done_at IS NULL ORDER BY lanes LIMIT 1)
                UNION ALL
                SELECT (
                    SELECT next.lanes FROM outbox next WHERE next.done_at IS NULL AND next.lanes > kinds.lanes
                    ORDER BY next.lanes LIMIT 1
                )
                FROM kinds WHERE kinds.lanes IS NOT NULL
            ), due AS (
                SELECT next.id
                FROM unnest(\(names), \(rooms)) AS lane (name, room)
                CROSS JOIN LATERAL (
                    SELECT row.id, row.due_at
                    FROM kinds
                    CROSS JOIN LATERAL (
                        SELECT id, due_at FROM outbox
                        WHERE lanes = kinds.lanes AND topic = ANY(\(topics)) AND done_at IS NULL AND due_at <= now()
                            AND expires_at > now()
                        ORDER BY due_at
                        LIMIT lane.room
                        FOR UPDATE SKIP LOCKED
                    ) AS row
                    WHERE CASE lane.name WHEN '' THEN kinds.lanes = '{}' ELSE lane.name = ANY(kinds.lanes) END
                    ORDER BY row.due_at
                    LIMIT lane.room
                ) AS next
                ORDER BY next.due_at
                LIMIT \(limit)
            )
            UPDATE outbox
            SET lease = \(UUID.version7()), attempts = attempts + 1,
                due_at = now() + \(lease)
            FROM due
            WHERE outbox.id = due.id
            RETURNING outbox.id, topic, key, user_id, payload::text AS payload, attempts, created_at, expires_at,
                now() AS claimed_at, lease, lanes
            """
        ).map(OutboxItem.init)
    }

    /// Stores the progress of an attempt for the next one, and the lanes that are still needed.
    package func remember<Payload: Codable & Sendable>(
        _ payload: Payload, lanes: [String]? = nil, of item: OutboxItem
    ) async throws {
        try await postgres.execute(
            """
            UPDATE outbox SET payload = \(JSONB(payload)), lanes = \(lanes ?? item.lanes)
            WHERE id = \(item.id) AND lease = \(item.lease)
            """)
    }

    /// Ends an attempt. It has no effect if the lease was lost.
    ///
    /// - Parameter pause: the time until the next attempt after a failure.
    func end(_ item: OutboxItem, _ verdict: OutboxVerdict, pause: Duration) async throws {
        try await end([OutboxResult(item: item, verdict: verdict, pause: pause)])
    }

    /// Ends attempts, with one statement for each kind of verdict.
    func end(_ results: [OutboxResult]) async throws {
        for (kind, some) in Dictionary(grouping: results, by: \.kind) {
            let held: SQL =
                """
                unnest(\(some.map(\.item.id)), \(some.map(\.item.lease))) AS held (id, lease)
                WHERE outbox.id = held.id AND outbox.lease = held.lease
                """
            switch kind {
            case .keep:
                try await postgres.execute(
                    "UPDATE outbox SET done_at = now(), lease = NULL FROM \(fragment: held)")
            case .delete:
                try await postgres.execute("DELETE FROM outbox USING \(fragment: held)")
            case .putBack: try await putBack(some)
            case .retry: try await retry(some)
            }
        }
    }

    /// The rows become due at the time that the verdict names. This does not count as an attempt.
    private func putBack(_ results: [OutboxResult]) async throws {
        try await postgres.execute(
            """
            UPDATE outbox SET due_at = held.due_at, lease = NULL, attempts = attempts - 1
            FROM unnest(
                \(results.map(\.item.id)), \(results.map(\.item.lease)), \(results.map(\.dueAt))
            ) AS held (id, lease, due_at)
            WHERE outbox.id = held.id AND outbox.lease = held.lease
            """)
    }

    private func retry(_ results: [OutboxResult]) async throws {
        try await postgres.execute(
            """
            UPDATE outbox SET due_at = now() + held.pause, lease = NULL
            FROM unnest(
                \(results.map(\.item.id)), \(results.map(\.item.lease)),
                \(results.map(\.pause))
            ) AS held (id, lease, pause)
            WHERE outbox.id = held.id AND outbox.lease = held.lease
            """)
    }
}
