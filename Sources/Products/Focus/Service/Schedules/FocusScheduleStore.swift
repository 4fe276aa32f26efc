import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about `focus_schedules`. The writers hold the lock of the profile. PostgreSQL alone turns local times into instants.
enum FocusScheduleStore {
    /// Oldest first.
    static func all(_ tx: PostgresTransaction, of member: FocusMember) throws -> [FocusScheduleState] {
        try tx.query(
            """
            SELECT \(fragment: Self.columns(member)) FROM focus_schedules s
            WHERE s.user_id = \(member.user)
            ORDER BY s.created_at, s.id
            """
        ).map(FocusScheduleState.init)
    }

    /// - Throws: `FocusError.notFound`.
    static func require(
        _ tx: PostgresTransaction, _ id: FocusScheduleID, of member: FocusMember
    ) throws -> FocusScheduleState {
        let row = try tx.first(
            """
            SELECT \(fragment: Self.columns(member)) FROM focus_schedules s
            WHERE s.id = \(id) AND s.user_id = \(member.user)
            """)
        guard let row else { throw FocusError.notFound }
        return try FocusScheduleState(row)
    }

    static func isOldest(_ tx: PostgresTransaction, _ id: FocusScheduleID, of user: UserID) throws -> Bool {
        let oldest = try tx.first(
            "SELECT id FROM focus_schedules WHERE user_id = \(user) ORDER BY created_at, id LIMIT 1")
        return try oldest?.get("id", as: FocusScheduleID.self) == id
    }

    /// The end of the schedule's session of a date; nil if the date has none, or if `start` does not lie within it.
    static func end(
        _ tx: PostgresTransaction, of schedule: FocusScheduleState, on date: DayNumber, around start: Instant,
        _ member: FocusMember
    ) throws -> Instant? {
        let times = schedule.times
        // A session of a date that is further away does not hold the start.
        guard times.begins(on: date), abs(date - member.today) <= 30 else { return nil }
        let (begin, end) = try bounds(tx, of: times, on: date, zone: member.zone)
        return begin <= start && start < end ? end : nil
    }

    /// When the session of a date begins and ends. The end is not after the beginning if no time passes in between.
    static func bounds(
        _ tx: PostgresTransaction, of times: ScheduleTimes, on date: DayNumber, zone: String
    ) throws -> (begin: Instant, end: Instant) {
        let row = try tx.one(
            """
            SELECT extract(epoch FROM local_instant(
                DATE '1970-01-01' + \(date)::integer, \(fragment: Self.time(times.from)), \(zone)
            ))::bigint AS begins,
            extract(epoch FROM local_instant(
                DATE '1970-01-01' + \(times.endDate(of: date))::integer, \(fragment: Self.time(times.to)), \(zone)
            ))::bigint AS ends
            """)
        return (try row.get("begins"), try row.get("ends"))
    }

    static func insert(
        _ tx: PostgresTransaction, _ id: FocusScheduleID, _ draft: FocusScheduleDraft, of user: UserID
    ) throws {
        try tx.execute(
            """
            INSERT INTO focus_schedules (
                id, user_id, name, emoji, from_time, to_time, weekdays, mode, beast_mode
            ) VALUES (
                \(id), \(user), \(draft.name), \(draft.emoji), \(fragment: Self.time(draft.times.from)),
                \(fragment: Self.time(draft.times.to)), \(draft.times.weekdays.sorted())::smallint[],
                \(draft.mode), \(draft.isBeastMode)
            )
            """)
    }

    static func update(_ tx: PostgresTransaction, _ id: FocusScheduleID, _ draft: FocusScheduleDraft) throws {
        try tx.execute(
            """
            UPDATE focus_schedules
            SET name = \(draft.name), emoji = \(draft.emoji), from_time = \(fragment: Self.time(draft.times.from)),
                to_time = \(fragment: Self.time(draft.times.to)),
                weekdays = \(draft.times.weekdays.sorted())::smallint[], mode = \(draft.mode),
                beast_mode = \(draft.isBeastMode)
            WHERE id = \(id)
            """)
    }

    static func delete(_ tx: PostgresTransaction, _ id: FocusScheduleID, of user: UserID) throws {
        try tx.execute("DELETE FROM focus_schedules WHERE id = \(id) AND user_id = \(user)")
    }

    private static func time(_ minutes: Int) -> SQL {
        "make_time(\(minutes / 60)::integer, \(minutes % 60)::integer, 0)"
    }

    /// The next beginning lies within two weeks: a change of the clocks can leave out one date of a weekday, not two in a row.
    private static func columns(_ member: FocusMember) -> SQL {
        """
        s.id, s.name, s.emoji, s.mode, s.beast_mode, s.weekdays,
        extract(epoch FROM s.from_time)::bigint / 60 AS from_minute,
        extract(epoch FROM s.to_time)::bigint / 60 AS to_minute,
        (
            SELECT extract(epoch FROM min(bounds.begins))::bigint
            FROM generate_series(0, 15) AS ahead
            CROSS JOIN LATERAL (SELECT DATE '1970-01-01' + \(member.today)::integer + ahead AS date) AS dates
            CROSS JOIN LATERAL (
                SELECT local_instant(dates.date, s.from_time, \(member.zone)) AS begins,
                    local_instant(
                        dates.date + CASE WHEN s.to_time <= s.from_time THEN 1 ELSE 0 END, s.to_time, \(member.zone)
                    ) AS ends
            ) AS bounds
            WHERE extract(isodow FROM dates.date)::smallint = ANY(s.weekdays)
                AND bounds.begins < bounds.ends AND bounds.begins > to_timestamp(\(member.now))
        ) AS next_at
        """
    }
}

extension FocusScheduleState {
    /// From the columns of `FocusScheduleStore`.
    init(_ row: PostgresRow) throws {
        let weekdays: [Int] = try row.get("weekdays")
        self.init(
            id: try row.get("id"), name: try row.get("name"), emoji: try row.get("emoji"),
            times: ScheduleTimes(
                from: try row.get("from_minute"), to: try row.get("to_minute"), weekdays: Set(weekdays)),
            mode: try row.get("mode"), isBeastMode: try row.get("beast_mode"), nextAt: try row.get("next_at"))
    }
}
