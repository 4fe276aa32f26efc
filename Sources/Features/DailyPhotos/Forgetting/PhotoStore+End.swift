import FeatureKit
import Postgres

extension PhotoStore {
    /// Ends photos' lives before their time, by nobody's wish: their objects are gone, or a restored backup had brought
    /// them back. Their days stay used.
    ///
    /// - Returns: how many were alive.
    static func end(_ ids: [PhotoID], in tx: PostgresTransaction) throws -> Int {
        // The groups' rows first, as everywhere: the log gets its next numbers.
        try tx.execute(
            """
            SELECT FROM groups WHERE id IN (SELECT group_id FROM photos WHERE id = ANY(\(ids)))
            ORDER BY id FOR NO KEY UPDATE
            """)
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
