import FeatureKit
import Foundation
import Postgres

/// Repairs photos and used days during a restore. Each call handles one page of rows: those behind `after`, at most
/// `limit`. It returns the page's last id and the number of changed rows, or nil behind the last page.
package struct PhotoRestoration: Sendable {
    private let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// Ends the life of photos that had been deleted; their objects are due with that.
    ///
    /// - Parameter isErased: by the row's digest.
    package func eraseAgain(
        after: UUID, limit: Int, where isErased: @Sendable ([UInt8]) -> Bool
    ) async throws -> (last: UUID, changed: Int)? {
        let rows = try await postgres.query(
            """
            SELECT id, erasure_digest('photo', id::text) AS digest
            FROM photos WHERE id > \(after) AND expires_at > now() ORDER BY id LIMIT \(limit)
            """)
        guard let final = rows.last else { return nil }
        let ids = try rows.filter { isErased(try $0.get("digest")) }
            .map { try $0.get("id", as: PhotoID.self) }
        let erased =
            ids.isEmpty ? 0 : try await postgres.transaction { tx in try PhotoStore.end(ids, in: tx) }
        return (try final.get("id"), erased)
    }

    /// Takes days for used that the journal says were used. The page counts groups.
    ///
    /// - Parameter day: the last day that was recorded about the digest of a group and a sender.
    package func useDaysAgain(
        after: UUID, limit: Int, _ day: @Sendable ([UInt8]) -> PostgresDate?
    ) async throws -> (last: UUID, changed: Int)? {
        let rows = try await postgres.query(
            """
            WITH page AS MATERIALIZED (SELECT id FROM groups WHERE id > \(after) ORDER BY id LIMIT \(limit)),
            slots AS (
                SELECT group_id, user_id FROM group_members WHERE group_id IN (SELECT id FROM page)
                UNION
                SELECT group_id, sender_id FROM photo_slots WHERE group_id IN (SELECT id FROM page)
            )
            SELECT p.id, s.user_id, erasure_digest('sent', p.id::text || ' ' || s.user_id::text) AS digest
            FROM page p LEFT JOIN slots s ON s.group_id = p.id
            ORDER BY p.id, s.user_id
            """)
        guard let final = rows.last else { return nil }
        var used: [(group: UUID, sender: UUID, day: PostgresDate)] = []
        for row in rows {
            guard let sender: UUID = try row.get("user_id"), let day = day(try row.get("digest")) else {
                continue
            }
            used.append((try row.get("id"), sender, day))
        }
        let last: UUID = try final.get("id")
        guard !used.isEmpty else { return (last, 0) }
        let changed = try await use(
            """
            SELECT * FROM unnest(\(used.map(\.group)), \(used.map(\.sender)), \(used.map(\.day)))
                AS u (group_id, sender_id, day)
            """)
        return (last, changed)
    }

    /// Takes the last day on which a photo may have been sent for used, for all members: the journal cannot tell who
    /// has sent one. The page counts groups.
    ///
    /// - Parameter time: when photos were taken last.
    package func useUncertainDays(
        after: UUID, limit: Int, until time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        let row = try await postgres.first(
            """
            SELECT id FROM (SELECT id FROM groups WHERE id > \(after) ORDER BY id LIMIT \(limit)) AS page
            ORDER BY id DESC LIMIT 1
            """)
        guard let row else { return nil }
        let last: UUID = try row.get("id")
        let changed = try await use(
            """
            SELECT m.group_id, m.user_id AS sender_id, local_day(\(time)::timestamptz, u.time_zone) AS day
            FROM group_members m
            JOIN users u ON u.id = m.user_id
            WHERE m.group_id > \(after) AND m.group_id <= \(last)
            """)
        return (last, changed)
    }

    /// This never gives a sender an earlier day back.
    private func use(_ days: SQL) async throws -> Int {
        try await postgres.execute(
            """
            INSERT INTO photo_slots (group_id, sender_id, last_sent_on)
            SELECT d.group_id, d.sender_id, d.day FROM (\(fragment: days)) AS d
            ORDER BY d.group_id, d.sender_id
            ON CONFLICT (group_id, sender_id) DO UPDATE SET last_sent_on = excluded.last_sent_on
            WHERE photo_slots.last_sent_on IS NULL OR photo_slots.last_sent_on < excluded.last_sent_on
            """)
    }
}
