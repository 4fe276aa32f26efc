import FeatureKit
import Groups
import Postgres

/// SQL that records expired photos in their groups' logs.
extension PhotoStore {
    /// Records the expiry of the photos of up to `limit` groups. It skips groups whose rows another transaction has locked.
    ///
    /// - Returns: the last group that was examined, nil behind the last one; and the number of recorded photos.
    func recordExpiries(after previous: GroupID?, limit: Int) async throws -> (last: GroupID?, recorded: Int)
    {
        try await postgres.transaction { tx in
            let due: [GroupID] = try tx.query(
                """
                SELECT DISTINCT group_id FROM photos
                WHERE expires_at <= now() AND NOT removal_logged
                    AND (\(previous)::uuid IS NULL OR group_id > \(previous)::uuid)
                ORDER BY group_id
                LIMIT \(limit)
                """
            ).map { try $0.get("group_id") }
            guard !due.isEmpty else { return (nil, 0) }
            let locked = try groups.lockFree(tx, among: due)
            // The trigger writes the event. It sets the column to the same value as this statement.
            // Triggers: photos_log_change (migrations/schema.sql)
            let recorded = try tx.execute(
                """
                UPDATE photos SET removal_logged = true
                WHERE group_id = ANY(\(locked)) AND expires_at <= now() AND NOT removal_logged
                """)
            return (due.last, recorded)
        }
    }
}
