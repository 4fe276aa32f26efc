import FeatureKit
import Foundation
import Postgres

/// The last use of accounts, by the day.
extension UserStore {
    static let today: SQL = "(now() AT TIME ZONE 'UTC')::date"

    /// The expression of the index users_last_active_on. An account that was never used counts from its creation.
    private static let lastActiveOn: SQL = "coalesce(last_active_on, (created_at AT TIME ZONE 'UTC')::date)"

    /// Records today, unless another transaction has locked the row. Then the next call records it.
    func recordActivity(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(Self.recordingActivity(of: user))
    }

    func recordActivity(of user: UserID) async throws {
        try await postgres.execute(Self.recordingActivity(of: user))
    }

    private static func recordingActivity(of user: UserID) -> SQL {
        """
        UPDATE users SET last_active_on = \(fragment: today)
        WHERE id IN (
            SELECT id FROM users
            WHERE id = \(user) AND last_active_on IS DISTINCT FROM \(fragment: today)
            FOR NO KEY UPDATE SKIP LOCKED)
        """
    }

    /// Accounts that were last used before the limit's day according to their own rows. Sessions may know a later use.
    func dormant(
        since limit: DormancyLimit, beyond excluded: [UserID], count: Int
    ) async throws -> [UserID] {
        try await postgres.query(
            """
            SELECT id FROM users
            WHERE \(fragment: Self.lastActiveOn) < \(fragment: limit.day) AND id <> ALL(\(excluded))
            ORDER BY \(fragment: Self.lastActiveOn)
            LIMIT \(count)
            """
        ).map { try $0.get("id") }
    }

    /// Locks an account with its sessions and checks again. When the account's row is locked, a refresh records its day in
    /// the session only, so both rows count.
    func isDormant(_ tx: PostgresTransaction, _ user: UserID, since limit: DormancyLimit) throws
        -> Bool
    {
        let row = try tx.first(
            """
            SELECT \(fragment: Self.lastActiveOn) < \(fragment: limit.day) AS is_dormant
            FROM users
            WHERE id = \(user)
            FOR NO KEY UPDATE
            """)
        guard try row?.get("is_dormant") == true else { return false }
        let sessions = try tx.query(
            """
            SELECT (last_used_at AT TIME ZONE 'UTC')::date < \(fragment: limit.day) AS is_dormant
            FROM sessions
            WHERE user_id = \(user)
            ORDER BY id
            FOR NO KEY UPDATE
            """)
        return try sessions.allSatisfy { try $0.get("is_dormant") }
    }
}

/// The limit before which an unused account counts as dormant.
struct DormancyLimit: Sendable {
    let age: Duration
    /// The process's own time. When PostgreSQL's clock is ahead of it, this time decides, so that a clock that is wrong for
    /// a moment does not delete everybody's account.
    let now: Date

    /// The first day on which use still counts. Use is recorded by the day, so the limit's own day must be over too.
    var day: SQL {
        """
        (least(now(), \(now)) AT TIME ZONE 'UTC' - \(age))::date
        """
    }
}
