import FeatureKit
import Foundation
import Postgres

extension InvitationStore {
    /// One page of invitations, with the digests by which the journal knows them.
    func digests(after: UUID, limit: Int) async throws -> [(InvitationID, [UInt8])] {
        try await postgres.query(
            """
            SELECT id, erasure_digest('invite', id::text) AS digest
            FROM invites WHERE id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("digest")) }
    }

    func revoke(among ids: [InvitationID]) async throws -> Int {
        // Triggers: invites_record_end (migrations/schema.sql)
        try await postgres.execute(
            """
            UPDATE invites SET revoked_at = now()
            WHERE id = ANY(\(ids)) AND used_at IS NULL AND revoked_at IS NULL
            """)
    }

    /// Revokes one page of open invitations. `dayly.is_restoring` keeps the trigger from recording each end in the journal.
    ///
    /// - Parameter time: later invitations stay open.
    /// - Returns: the page's last id and the number of revoked invitations; nil behind the last page.
    func revokeAll(
        after: UUID, limit: Int, createdBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        try await postgres.transaction { tx in
            try tx.execute("SELECT set_config('dayly.is_restoring', 'on', true)")
            // Triggers: invites_record_end (migrations/schema.sql)
            let page = try tx.first(
                """
                WITH page AS MATERIALIZED (SELECT id FROM invites WHERE id > \(after) ORDER BY id LIMIT \(limit)),
                revoked AS (
                    UPDATE invites SET revoked_at = now()
                    WHERE id IN (SELECT id FROM page) AND used_at IS NULL AND revoked_at IS NULL
                        AND created_at <= \(time)
                    RETURNING 1
                )
                SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last,
                    (SELECT count(*) FROM revoked) AS changed
                """)
            guard let page, let last = try page.get("last", as: UUID?.self) else { return nil }
            return (last, try page.get("changed"))
        }
    }
}
