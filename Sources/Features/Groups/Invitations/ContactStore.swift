import FeatureKit
import Auth
import Postgres

/// Which numbers users have asked about today: all SQL that writes `contact_checks`. The user's row is locked while one
/// of these functions runs.
struct ContactStore: Sendable {
    /// Bytes that stand for a number. Two numbers of one user that share them cost one place of the quota.
    static let tagLength = 8

    /// The tags of the numbers that the user has asked about since the day began.
    func asked(_ tx: PostgresTransaction, by user: UserID) throws -> Set<[UInt8]> {
        let row = try tx.first(
            "SELECT asked FROM contact_checks WHERE user_id = \(user) AND ends_at > now()")
        let bytes: [UInt8] = try row?.get("asked") ?? []
        return Set(
            stride(from: 0, to: bytes.count, by: Self.tagLength).map {
                Array(bytes[$0..<min($0 + Self.tagLength, bytes.count)])
            })
    }

    /// Adds tags to the day's, or begins a day with them.
    func remember(_ tx: PostgresTransaction, _ tags: [[UInt8]], by user: UserID, for window: Duration) throws
    {
        try tx.execute(
            """
            INSERT INTO contact_checks AS kept (user_id, asked, ends_at)
            VALUES (\(user), \(Array(tags.joined())), now() + \(window.components.seconds) * interval '1 second')
            ON CONFLICT (user_id) DO UPDATE SET
                asked = CASE WHEN kept.ends_at > now() THEN kept.asked ELSE '' END || excluded.asked,
                ends_at = CASE WHEN kept.ends_at > now() THEN kept.ends_at ELSE excluded.ends_at END
            """)
    }

    /// Deletes up to `limit` days that are over.
    /// - Returns: how many.
    static func deleteEnded(_ postgres: PostgresClient, limit: Int) async throws -> Int {
        try await postgres.execute(
            """
            DELETE FROM contact_checks WHERE user_id IN (
                SELECT user_id FROM contact_checks WHERE ends_at <= now() LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            """)
    }
}
