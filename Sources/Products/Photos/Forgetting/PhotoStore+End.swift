import FeatureKit
import Postgres

extension PhotoStore {
    /// Expires photos early on the system's initiative: their objects are gone, or a restored backup has brought them back.
    /// Their days stay used.
    ///
    /// - Returns: the number of photos that had not expired.
    static func end(_ tx: PostgresTransaction, _ ids: [PhotoID]) throws -> Int {
        // Lock the groups' rows first, in the common order of locks: a trigger writes the groups' next events.
        try tx.execute(
            """
            SELECT FROM groups WHERE id IN (SELECT group_id FROM photos WHERE id = ANY(\(ids)))
            ORDER BY id FOR NO KEY UPDATE
            """)
        // Triggers: photos_log_change, photos_record_early_end (migrations/schema.sql)
        let ended: [PhotoID] = try tx.query(
            """
            UPDATE photos SET expires_at = now()
            WHERE id IN (
                SELECT id FROM photos WHERE id = ANY(\(ids)) AND expires_at > now() ORDER BY id FOR UPDATE
            )
            RETURNING id
            """
        ).map { try $0.get("id") }
        try tx.execute("UPDATE stored_objects SET delete_after = now() WHERE photo_id = ANY(\(ended))")
        return ended.count
    }
}
