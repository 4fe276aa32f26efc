import Auth
import FeatureKit
import Postgres

/// All SQL that writes `contact_checks`: the numbers that users have looked up today. Functions that take a transaction
/// expect that it has locked the user's row.
struct ContactStore: Sendable {
    let postgres: PostgresClient

    /// The bytes of a tag that stands for a number. Two numbers with the same tag count as one.
    static let tagLength = 8

    /// The tags of the numbers that the user has looked up since the day began.
    func asked(_ tx: PostgresTransaction, by user: UserID) throws -> Set<[UInt8]> {
        let row = try tx.first(
            "SELECT asked FROM contact_checks WHERE user_id = \(user) AND ends_at > now()")
        let bytes: [UInt8] = try row?.get("asked") ?? []
        return Set(
            stride(from: 0, to: bytes.count, by: Self.tagLength).map {
                Array(bytes[$0..<min($0 + Self.tagLength, bytes.count)])
            })
    }

    /// Adds tags to the day, or begins a new day with them.
    func remember(_ tx: PostgresTransaction, _ tags: [[UInt8]], by user: UserID, for window: Duration) throws
    {
        try tx.execute(
            """
            INSERT INTO contact_checks AS kept (user_id, asked, ends_at)
            VALUES (\(user), \(Array(tags.joined())), now() + \(window))
            ON CONFLICT (user_id) DO UPDATE SET
                asked = CASE WHEN kept.ends_at > now() THEN kept.asked ELSE '' END || excluded.asked,
                ends_at = CASE WHEN kept.ends_at > now() THEN kept.ends_at ELSE excluded.ends_at END
            """)
    }

    /// Deletes days that have ended, a batch at a time.
    ///
    /// - Returns: the number of deleted days.
    func deleteEnded(batch: Int) async throws -> Int {
        try await postgres.executeInBatches(of: batch) { batch in
            """
            DELETE FROM contact_checks WHERE user_id IN (
                SELECT user_id FROM contact_checks WHERE ends_at <= now() LIMIT \(batch) FOR UPDATE SKIP LOCKED
            )
            """
        }
    }
}
