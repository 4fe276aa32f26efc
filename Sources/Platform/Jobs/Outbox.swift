import Foundation
import Postgres

/// Something to do, on its way into the outbox.
package struct OutboxDraft<Payload: Codable & Sendable>: Sendable {
    /// For as long as a key is kept, only the first row with it is written. Nil: every row is written.
    package let key: String?
    /// The user it is for or about: it goes with the account.
    package let owner: UUID?
    package let payload: Payload
    /// From then on it is of no use.
    package let expiresAt: Date
    /// How long its key stays used after it was done.
    package let keepUntil: Date
    /// The lanes that it needs, of which one must be open; empty: it needs none.
    package let lanes: [String]

    package init(
        key: String?, owner: UUID?, payload: Payload, expiresAt: Date, keepUntil: Date,
        lanes: [String] = []
    ) {
        self.key = key
        self.owner = owner
        self.payload = payload
        self.expiresAt = expiresAt
        self.keepUntil = keepUntil
        self.lanes = lanes
    }
}

/// Something to do, held under a lease by who does it.
package struct OutboxItem: Sendable {
    /// Stays the same however often it is tried.
    package let id: UUID
    package let topic: String
    package let key: String?
    package let owner: UUID?
    /// How often it was begun, this time included.
    package let attempts: Int
    package let createdAt: Date
    package let expiresAt: Date
    /// When the lease began, by PostgreSQL's clock.
    package let claimedAt: Date
    package let lanes: [String]
    private let payloadText: String
    fileprivate let lease: UUID

    package func payload<Payload: Decodable>(as _: Payload.Type = Payload.self) throws -> Payload {
        try JSONDecoder().decode(Payload.self, from: Data(payloadText.utf8))
    }

    fileprivate init(_ row: PostgresRow) throws {
        id = try row.get("id")
        topic = try row.get("topic")
        key = try row.get("key")
        owner = try row.get("user_id")
        attempts = try row.get("attempts")
        createdAt = try row.get("created_at")
        expiresAt = try row.get("expires_at")
        claimedAt = try row.get("claimed_at")
        lanes = try row.get("lanes")
        payloadText = try row.get("payload")
        lease = try row.get("lease")
    }
}

/// The decision about a row after an attempt.
package enum OutboxVerdict: Sendable, Equatable {
    /// It is done, and its key stays used.
    case done
    /// It came to nothing: no trace of it stays, and its key is free again.
    case dropped
    /// Not yet. This does not count as a failure.
    case later(Date)
    /// It failed and is tried again, after a pause that grows, and not before `after` has passed.
    case failed(after: Duration? = nil)
}

