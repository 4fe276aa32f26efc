import CompanionRules
import FeatureKit
import Foundation
import Postgres

enum CompanionRecoveryTag {}
typealias CompanionRecoveryID = ID<CompanionRecoveryTag>

/// SQL about `companion_recoveries`. The writers hold the lock of the owner's settings.
enum CompanionRecoveryStore {
    /// The times of the owner's earlier recoveries of each kind, whichever pet they were for, as far as a pause or a count can
    /// still look at them.
    static func earlier(_ tx: PostgresTransaction, of user: UserID) throws -> [RecoveryKind: [Instant]] {
        try tx.query(
            """
            SELECT kind, extract(epoch FROM at)::bigint AS at FROM companion_recoveries
            WHERE user_id = \(user) AND at > now() - \(oldest)
            """
        ).reduce(into: [:]) { earlier, row in
            earlier[try RecoveryKind(stored: row.get("kind")), default: []].append(try row.get("at"))
        }
    }

    /// No catalogue has a longer window or pause than a year.
    private static let oldest = Duration.seconds(366 * 86_400)

    static func insert(
        _ tx: PostgresTransaction, _ id: CompanionRecoveryID, _ kind: RecoveryKind, of pet: CompanionPetID,
        _ owner: CompanionOwner
    ) throws {
        try tx.execute(
            """
            INSERT INTO companion_recoveries (user_id, id, kind, pet_id, at)
            VALUES (\(owner.user), \(id), \(kind.rawValue), \(pet), to_timestamp(\(owner.now)))
            """)
    }
}
