import FeatureKit
import FocusRules
import Postgres

/// SQL that finds other users of Focus, and says what stands between them and the caller.
enum FocusPersonStore {
    /// The user with a nickname, in any case; nil if there is none.
    static func find(_ tx: PostgresTransaction, nickname: String) throws -> UserID? {
        try tx.first("SELECT user_id FROM focus_profiles WHERE lower(nickname) = lower(\(nickname))")?
            .get("user_id")
    }

    static func hasProfile(_ tx: PostgresTransaction, _ user: UserID) throws -> Bool {
        try tx.first("SELECT 1 AS one FROM focus_profiles WHERE user_id = \(user)") != nil
    }

    static func shareGroup(_ tx: PostgresTransaction, _ one: UserID, _ other: UserID) throws -> Bool {
        try tx.first(
            "SELECT \(fragment: FocusFollowStore.sharesGroup(SQL(id: other), with: one)) AS shares_group")?
            .get("shares_group") ?? false
    }

    /// Locks the memberships of both in the groups that they share, until the end of the transaction.
    ///
    /// - Returns: false if they share none.
    static func lockSharedGroups(_ tx: PostgresTransaction, _ one: UserID, _ other: UserID) throws -> Bool {
        try !tx.query(
            """
            SELECT 1 AS one FROM group_members a JOIN group_members b ON b.group_id = a.group_id
            WHERE a.user_id = \(one) AND b.user_id = \(other)
            ORDER BY a.group_id
            FOR SHARE OF a, b
            """
        ).isEmpty
    }

    /// Whether one of the two blocks the other.
    static func isBlocked(_ tx: PostgresTransaction, between one: UserID, _ other: UserID) throws -> Bool {
        try tx.first(
            """
            SELECT 1 AS one FROM blocks
            WHERE (blocker_id, blocked_id) IN ((\(one), \(other)), (\(other), \(one)))
            LIMIT 1
            """) != nil
    }

    /// The page of a nickname as the user sees it; nil if nobody has the nickname or a block stands between the two.
    static func page(_ tx: PostgresTransaction, of nickname: String, for user: UserID) throws
        -> FocusNicknamePage?
    {
        let row = try tx.first(
            """
            SELECT p.user_id, p.nickname, p.tier, days.monday - DATE '1970-01-01' AS week,
                coalesce(w.points, 0) AS points, coalesce(w.streak_count, 0) AS streak_count,
                EXISTS (
                    SELECT FROM focus_follows f WHERE f.follower_id = \(user) AND f.followed_id = p.user_id
                ) AS is_followed
            FROM focus_profiles p
            JOIN users u ON u.id = p.user_id
            CROSS JOIN LATERAL (
                SELECT date_trunc('week', local_day(now(), u.time_zone))::date AS monday
            ) AS days
            LEFT JOIN focus_weeks w ON w.user_id = p.user_id AND w.week = days.monday
            WHERE lower(p.nickname) = lower(\(nickname))
                AND NOT EXISTS (
                    SELECT FROM blocks b
                    WHERE (b.blocker_id, b.blocked_id) IN ((\(user), p.user_id), (p.user_id, \(user)))
                )
            """)
        return try row.map { row in
            FocusNicknamePage(
                user: try row.get("user_id"), nickname: try row.get("nickname"), tier: try Tier(row),
                week: try row.get("week"), points: try row.get("points"),
                streakCount: try row.get("streak_count"), isFollowed: try row.get("is_followed"))
        }
    }
}

extension SQL {
    fileprivate init(id: UserID) { self = "\(id)" }
}

extension Tier {
    /// From the column `tier`.
    fileprivate init(_ row: PostgresRow) throws {
        let place: Int = try row.get("tier")
        self = Tier.allCases.indices.contains(place) ? Tier.allCases[place] : .bronze
    }
}