/// Side effects: rows that are written in the transaction that causes them, and done
/// after it by an `OutboxWorker`, at least once. All SQL that writes `outbox`.
package struct Outbox: Sendable {
    /// The channel of the signals to the worker of the same process.
    static let channel = "outbox"

    let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// Writes one row, without a key, that is of use for `lifetime` from now on.
    package static func post<Payload: Codable & Sendable>(
        _ tx: PostgresTransaction, topic: String, _ payload: Payload, owner: UUID?, lifetime: Duration,
        lanes: [String] = []
    ) throws {
        try tx.execute(
            """
            INSERT INTO outbox (id, topic, user_id, payload, expires_at, keep_until, lanes)
            SELECT \(UUID.version7()), \(topic), \(owner), \(JSONB(payload)), expiry.at, expiry.at, \(lanes)
            FROM (SELECT now() + \(lifetime) AS at) AS expiry
            """)
        wake(tx)
    }

    /// Writes those whose key is free. In the order of their keys, so that two who write the same never wait for each
    /// other in a circle.
    ///
    /// - Returns: how many were written.
    @discardableResult
    package static func post<Payload: Codable & Sendable>(
        _ tx: PostgresTransaction, topic: String, _ drafts: [OutboxDraft<Payload>]
    ) throws -> Int {
        guard !drafts.isEmpty else { return 0 }
        let written = try tx.execute(
            """
            INSERT INTO outbox (id, topic, key, user_id, payload, expires_at, keep_until, lanes)
            SELECT d.id, \(topic), d.key, d.owner, d.payload, d.expires_at, d.keep_until,
                string_to_array(d.lanes, ',')
            FROM unnest(
                \(drafts.map { _ in UUID.version7() }), \(drafts.map(\.key)), \(drafts.map(\.owner)),
                \(drafts.map { JSONB($0.payload) }), \(drafts.map(\.expiresAt)), \(drafts.map(\.keepUntil)),
                \(drafts.map { $0.lanes.joined(separator: ",") })
            ) AS d (id, key, owner, payload, expires_at, keep_until, lanes)
            ORDER BY d.key
            ON CONFLICT (topic, key) DO NOTHING
            """)
        if written > 0 { wake(tx) }
        return written
    }

    /// Wakes the worker of this process, and no other one, when the transaction is committed. Where it is busy or
    /// gone, the others find the rows when they next look.
    private static func wake(_ tx: PostgresTransaction) {
        tx.signal(CommitSignal(channel: channel))
    }

    // MARK: Working on it

    /// Takes up to `limit` due rows for as long as the lease lasts. Other workers do not get them meanwhile; after
    /// it, any worker does.
    ///
    /// - Parameter lanes: how many rows may be taken for each lane. A row that needs lanes is left alone where none of
    ///   them has room.
    func claim(
        topics: [String], limit: Int, lanes: [String: Int] = [:], lease: Duration
    ) async throws -> [OutboxItem] {
        let open = lanes.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        // The first entry is not a lane: it stands for the rows that do not need one.
        let (names, rooms) = ([""] + open.map(\.key), [limit] + open.map { min($0.value, limit) })
        return try await postgres.query(
            """
            WITH due AS (
                SELECT next.id
                FROM unnest(\(names), \(rooms)) AS lane (name, room)
                CROSS JOIN LATERAL (
                    SELECT id, due_at FROM outbox
                    WHERE topic = ANY(\(topics)) AND done_at IS NULL AND due_at <= now() AND expires_at > now()
                        AND CASE lane.name WHEN '' THEN lanes = '{}' ELSE lane.name = ANY(lanes) END
                    ORDER BY due_at
                    LIMIT lane.room
                    FOR UPDATE SKIP LOCKED
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

    /// Keeps what an attempt has achieved, for the next one, and the lanes that are still needed for it.
    package func remember<Payload: Codable & Sendable>(
        _ payload: Payload, lanes: [String]? = nil, of item: OutboxItem
    ) async throws {
        try await postgres.execute(
            """
            UPDATE outbox SET payload = \(JSONB(payload)), lanes = \(lanes ?? item.lanes)
            WHERE id = \(item.id) AND lease = \(item.lease)
            """)
    }

    /// Ends an attempt; without effect where the lease was lost.
    /// - Parameter pause: until the next attempt after a failure.
    func settle(_ item: OutboxItem, _ verdict: OutboxVerdict, pause: Duration) async throws {
        try await settle([OutboxSettlement(item: item, verdict: verdict, pause: pause)])
    }

    /// Ends attempts, with one statement for each kind of verdict among them.
    func settle(_ settlements: [OutboxSettlement]) async throws {
        for (kind, some) in Dictionary(grouping: settlements, by: \.kind) {
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
            case .repeatLater: try await repeatLater(some)
            }
        }
    }

    /// The row waits. This does not count as an attempt.
    private func putBack(_ settlements: [OutboxSettlement]) async throws {
        try await postgres.execute(
            """
            UPDATE outbox SET due_at = held.due_at, lease = NULL, attempts = attempts - 1
            FROM unnest(
                \(settlements.map(\.item.id)), \(settlements.map(\.item.lease)), \(settlements.map(\.dueAt))
            ) AS held (id, lease, due_at)
            WHERE outbox.id = held.id AND outbox.lease = held.lease
            """)
    }

    private func repeatLater(_ settlements: [OutboxSettlement]) async throws {
        try await postgres.execute(
            """
            UPDATE outbox SET due_at = now() + held.pause, lease = NULL
            FROM unnest(
                \(settlements.map(\.item.id)), \(settlements.map(\.item.lease)),
                \(settlements.map(\.pause))
            ) AS held (id, lease, pause)
            WHERE outbox.id = held.id AND outbox.lease = held.lease
            """)
    }
}

/// The end of an attempt.
struct OutboxSettlement: Sendable {
    /// The change to the row.
    enum Kind {
        case keep, delete, putBack, repeatLater
    }

    let item: OutboxItem
    let verdict: OutboxVerdict
    /// Until the next attempt after a failure.
    let pause: Duration

    var kind: Kind {
        switch verdict {
        case .done: item.key == nil ? .delete : .keep
        case .dropped: .delete
        case .later: .putBack
        case .failed: .repeatLater
        }
    }

    fileprivate var dueAt: Date {
        if case .later(let date) = verdict { date } else { item.claimedAt }
    }
}
