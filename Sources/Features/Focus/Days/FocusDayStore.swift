import FeatureKit
import FocusRules
import Postgres

/// SQL about `focus_days` and `focus_weeks`.
struct FocusDayStore: Sendable {
    /// The user's days from one day to another that have a row, in order.
    ///
    /// - Parameter streaksFrom: the streaks of the days from this one on are read.
    func days(
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
    func rate(_ tx: PostgresTransaction, _ day: DayNumber, of user: UserID, isUp: Bool) throws -> Bool {
        try tx.execute(
            """
            UPDATE focus_days SET rating = \(isUp ? 1 : -1)::smallint
            WHERE user_id = \(user) AND day = DATE '1970-01-01' + \(day)::integer AND minutes IS NOT NULL
            """) == 1
    }

    /// The user's weeks with streaks, newest first.
    ///
    /// - Parameter before: only the weeks before this one.
    func weeks(
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
