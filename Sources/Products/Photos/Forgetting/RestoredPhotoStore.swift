import Auth
import FeatureKit
import Foundation
import Groups
import Postgres
import Restoration

/// SQL of a restore: pages of photos and of slots, and the repair of both.
struct RestoredPhotoStore: Sendable {
    /// The place of one sender in one group.
    struct Slot: Sendable {
        let group: GroupID
        let sender: UserID
    }

    let postgres: PostgresClient

    /// A page of the accepted photos that have not expired.
    func photos(after: UUID, limit: Int) async throws -> [DigestedRow<PhotoID>] {
        try await postgres.query(
            """
            SELECT id, erasure_digest('photo', id::text) AS digest
            FROM photos WHERE id > \(after) AND expires_at > now() ORDER BY id LIMIT \(limit)
            """
        ).map { row in
            let id: PhotoID = try row.get("id")
            return DigestedRow(key: id.rawValue, row: id, digest: try row.get("digest"))
        }
    }

    /// - Returns: the number of photos that had not expired.
    func end(_ ids: [PhotoID]) async throws -> Int {
        try await postgres.transaction { tx in try PhotoStore.end(tx, ids) }
    }

    /// The slots of a page of groups. A group without slots has one row without a slot.
    func slots(after: UUID, limit: Int) async throws -> [DigestedRow<Slot>] {
        try await postgres.query(
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
            """
        ).map { row in
            let group: GroupID = try row.get("id")
            let sender = try row.get("user_id", as: UserID?.self)
            return DigestedRow(
                key: group.rawValue, row: sender.map { Slot(group: group, sender: $0) },
                digest: try row.get("digest"))
        }
    }

    /// - Returns: the number of slots whose last used day was earlier.
    func use(_ days: [(row: Slot, match: PostgresDate)]) async throws -> Int {
        try await use(
            """
            SELECT * FROM unnest(\(days.map(\.row.group)), \(days.map(\.row.sender)), \(days.map(\.match)))
                AS u (group_id, sender_id, day)
            """)
    }

    /// Marks the day of an instant as used, for all members of a page of groups. Each member's time zone decides which
    /// day that is.
    func useDays(of instant: Date, after: UUID, limit: Int) async throws -> RestoredPage? {
        let row = try await postgres.first(
            """
            SELECT id FROM (SELECT id FROM groups WHERE id > \(after) ORDER BY id LIMIT \(limit)) AS page
            ORDER BY id DESC LIMIT 1
            """)
        guard let row else { return nil }
        let last: UUID = try row.get("id")
        let changed = try await use(
            """
            SELECT m.group_id, m.user_id AS sender_id, local_day(\(instant)::timestamptz, u.time_zone) AS day
            FROM group_members m
            JOIN users u ON u.id = m.user_id
            WHERE m.group_id > \(after) AND m.group_id <= \(last)
            """)
        return (last, changed)
    }

    /// A day is never replaced by an earlier one: the sender could send a second photo on the later day.
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
