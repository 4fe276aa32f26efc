import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about `focus_feed`. An item is read with the present name and settings of its user.
struct FocusFeedStore: Sendable {
    /// How long items are kept.
    static let lifetime = Duration.seconds(30 * 86_400)

    let postgres: PostgresClient

    /// Follows a change of the user's streaks. One that stays keeps its id. Nothing is written for a user without followers.
    func change(_ tx: PostgresTransaction, of user: UserID, added: [FeedStreak], removed: [FeedStreak]) throws
    {
        let gone = Set(removed.filter(\.isLong).map(\.endedAt)).subtracting(
            added.filter(\.isLong).map(\.endedAt))
        if !gone.isEmpty { try deleteStreaks(tx, of: user, endedAt: gone.sorted()) }
        let long = added.filter(\.isLong)
        guard !long.isEmpty else { return }
        try tx.execute(
            """
            INSERT INTO focus_feed (user_id, id, ended_at, seconds)
            SELECT \(user), focus_feed_id(to_timestamp(s.ended_at)), to_timestamp(s.ended_at), s.seconds
            FROM unnest(\(long.map(\.endedAt)), \(long.map(\.seconds))) AS s (ended_at, seconds)
            WHERE EXISTS (
                SELECT FROM focus_follows f WHERE f.followed_id = \(user) AND f.since < to_timestamp(s.ended_at)
            )
            ON CONFLICT (user_id, ended_at) WHERE seconds IS NOT NULL DO UPDATE SET seconds = excluded.seconds
            """)
    }

    private func deleteStreaks(_ tx: PostgresTransaction, of user: UserID, endedAt ends: [Instant]) throws {
        try tx.execute(
            """
            DELETE FROM focus_feed
            WHERE user_id = \(user) AND seconds IS NOT NULL
                AND ended_at IN (SELECT to_timestamp(at) FROM unnest(\(ends)) AS at)
            """)
    }

    /// The next user of `insertWeeks`; nil after the last one.
    static func next(_ tx: PostgresTransaction, after: UUID) throws -> UUID? {
        try tx.first(
            """
            SELECT followed_id FROM focus_follows WHERE followed_id > \(after) ORDER BY followed_id LIMIT 1
            """
        )?.get("followed_id")
    }

    /// Writes a closed week of the next followed users who have points in it. Repeating it has no further effect.
    ///
    /// - Returns: the last of these users; nil after the last user.
    static func insertWeeks(
        _ tx: PostgresTransaction, _ week: PostgresDate, after: UUID, limit: Int
    ) throws -> UserID? {
        let users: [UserID] = try tx.query(
            """
            SELECT followed_id FROM focus_follows WHERE followed_id > \(after)
            GROUP BY followed_id
            ORDER BY followed_id
            LIMIT \(limit)
            """
        ).map { try $0.get("followed_id") }
        guard let last = users.last else { return nil }
        try tx.execute(
            """
            INSERT INTO focus_feed (user_id, id, ended_at, week, points, streak_count)
            SELECT w.user_id, focus_feed_id(closes.at), closes.at, w.week, w.points, w.streak_count
            FROM focus_weeks w
            CROSS JOIN LATERAL (SELECT focus_closes_at(w.week) AS at) AS closes
            WHERE w.user_id = ANY(\(users)) AND w.week = \(week) AND w.points > 0
                AND EXISTS (
                    SELECT FROM focus_follows f WHERE f.followed_id = w.user_id AND f.since < closes.at
                )
            ON CONFLICT (user_id, week) WHERE week IS NOT NULL DO NOTHING
            """)
        return last
    }

    /// A page of the user's feed, newest first, and one more item if there are further ones.
    ///
    /// - Parameter before: the id of the last item of the page before.
    func page(
        _ tx: PostgresTransaction, for user: UserID, before: UUID?
    ) throws -> ListPage<FocusFeedEntry> {
        let size = ListPage<FocusFeedEntry>.size + 1
        return ListPage(
            try tx.query(
                """
                SELECT u.id AS person, p.nickname, CASE WHEN known.shares_group THEN u.first_name END AS first_name,
                    item.id, item.seconds, item.week - DATE '1970-01-01' AS week, item.points, item.streak_count,
                    extract(epoch FROM date_trunc('hour', item.ended_at, 'UTC'))::bigint AS at
                FROM focus_follows f
                \(fragment: FocusFollowStore.person("f.followed_id", seenBy: user))
                CROSS JOIN LATERAL (
                    SELECT i.* FROM focus_feed i
                    WHERE i.user_id = f.followed_id AND i.ended_at > f.since
                        AND i.ended_at > now() - \(Self.lifetime)
                        AND i.id < coalesce(\(before), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                    ORDER BY i.id DESC
                    LIMIT \(size)
                ) AS item
                WHERE f.follower_id = \(user) AND p.feed AND (known.shares_group OR p.nickname IS NOT NULL)
                ORDER BY item.id DESC
                LIMIT \(size)
                """
            ).map(FocusFeedEntry.init))
    }

    /// Deletes items that are too old.
    ///
    /// - Returns: the number of deleted rows.
    func deleteOld(batch: Int = 10_000) async throws -> Int {
        try await postgres.executeInBatches(of: batch) { batch in
            """
            DELETE FROM focus_feed WHERE (user_id, id) IN (
                SELECT user_id, id FROM focus_feed WHERE ended_at <= now() - \(Self.lifetime)
                ORDER BY ended_at
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED
            )
            """
        }
    }
}

extension FocusFeedEntry {
    fileprivate init(_ row: PostgresRow) throws {
        let content: Content =
            if let seconds: Int = try row.get("seconds") {
                .streak(seconds: seconds)
            } else {
                .week(
                    try row.get("week"), points: try row.get("points"),
                    streakCount: try row.get("streak_count"))
            }
        self.init(
            id: try row.get("id"), person: try row.get("person"), nickname: try row.get("nickname"),
            firstName: try row.get("first_name"), at: try row.get("at"), content: content)
    }
}
