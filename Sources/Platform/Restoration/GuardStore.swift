import Foundation
import Postgres

/// What the database knows of its own time.
struct GuardState: Sendable, Equatable {
    let database: UUID
    let epoch: Int
    /// The highest epoch that the bucket is known to have.
    let markedEpoch: Int
    /// When the epoch grew last.
    let beatAt: Date
}

/// A step forward of the epoch, and what is to be written down with it.
struct EpochStep: Sendable {
    let database: UUID
    let epoch: Int
    let now: Date
    var erasures: [PendingErasure] = []
}

/// An erasure that is not in the bucket yet.
struct PendingErasure: Sendable {
    let id: Int
    let kind: String
    let digest: [UInt8]?
    let payload: [UInt8]?
}

/// All SQL about the epoch and the erasures that wait.
struct GuardStore: Sendable {
    let postgres: PostgresClient

    func state() async throws -> (state: GuardState?, now: Date) {
        let row = try await postgres.first(
            """
            SELECT now() AS now, g.database_id, g.epoch, g.marked_epoch, g.beat_at
            FROM (SELECT) AS nothing
            LEFT JOIN restore_guard g ON true
            """)
        guard let row else { throw PostgresError.decoding("no row of one") }
        let now: Date = try row.get("now")
        guard let database = try row.get("database_id", as: UUID?.self) else { return (nil, now) }
        return (
            GuardState(
                database: database, epoch: try row.get("epoch"), markedEpoch: try row.get("marked_epoch"),
                beatAt: try row.get("beat_at")), now
        )
    }

    /// Makes the row if there is none, and lifts the epoch above `least`.
    func begin(above least: Int) async throws -> EpochStep {
        try await postgres.transaction { tx in
            try tx.execute("INSERT INTO restore_guard DEFAULT VALUES ON CONFLICT DO NOTHING")
            return try step(tx, above: least)
        }
    }

    /// The next epoch, where the last one is at least `interval` old, else nil.
    ///
    /// - Throws: `WentBack` when the epoch is below `seen`.
    func beat(every interval: Duration, seen: Int) async throws -> EpochStep? {
        try await postgres.transaction { tx in
            let row = try tx.first(
                """
                SELECT epoch, beat_at <= now() - make_interval(secs => \(interval / .seconds(1))) AS is_due
                FROM restore_guard
                FOR UPDATE
                """)
            guard let row, try row.get("epoch", as: Int.self) >= seen else { throw WentBack() }
            guard try row.get("is_due", as: Bool.self) else { return nil }
            return try step(tx, above: seen)
        }
    }

    /// Up to `limit` erasures that wait, and the epoch under which they are to be written; nil when none waits.
    ///
    /// - Throws: `WentBack`.
    func pending(limit: Int, seen: Int) async throws -> EpochStep? {
        try await postgres.transaction { tx in
            let rows = try tx.query(
                "SELECT id, kind, subject, payload FROM erasures ORDER BY id LIMIT \(limit)")
            guard !rows.isEmpty else { return nil }
            let epoch = try tx.first("SELECT epoch FROM restore_guard FOR UPDATE")?.get("epoch", as: Int.self)
            guard let epoch, epoch >= seen else { throw WentBack() }
            var next = try step(tx, above: seen)
            next.erasures = try rows.map { row in
                PendingErasure(
                    id: try row.get("id"), kind: try row.get("kind"), digest: try row.get("subject"),
                    payload: try row.get("payload"))
            }
            return next
        }
    }

    /// The bucket has that epoch, and what was written with it.
    func confirm(_ step: EpochStep) async throws {
        let ids = step.erasures.map(\.id)
        try await postgres.transaction { tx in
            try tx.execute("UPDATE restore_guard SET marked_epoch = GREATEST(marked_epoch, \(step.epoch))")
            if !ids.isEmpty { try tx.execute("DELETE FROM erasures WHERE id = ANY(\(ids))") }
        }
    }

    func countPending() async throws -> Int {
        try await postgres.first("SELECT count(*) AS count FROM erasures")?.get("count") ?? 0
    }

    private func step(_ tx: PostgresTransaction, above least: Int) throws -> EpochStep {
        let row = try tx.first(
            """
            UPDATE restore_guard SET epoch = GREATEST(epoch, \(least)) + 1, beat_at = now()
            RETURNING database_id, epoch, now() AS now
            """)
        guard let row else { throw WentBack() }
        return EpochStep(
            database: try row.get("database_id"), epoch: try row.get("epoch"), now: try row.get("now"))
    }
}

/// The database has an older epoch than this process has seen: it was replaced underneath.
package struct WentBack: Error, CustomStringConvertible {
    package var description: String { "the database went back in time while it was in use" }
}
