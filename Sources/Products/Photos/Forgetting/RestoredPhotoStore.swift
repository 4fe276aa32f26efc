import Auth
import FeatureKit
import Foundation
import Groups
import Postgres
import Restoration

/// SQL of a restore: pages of photos, and the end of those that had been deleted.
struct RestoredPhotoStore: Sendable {
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
}
