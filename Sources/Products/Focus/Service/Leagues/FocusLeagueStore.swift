import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about leagues and seats.
enum FocusLeagueStore {
    /// The places of a league's members, by a user's seat of a week.
    ///
    /// - Parameter week: nil: the caller's current week.
    static func reading(week: DayNumber?, for user: UserID) -> SQL {
        """
        SELECT b.is_joined, b.week - DATE '1970-01-01' AS week,
            extract(epoch FROM focus_closes_at(b.week))::bigint AS closes_at, l.tier, l.seats,
            l.closed_at IS NOT NULL AS is_closed, s.user_id, p.nickname, s.place,
            CASE WHEN l.closed_at IS NULL THEN coalesce(w.xp + w.usage_points, 0) ELSE s.points END AS points,
            CASE WHEN l.closed_at IS NULL THEN coalesce(w.xp, 0) ELSE s.xp END AS xp
        FROM (
            SELECT p.user_id IS NOT NULL AS is_joined,
                coalesce(DATE '1970-01-01' + \(week)::integer,
                    date_trunc('week', local_day(now(), u.time_zone)::timestamp)::date) AS week
            FROM users u LEFT JOIN focus_profiles p ON p.user_id = u.id
            WHERE u.id = \(user)
        ) b
        LEFT JOIN focus_seats mine ON mine.week = b.week AND mine.user_id = \(user)
        LEFT JOIN focus_leagues l ON l.week = mine.week AND l.tier = mine.tier AND l.number = mine.number
        LEFT JOIN focus_seats s ON s.week = mine.week AND s.tier = mine.tier AND s.number = mine.number
        LEFT JOIN focus_profiles p ON p.user_id = s.user_id
        LEFT JOIN focus_weeks w ON w.user_id = s.user_id AND w.week = s.week
        ORDER BY s.place, points DESC, xp DESC, s.seated_at, s.user_id
        """
    }

    /// The week whose leagues are open to new seats: its predecessor's close is past, its own is not.
    private static let openWeek: SQL =
        "date_trunc('week', (now() AT TIME ZONE 'UTC') - interval '17 hours')::date"

    /// Gives the user a seat of the open week if they are due: they take part in leagues, have league points, and have no
    /// other open seat.
    ///
    /// - Parameter size: the seats of a league.
    static func seatIfDue(_ tx: PostgresTransaction, _ user: UserID, size: Int) throws {
        let row = try tx.first(
            """
            SELECT w.week, p.tier
            FROM focus_profiles p
            JOIN focus_weeks w ON w.user_id = p.user_id AND w.week = \(fragment: Self.openWeek)
            WHERE p.user_id = \(user) AND p.leagues AND p.nickname IS NOT NULL AND w.xp + w.usage_points > 0
            AND NOT EXISTS (SELECT FROM focus_seats s WHERE s.week = w.week AND s.user_id = p.user_id)
            AND NOT EXISTS (
                SELECT FROM focus_seats s
                JOIN focus_leagues l ON l.week = s.week AND l.tier = s.tier AND l.number = s.number
                WHERE s.user_id = p.user_id AND s.week < w.week AND l.closed_at IS NULL
            )
            """)
        guard let row else { return }
        try seat(tx, user, week: try row.get("week"), tier: try row.get("tier"), size: size)
    }

    /// Seats are given one after the other within a week and tier, so that leagues fill up in the order of their numbers.
    private static func seat(
        _ tx: PostgresTransaction, _ user: UserID, week: PostgresDate, tier: Int, size: Int
    ) throws {
        try lockSeating(tx, week: week, tiers: tier...tier)
        guard try isStillFree(tx, user, week: week) else { return }
        let free = try tx.first(
            """
            SELECT l.number FROM focus_leagues l
            WHERE l.week = \(week) AND l.tier = \(tier)::smallint AND l.has_room AND l.closed_at IS NULL
            AND NOT EXISTS (
                SELECT FROM focus_seats s JOIN blocks b ON b.blocker_id = \(user) AND b.blocked_id = s.user_id
                WHERE s.week = l.week AND s.tier = l.tier AND s.number = l.number
            )
            AND NOT EXISTS (
                SELECT FROM focus_seats s JOIN blocks b ON b.blocked_id = \(user) AND b.blocker_id = s.user_id
                WHERE s.week = l.week AND s.tier = l.tier AND s.number = l.number
            )
            ORDER BY l.number
            LIMIT 1
            """)
        let number = try free?.get("number") ?? insert(tx, week: week, tier: tier)
        try tx.execute(
            """
            INSERT INTO focus_seats (week, user_id, tier, number)
            VALUES (\(week), \(user), \(tier)::smallint, \(number)::integer)
            """)
        try tx.execute(
            """
            UPDATE focus_leagues SET seats = seats + 1, has_room = seats + 1 < \(size)
            WHERE week = \(week) AND tier = \(tier)::smallint AND number = \(number)::integer
            """)
    }

