import CompanionRules
import FeatureKit
import Postgres

/// SQL that measures `open_seconds` of running days anew when their bounds change: when a day begins while a window is open,
/// and when a change of zone moves a day's end.
enum CompanionWindowStore {
    /// Days of accounts have ended. Windows run on over the end of a day.
    static func daysEnded(_ tx: PostgresTransaction, _ accounts: [CompanionEndedDays]) throws {
        // A window lasts at most an hour, so that it reaches into the day after that of its bypass alone.
        try measure(
            tx, accounts.map(\.owner.user), from: accounts.map { $0.days.first?.endsAt ?? $0.owner.now })
    }

    /// The running day has got another end.
    static func endMoved(_ tx: PostgresTransaction, _ owner: CompanionOwner) throws {
        try measure(tx, [owner.user], from: [owner.dayTimes.beginsAt])
    }

    /// - Parameter begins: for each user, the first beginning of a day that is measured.
    private static func measure(_ tx: PostgresTransaction, _ users: [UserID], from begins: [Instant]) throws {
        guard !users.isEmpty else { return }
        try tx.execute(
            """
            UPDATE companion_days d SET open_seconds = measured.seconds
            FROM (
                SELECT m.user_id, m.day,
                    coalesce(sum(extract(
                        epoch FROM least(b.closes_at, m.ends_at) - greatest(b.at, m.begins_at)
                    )) FILTER (WHERE b.at IS NOT NULL), 0)::integer AS seconds
                FROM unnest(\(users), \(begins)) AS a (user_id, begins_at)
                JOIN companion_days m ON m.user_id = a.user_id AND m.begins_at >= to_timestamp(a.begins_at)
                LEFT JOIN companion_bypasses b ON b.user_id = m.user_id AND b.day BETWEEN m.day - 4 AND m.day
                    AND b.closes_at > m.begins_at AND b.at < m.ends_at
                WHERE EXISTS (
                    SELECT FROM companion_bypasses any_of
                    WHERE any_of.user_id = a.user_id AND any_of.day BETWEEN m.day - 4 AND m.day
                    AND any_of.closes_at > to_timestamp(a.begins_at))
                GROUP BY m.user_id, m.day
            ) AS measured
            WHERE d.user_id = measured.user_id AND d.day = measured.day AND d.open_seconds <> measured.seconds
            """)
    }
}
