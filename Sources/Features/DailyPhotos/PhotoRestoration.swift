import Foundation
import Postgres

/// What has to be done to photos when the database went back in time.
package struct PhotoRestoration: Sendable {
    private let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// Ends the life of photos that had been deleted; their objects are due with that.
    ///
    /// - Parameter isErased: by the row's digest.
    /// - Returns: how many.
    package func eraseAgain(where isErased: @Sendable ([UInt8]) -> Bool) async throws -> Int {
        var erased = 0
        var last = PhotoID(rawValue: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        while true {
            let rows = try await postgres.query(
                """
                SELECT id, erasure_digest('photo', id::text) AS digest
                FROM photos WHERE id > \(last) AND expires_at > now() ORDER BY id LIMIT 5000
                """)
            guard let final = rows.last else { return erased }
            last = try final.get("id")
            let ids = try rows.filter { isErased(try $0.get("digest")) }
                .map { try $0.get("id", as: PhotoID.self) }
            guard !ids.isEmpty else { continue }
            erased += try await postgres.transaction { tx in
                try PhotoStore.end(ids, in: tx)
            }
        }
    }

    /// Takes the last day on which a photo may have been sent for used, where the database does not know of one: nobody
    /// gets a second photo of a day.
    ///
    /// - Parameter time: when photos were taken last.
    /// - Returns: how many days.
    package func useUncertainDays(until time: Date) async throws -> Int {
        try await postgres.execute(
            """
            INSERT INTO photo_slots (group_id, sender_id, last_sent_on)
            SELECT m.group_id, m.user_id, local_day(\(time)::timestamptz, u.time_zone)
            FROM group_members m
            JOIN users u ON u.id = m.user_id
            ORDER BY m.group_id, m.user_id
            ON CONFLICT (group_id, sender_id) DO UPDATE SET last_sent_on = excluded.last_sent_on
            WHERE photo_slots.last_sent_on IS NULL OR photo_slots.last_sent_on < excluded.last_sent_on
            """)
    }
}
