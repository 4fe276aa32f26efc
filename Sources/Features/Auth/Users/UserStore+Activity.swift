import FeatureKit
import Foundation
import Postgres

/// When accounts were used, by the day.
extension UserStore {
    static let today: SQL = "(now() AT TIME ZONE 'UTC')::date"

    /// As the index users_last_active_on has it. An account that was never used counts from its creation.
    private static let lastActiveOn: SQL = "coalesce(last_active_on, (created_at AT TIME ZONE 'UTC')::date)"

    /// Notes today, unless another transaction has locked the row: the next call notes it then.
    static func notingActivity(of user: UserID) -> SQL {
        """
        UPDATE users SET last_active_on = \(fragment: today)
        WHERE id IN (
            SELECT id FROM users
            WHERE id = \(user) AND last_active_on IS DISTINCT FROM \(fragment: today)
            FOR NO KEY UPDATE SKIP LOCKED)
        """
    }

    static func noteActivity(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(notingActivity(of: user))
    }

    /// Accounts that were last used before a day, as far as their own rows tell.
    static func dormant(
        _ postgres: PostgresClient, since limit: DormancyLimit, beyond excluded: [UserID], count: Int
    ) async throws -> [UserID] {
        try await postgres.query(
            """
            SELECT id FROM users
            WHERE \(fragment: lastActiveOn) < \(fragment: limit.day) AND id <> ALL(\(excluded))
            ORDER BY \(fragment: lastActiveOn)
            LIMIT \(count)
            """
        ).map { try $0.get("id") }
    }

    /// Locks an account with its sessions and looks again. A refresh notes its day in the session alone where the account's
    /// row is locked, so both count.
    static func isDormant(_ tx: PostgresTransaction, _ user: UserID, since limit: DormancyLimit) throws
        -> Bool
    {
        let row = try tx.first(
            """
            SELECT \(fragment: lastActiveOn) < \(fragment: limit.day) AS is_dormant
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

/// From when on an account counts as dormant.
struct DormancyLimit: Sendable {
    let age: Duration
    /// The service's own time. Where PostgreSQL's clock runs ahead of it, this one decides: a clock that is wrong for a
    /// moment must not delete everybody.
    let now: Date

    /// The first day on which use still counts. Use is kept by the day, so the day itself has to be over, too.
    var day: SQL {
        """
        (least(now(), \(now)) AT TIME ZONE 'UTC' - make_interval(secs => \(age / .seconds(1))))::date
        """
    }
}
