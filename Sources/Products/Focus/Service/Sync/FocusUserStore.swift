import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL that reads, locks and writes the state of a user's streaks and screen time in `focus_profiles`.
enum FocusUserStore {
    /// - Throws: `FocusError.notJoined`.
    static func require(_ tx: PostgresTransaction, _ user: UserID) throws -> FocusUserState {
        let row = try tx.first(
            """
            SELECT \(fragment: Self.columns)
            FROM focus_profiles p JOIN users u ON u.id = p.user_id
            WHERE p.user_id = \(user)
            """)
        guard let row else { throw FocusError.notJoined }
        return try FocusUserState(user, row, devices: FocusDeviceStore.all(tx, of: user))
    }

    /// Locks the profile and the phones, so that a user's syncs run one after the other, and reads both by the same
    /// statement. PostgreSQL gives the rows as they are once it has the locks. A phone's events never go back in time, so the
    /// time needs to be agreed.
    ///
    /// - Returns: nil if the user has no phone.
    static func lockIfPresent(_ tx: PostgresTransaction, _ user: UserID) throws -> FocusUserState? {
        let rows = try tx.query(
            """
            SELECT \(fragment: Self.columns), \(fragment: FocusDeviceStore.columns), (
                    SELECT coalesce(sum(gone.events_count), 0)::bigint FROM focus_devices gone
                    WHERE gone.user_id = p.user_id AND gone.deleted_at IS NOT NULL
                        AND gone.events_on = (now() AT TIME ZONE 'UTC')::date
                ) AS events_of_deleted
            FROM focus_profiles p
            JOIN users u ON u.id = p.user_id
            JOIN focus_devices d ON d.user_id = p.user_id AND d.deleted_at IS NULL
            WHERE p.user_id = \(user)
            ORDER BY d.number
            FOR NO KEY UPDATE OF p, d
            """)
        guard let first = rows.first else { return nil }
        var state = try FocusUserState(user, first, devices: rows.map(FocusDeviceState.init))
        state.eventsOfDeletedDevices = try first.get("events_of_deleted")
        try tx.requireAgreed(Date(instant: state.member.now))
        return state
    }

    /// The local days before the given one with their first instants, in order.
    static func days(
        _ tx: PostgresTransaction, before today: DayNumber, count: Int, zone: String
    ) throws -> [(day: DayNumber, at: Instant)] {
        try tx.query(
            """
            SELECT day, extract(epoch FROM end_of_local_day(DATE '1970-01-01' + day - 1, \(zone)))::bigint AS at
            FROM generate_series(\(today - count)::integer, \(today - 1)::integer) day
            ORDER BY day
            """
        ).map { (try $0.get("day"), try $0.get("at")) }
    }

    static func updating(_ state: FocusUserState, isSync: Bool) -> SQL {
        let (goal, limits) = (state.usage.goalDays, state.limits)
        return """
            UPDATE focus_profiles
            SET streaks = \(state.history.packed), goal_streak = \(goal.streak)::integer,
                lives = \(goal.storedLives)::smallint,
                judged_on = DATE '1970-01-01' + \(goal.livesThrough)::integer,
                usage_on = DATE '1970-01-01' + \(state.usage.report?.day)::integer,
                usage_minutes = \(state.usage.report?.minutes)::smallint,
                closed_on = DATE '1970-01-01' + \(state.usage.days.closedThrough)::integer,
                reached_on = DATE '1970-01-01' + \(state.reachedOn)::integer,
                synced_at = CASE WHEN \(isSync) THEN to_timestamp(\(state.member.now)::bigint) ELSE synced_at END,
                sync_minute_at = to_timestamp(\(limits.minute.began)::bigint),
                sync_minute_count = \(limits.minute.count)::smallint,
                sync_day_at = to_timestamp(\(limits.day.began)::bigint),
                sync_day_count = \(limits.day.count)::smallint
            WHERE user_id = \(state.member.user)
            """
    }

    private static let columns: SQL = """
        \(fragment: FocusMemberStore.columns),
        extract(epoch FROM end_of_local_day(local_day(now(), u.time_zone) - 1, u.time_zone))::bigint AS today_begins,
        extract(epoch FROM end_of_local_day(local_day(now(), u.time_zone), u.time_zone))::bigint AS today_ends,
        p.streaks AS history, p.goal_minutes, p.next_goal_minutes,
        p.next_goal_on - DATE '1970-01-01' AS next_goal_on, p.goal_streak, p.lives,
        p.judged_on - DATE '1970-01-01' AS judged_on, p.usage_on - DATE '1970-01-01' AS usage_on, p.usage_minutes,
        p.closed_on - DATE '1970-01-01' AS closed_on, p.tier, p.boards, p.last_device_number,
        p.reached_on - DATE '1970-01-01' AS reached_on,
        p.leagues AND p.nickname IS NOT NULL AS is_in_leagues,
        extract(epoch FROM p.sync_minute_at)::bigint AS sync_minute_at, p.sync_minute_count,
        extract(epoch FROM p.sync_day_at)::bigint AS sync_day_at, p.sync_day_count
        """
}

extension FocusUserState {
    fileprivate init(_ user: UserID, _ row: PostgresRow, devices: [FocusDeviceState]) throws {
        let member = try FocusMember(user, row)
        let packed: [UInt8]? = try row.get("history")
        guard let history = packed.map({ StreakHistory(packed: $0) }) ?? StreakHistory() else {
            throw PostgresError.decoding("the state of a user's streaks is not of its form")
        }
        let begins: Instant = try row.get("today_begins")
        self.init(
            member: member, devices: devices, history: history, usage: try FocusUsageState(member, row),
            limits: FocusSyncLimits(
                minute: .init(began: try row.get("sync_minute_at"), count: try row.get("sync_minute_count")),
                day: .init(began: try row.get("sync_day_at"), count: try row.get("sync_day_count"))),
            reachedOn: try row.get("reached_on"), lastDeviceNumber: try row.get("last_device_number"),
            tier: Tier.allCases[try row.get("tier", as: Int.self)], hasBoards: try row.get("boards"),
            isInLeagues: try row.get("is_in_leagues"), today: begins..<max(begins, try row.get("today_ends")))
    }
}

extension FocusUsageState {
    fileprivate init(_ member: FocusMember, _ row: PostgresRow) throws {
        let (day, minutes): (Int?, Int?) = (try row.get("usage_on"), try row.get("usage_minutes"))
        self.init(
            goal: try RisingLimit(goal: row), joinedOn: member.joinedOn,
            days: ScreenTimeDays(closedThrough: try row.get("closed_on")),
            goalDays: GoalDays(
                streak: try row.get("goal_streak"), lives: try row.get("lives"),
                livesThrough: try row.get("judged_on", as: Int?.self) ?? member.joinedOn),
            report: day.map { Report(day: $0, minutes: minutes ?? 0) })
    }
}
