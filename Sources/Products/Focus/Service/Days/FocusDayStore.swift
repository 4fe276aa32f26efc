import FeatureKit
import FocusRules
import Postgres

/// SQL about `focus_days` and `focus_weeks`.
enum FocusDayStore {
    /// The user's days from one day to another that have a row, in order.
    ///
    /// - Parameter streaksFrom: the streaks of the days from this one on are read.
    static func days(
        _ tx: PostgresTransaction, of user: UserID, from first: DayNumber, through last: DayNumber,
        streaksFrom: DayNumber?
    ) throws -> [FocusDayState] {
        try tx.query(
            """
            SELECT day - DATE '1970-01-01' AS day, points, streak_count, longest_streak, estimated, minutes, rating,
                CASE WHEN day >= DATE '1970-01-01' + \(streaksFrom)::integer THEN streaks END AS streaks
            FROM focus_days
            WHERE user_id = \(user) AND day >= DATE '1970-01-01' + \(first)::integer
            AND day <= DATE '1970-01-01' + \(last)::integer
            ORDER BY day
            """
        ).map(FocusDayState.init)
    }

    /// - Returns: false if the day has no screen time.
    static func rate(_ tx: PostgresTransaction, _ day: DayNumber, of user: UserID, isUp: Bool) throws -> Bool
    {
        try tx.execute(
            """
            UPDATE focus_days SET rating = \(isUp ? 1 : -1)::smallint
            WHERE user_id = \(user) AND day = DATE '1970-01-01' + \(day)::integer AND minutes IS NOT NULL
            """) == 1
    }

    /// The user's weeks with streaks, newest first.
    ///
    /// - Parameter before: only the weeks before this one.
    static func weeks(
        _ tx: PostgresTransaction, of user: UserID, before: DayNumber?, limit: Int
    ) throws -> [(week: DayNumber, figures: DayFigures)] {
        try tx.query(
            """
            SELECT week - DATE '1970-01-01' AS week, points, streak_count, longest_streak, estimated
            FROM focus_weeks
            WHERE user_id = \(user) AND streak_count > 0
            AND week < coalesce(DATE '1970-01-01' + \(before)::integer, 'infinity')
            ORDER BY week DESC
            LIMIT \(limit)
            """
        ).map { (try $0.get("week"), try DayFigures($0)) }
    }
}

extension DayFigures {
    /// From the columns of a day or a week.
    init(_ row: PostgresRow) throws {
        self.init(
            points: try row.get("points"), streakCount: try row.get("streak_count"),
            longestStreak: try row.get("longest_streak"), isEstimated: try row.get("estimated"))
    }
}

extension FocusDayState {
    init(_ row: PostgresRow) throws {
        self.init(day: try row.get("day"))
        figures = try DayFigures(row)
        minutes = try row.get("minutes")
        isRatedUp = try row.get("rating", as: Int?.self).map { $0 > 0 }
        if let packed: [UInt8] = try row.get("streaks", as: [UInt8]?.self) {
            guard let found = DayStreaks(day: day, packed: packed) else {
                throw PostgresError.decoding("the streaks of a day are not of their form")
            }
            streaks = found
        }
    }
}

extension FocusDayStore {
    static func inserting(_ days: [FocusDayState], of user: UserID) -> SQL {
        """
        INSERT INTO focus_days AS known
            (user_id, day, points, streak_count, longest_streak, estimated, streaks, minutes)
        SELECT \(user), DATE '1970-01-01' + d.day, d.points, d.streak_count, d.longest_streak, d.estimated, d.streaks,
            d.minutes
        FROM unnest(
            \(days.map(\.day))::integer[], \(days.map(\.figures.points))::integer[],
            \(days.map(\.figures.streakCount))::integer[], \(days.map(\.figures.longestStreak))::integer[],
            \(days.map(\.figures.isEstimated)), \(days.map { $0.streaks?.packed }),
            \(days.map(\.minutes))::smallint[]
        ) AS d (day, points, streak_count, longest_streak, estimated, streaks, minutes)
        ON CONFLICT (user_id, day) DO UPDATE
        SET points = excluded.points, streak_count = excluded.streak_count,
            longest_streak = excluded.longest_streak, estimated = excluded.estimated,
            streaks = coalesce(excluded.streaks, known.streaks), minutes = coalesce(excluded.minutes, known.minutes)
        """
    }

    static func inserting(_ weeks: [FocusFigures.Week], of user: UserID) -> SQL {
        """
        INSERT INTO focus_weeks AS known
            (user_id, week, points, streak_count, longest_streak, estimated, usage_points)
        SELECT \(user), DATE '1970-01-01' + w.week, w.points, w.streak_count, w.longest_streak, w.estimated,
            w.usage_points
        FROM unnest(
            \(weeks.map(\.week))::integer[], \(weeks.map(\.figures.points))::integer[],
            \(weeks.map(\.figures.streakCount))::integer[], \(weeks.map(\.figures.longestStreak))::integer[],
            \(weeks.map(\.figures.isEstimated)), \(weeks.map(\.usagePoints))::integer[]
        ) AS w (week, points, streak_count, longest_streak, estimated, usage_points)
        ON CONFLICT (user_id, week) DO UPDATE
        SET points = excluded.points, streak_count = excluded.streak_count,
            longest_streak = excluded.longest_streak, estimated = excluded.estimated,
            usage_points = known.usage_points + excluded.usage_points
        """
    }

    /// Adds XP that a user has earned on a local day to the league points of its week.
    static func addXP(_ tx: PostgresTransaction, _ xp: Int, on day: DayNumber, to user: UserID) throws {
        try tx.execute(
            """
            INSERT INTO focus_weeks AS known (user_id, week, xp)
            VALUES (\(user), DATE '1970-01-01' + \(monday(of: day))::integer, \(xp)::integer)
            ON CONFLICT (user_id, week) DO UPDATE SET xp = known.xp + excluded.xp
            """)
    }
}
