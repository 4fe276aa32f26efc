import FeatureKit
import Foundation
import Postgres

extension SessionStore {
    /// One page of sessions, with the digests by which the journal knows them.
    func digests(after: UUID, limit: Int) async throws -> [(SessionID, [UInt8])] {
        try await postgres.query(
            """
            SELECT id, erasure_digest('session', id::text) AS digest
            FROM sessions WHERE id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("digest")) }
    }

    func end(among ids: [SessionID]) async throws -> Int {
        // Triggers: sessions_forget_devices, sessions_record_end (migrations/schema.sql)
        try await postgres.execute(
            "UPDATE sessions SET ended_at = now() WHERE id = ANY(\(ids)) AND ended_at IS NULL")
    }

    /// Ends one page of sessions. `dayly.is_restoring` keeps the trigger from recording each end in the journal.
    ///
    /// - Parameter time: sessions that began later stay live.
    /// - Returns: the page's last id and the number of ended sessions; nil behind the last page.
    func endAll(
        after: UUID, limit: Int, startedBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await postgres.transaction { tx in
            try tx.execute("SELECT set_config('dayly.is_restoring', 'on', true)")
            // Triggers: sessions_forget_devices, sessions_record_end (migrations/schema.sql)
            let page = try tx.first(
                """
                WITH page AS MATERIALIZED (SELECT id FROM sessions WHERE id > \(after) ORDER BY id LIMIT \(limit)),
                ended AS (
                    UPDATE sessions SET ended_at = now()
                    WHERE id IN (SELECT id FROM page) AND ended_at IS NULL AND created_at <= \(time)
                    RETURNING 1
                )
                SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last,
                    (SELECT count(*) FROM ended) AS changed
                """)
            guard let page, let last = try page.get("last", as: UUID?.self) else { return nil }
            return (last, try page.get("changed"))
        }
    }
}
