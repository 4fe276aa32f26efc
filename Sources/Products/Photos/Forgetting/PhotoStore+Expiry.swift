import FeatureKit
import Foundation
import Groups
import Postgres

/// The place of a photo in the order in which expiries are recorded.
struct ExpiryPosition: Sendable {
    var expiresAt: Date
    var photo: PhotoID

    /// Before every photo.
    static let start = ExpiryPosition(expiresAt: Date(timeIntervalSince1970: 0), photo: PhotoID(UUID()))
}

/// SQL that records expired photos in their groups' logs.
extension PhotoStore {
    /// The next `limit` expired photos whose expiry is not recorded.
    func expired(after previous: ExpiryPosition, limit: Int) async throws -> [ExpiryPosition] {
        try await postgres.query(Self.expired(after: previous, limit: limit)).map(ExpiryPosition.init)
    }

    private static func expired(after previous: ExpiryPosition, limit: Int) -> SQL {
        """
        SELECT expires_at, id, group_id FROM photos
        WHERE expires_at <= now() AND NOT removal_logged
            AND (expires_at, id) > (\(previous.expiresAt), \(previous.photo))
        ORDER BY expires_at, id
        LIMIT \(limit)
        """
    }

    /// Records the expiry of all photos in the groups of the next `limit` expired photos. It skips groups whose rows another
    /// transaction has locked.
    ///
    /// - Returns: the last photo that was examined, nil behind the last one; and the number of recorded photos.
    func recordExpiries(
        after previous: ExpiryPosition, limit: Int
    ) async throws -> (last: ExpiryPosition?, recorded: Int) {
        try await postgres.transaction { tx in
            // Each batch goes on where the last one ended, so that it costs the same however many photos have expired.
            let due: [(position: ExpiryPosition, group: GroupID)] = try tx.query(
                Self.expired(after: previous, limit: limit)
            ).map { (try ExpiryPosition($0), try $0.get("group_id")) }
            guard let last = due.last?.position else { return (nil, 0) }
            let locked = try groups.lockFree(tx, among: Array(Set(due.map(\.group))))
            // The trigger writes the event. It sets the column to the same value as this statement. The condition on time
            // hides behind IS TRUE: otherwise the planner may look for these groups' photos among all that expired.
            // Triggers: photos_log_change (migrations/schema.sql)
            let recorded = try tx.execute(
                """
                UPDATE photos SET removal_logged = true
                WHERE group_id = ANY(\(locked)) AND (expires_at <= now()) IS TRUE AND NOT removal_logged
                """)
            return (last, recorded)
        }
    }
}

extension ExpiryPosition {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(expiresAt: try row.get("expires_at"), photo: try row.get("id"))
    }
}
