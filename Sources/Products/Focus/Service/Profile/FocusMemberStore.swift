import FeatureKit
import Foundation
import Postgres

/// Finds the members of Focus. Every call of Focus but those of the profile itself begins here.
struct FocusMemberStore: Sendable {
    let postgres: PostgresClient

    /// - Throws: `FocusError.notJoined`.
    func require(_ tx: PostgresTransaction, _ user: UserID) throws -> FocusMember {
        try find(tx, user, lock: "")
    }

    /// Locks the profile until the end of the transaction, so that a user's changes run one after the other. In the order of
    /// locks the profile comes after users and before every other row of Focus.
    ///
    /// Days, weeks and pauses follow from the time of a change, so it needs one that is agreed.
    ///
    /// - Throws: `FocusError.notJoined`.
    func requireLocked(_ tx: PostgresTransaction, _ user: UserID) throws -> FocusMember {
        let member = try find(tx, user, lock: "FOR NO KEY UPDATE OF p")
        try tx.requireAgreed(Date(instant: member.now))
        return member
    }

    private func find(_ tx: PostgresTransaction, _ user: UserID, lock: SQL) throws -> FocusMember {
        let row = try tx.first(
            """
            SELECT \(fragment: Self.columns)
            FROM focus_profiles p JOIN users u ON u.id = p.user_id
            WHERE p.user_id = \(user)
            \(fragment: lock)
            """)
        guard let row else { throw FocusError.notJoined }
        return try FocusMember(user, row)
    }

    /// The columns of a member, from the profile `p` and the user `u`.
    static let columns: SQL = """
        u.time_zone, extract(epoch FROM date_trunc('second', now()))::bigint AS now,
        local_day(now(), u.time_zone) - DATE '1970-01-01' AS today,
        p.joined_on - DATE '1970-01-01' AS joined_on,
        extract(epoch FROM date_trunc('second', p.pro_until))::bigint AS pro_until
        """
}

extension FocusMember {
    /// From `FocusMemberStore.columns`.
    init(_ user: UserID, _ row: PostgresRow) throws {
        self.init(
            user: user, zone: try row.get("time_zone"), now: try row.get("now"), today: try row.get("today"),
            joinedOn: try row.get("joined_on"), proUntil: try row.get("pro_until"))
    }
}