    private static func lockSeating(
        _ tx: PostgresTransaction, week: PostgresDate, tiers: ClosedRange<Int>
    ) throws {
        for tier in tiers {
            try tx.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended('focus league ' || \(week) || ' ' || \(tier), 0))"
            )
        }
    }

    /// Whether the user has no seat of the week and its leagues are not closed. While this transaction waited for the lock,
    /// another one may have given the seat, or closed the leagues of a week that was open when this one began.
    private static func isStillFree(_ tx: PostgresTransaction, _ user: UserID, week: PostgresDate) throws
        -> Bool
    {
        try tx.one(
            """
            SELECT NOT EXISTS (SELECT FROM focus_seats WHERE week = \(week) AND user_id = \(user))
                AND NOT EXISTS (SELECT FROM focus_closes WHERE week = \(week) AND leagues_done) AS is_free
            """
        ).get("is_free")
    }

    private static func insert(_ tx: PostgresTransaction, week: PostgresDate, tier: Int) throws -> Int {
        try tx.one(
            """
            INSERT INTO focus_leagues (week, tier, number)
            SELECT \(week), \(tier)::smallint, coalesce(max(number), 0) + 1 FROM focus_leagues
            WHERE week = \(week) AND tier = \(tier)::smallint
            RETURNING number
            """
        ).get("number")
    }

    /// Takes the user's seats in open leagues away.
    static func deleteOpenSeats(_ tx: PostgresTransaction, of user: UserID) throws {
        // Triggers: focus_seats_free (migrations/schema.sql)
        try tx.execute(
            """
            DELETE FROM focus_seats s USING focus_leagues l
            WHERE s.user_id = \(user) AND l.week = s.week AND l.tier = s.tier AND l.number = s.number
            AND l.closed_at IS NULL
            """)
    }

    /// Closes the next league of a week as it is. Its members keep their tiers.
    static func closeWithoutPlaces(_ tx: PostgresTransaction, week: PostgresDate) throws {
        try tx.execute(
            """
            UPDATE focus_leagues SET closed_at = now(), has_room = false
            WHERE (week, tier, number) IN (
                SELECT week, tier, number FROM focus_leagues
                WHERE week = \(week) AND closed_at IS NULL
                ORDER BY tier, number
                LIMIT 1)
            """)
    }

    /// Closes leagues of a week: gives all members their places, and some of them another tier. It waits for transactions that give
    /// or free a seat of the week, so that the week has no open league if none is closed.
    ///
    /// - Parameters:
    ///   - limit: the leagues at most.
    ///   - seats: no further league is closed where those before it have as many seats.
    /// - Returns: the number of leagues closed.
    static func close(_ tx: PostgresTransaction, week: PostgresDate, limit: Int, seats: Int) throws -> Int {
        try lockSeating(tx, week: week, tiers: 0...4)
        // A statement of its own, so that the next one sees the seats as they are when the leagues are locked.
        try tx.execute(
            """
            SELECT FROM focus_leagues WHERE week = \(week) AND closed_at IS NULL
            ORDER BY tier, number LIMIT \(limit) FOR UPDATE
            """)
        return try tx.execute(
            """
            WITH claimed AS MATERIALIZED (
                SELECT week, tier, number FROM (
                    SELECT week, tier, number, sum(seats) OVER (ORDER BY tier, number) - seats AS seats_before FROM (
                        SELECT week, tier, number, seats FROM focus_leagues
                        WHERE week = \(week) AND closed_at IS NULL
                        ORDER BY tier, number
                        LIMIT \(limit)
                    ) AS open
                ) AS counted
                WHERE seats_before < \(seats)::bigint
            ),
            figures AS (
                SELECT s.user_id, s.tier, s.number, s.seated_at, coalesce(w.xp + w.usage_points, 0) AS points,
                    coalesce(w.xp, 0) AS xp
                FROM claimed c
                JOIN focus_seats s ON s.week = c.week AND s.tier = c.tier AND s.number = c.number
                LEFT JOIN focus_weeks w ON w.user_id = s.user_id AND w.week = \(week)
            ),
            placed AS (
                SELECT f.*, row_number() OVER league AS place, least(7, count(*) OVER whole / 4) AS moving,
                    count(*) OVER whole AS seats
                FROM figures f
                WINDOW whole AS (PARTITION BY f.tier, f.number),
                    league AS (PARTITION BY f.tier, f.number ORDER BY f.points DESC, f.xp DESC, f.seated_at, f.user_id)
            ),
            moved AS MATERIALIZED (
                SELECT p.*,
                    CASE WHEN p.place <= p.moving AND p.tier < 4 THEN p.tier + 1
                        WHEN p.place > p.seats - p.moving AND p.tier > 0 THEN p.tier - 1
                        ELSE p.tier END AS next_tier
                FROM placed p
            ),
            seated AS (
                UPDATE focus_seats s
                SET place = m.place, points = m.points, xp = m.xp, next_tier = m.next_tier
                FROM moved m
                WHERE s.week = \(week) AND s.user_id = m.user_id
            ),
            tiers AS (
                UPDATE focus_profiles p SET tier = m.next_tier
                FROM moved m
                WHERE p.user_id = m.user_id AND m.next_tier <> m.tier
            )
            UPDATE focus_leagues l SET closed_at = now(), has_room = false
            FROM claimed c
            WHERE l.week = c.week AND l.tier = c.tier AND l.number = c.number
            """)
    }
}
