import CompanionRules
import DeviceIntake
import FeatureKit
import Postgres

/// SQL about days that syncs need.
extension CompanionDayStore {
    /// Whether the account had a day that ended before the loaded ones. Only the dates of deleted days are known.
    static func hadDay(_ tx: PostgresTransaction, _ day: DayNumber, of owner: CompanionOwner) throws -> Bool {
        guard day < owner.day - CompanionDayBook.loadedNames else { return false }
        return try tx.one(
            """
            SELECT EXISTS (SELECT FROM companion_days WHERE user_id = \(owner.user) AND day = wanted.day)
                OR (wanted.day >= local_day(to_timestamp(\(owner.joinedAt)::bigint), \(owner.zone))
                    AND wanted.day < (SELECT min(day) FROM companion_days WHERE user_id = \(owner.user))) AS had
            FROM (SELECT DATE '1970-01-01' + \(day)::integer AS day) AS wanted
            """
        ).get("had")
    }

    /// Closes the open days before one. They ended so long ago that they count as days without a report.
    static func closeWithoutReport(_ tx: PostgresTransaction, before day: DayNumber, of owner: CompanionOwner)
        throws
    {
        try tx.execute(
            """
            UPDATE companion_days SET closed_at = to_timestamp(\(owner.now)::bigint)
            WHERE user_id = \(owner.user) AND day < DATE '1970-01-01' + \(day)::integer AND closed_at IS NULL
            """)
    }

    /// Lets no evening's push message be sent for days whose first event came after the time of the message.
    static func closeNightly(_ tx: PostgresTransaction, _ days: [DayNumber], of user: UserID) throws {
        guard !days.isEmpty else { return }
        try tx.execute(
            """
            UPDATE companion_days d SET nightly_open = false
            FROM unnest(\(days)) AS late (day)
            WHERE d.user_id = \(user) AND d.day = DATE '1970-01-01' + late.day::integer
            """)
    }
}
