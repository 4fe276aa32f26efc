import DaylyTesting
import Postgres
import Testing

/// Tests the SQL functions `local_day`, `end_of_local_day` and `local_instant` in every zone that PostgreSQL knows, at every
/// change of its clocks in twenty years.
@Suite("The day rule")
struct DayFunctionTests {
    /// Guard: near a change of the clocks the end of the day is searched (`is_plain_midnight`)
    @Test("the end of a day is the first instant of a later one, in all zones around all changes of clocks")
    func allZones() async throws {
        try await withClient {
            $0.statementTimeout = .seconds(300)
        } _: { client, _ in
            let wrong = try await client.transaction { transaction in
                try Self.findTransitions(transaction)
                let count: Int? = try transaction.first("SELECT count(*) AS c FROM transitions")?.get("c")
                #expect(count ?? 0 > 10_000)
                return try transaction.query(Self.wrongDays).map { row in
                    try "\(row.get("zone", as: String.self)) \(row.get("day", as: PostgresDate.self))"
                }
            }
            #expect(wrong.isEmpty, "\(wrong.count) wrong days, e.g. \(wrong.prefix(5))")
        }
    }

    @Test(
        "the day changes with the wall clock's midnight, a second either side",
        arguments: [
            // Clocks went forward at midnight, so 2018-11-04 begins at 01:00.
            ("America/Sao_Paulo", "2018-11-04 02:59:59+00", "2018-11-03"),
            ("America/Sao_Paulo", "2018-11-04 03:00:00+00", "2018-11-04"),
            // Clocks went back at midnight, so 23:00 comes twice.
            ("America/Asuncion", "2024-03-24 02:59:59+00", "2024-03-23"),
            ("America/Asuncion", "2024-03-24 03:59:59+00", "2024-03-23"),
            ("America/Asuncion", "2024-03-24 04:00:00+00", "2024-03-24"),
            // Samoa skipped 2011-12-30.
            ("Pacific/Apia", "2011-12-30 09:59:59+00", "2011-12-29"),
            ("Pacific/Apia", "2011-12-30 10:00:00+00", "2011-12-31"),
            ("Pacific/Kiritimati", "2026-01-01 09:59:59+00", "2026-01-01"),
            ("Pacific/Kiritimati", "2026-01-01 10:00:00+00", "2026-01-02"),
            ("Etc/GMT+12", "2026-01-01 11:59:59+00", "2025-12-31"),
            ("Asia/Kathmandu", "2026-01-01 18:15:00+00", "2026-01-02"),
        ])
    func knownDays(zone: String, at: String, day: String) async throws {
        try await withDatabase { client in
            let row = try await client.first("SELECT local_day(\(at)::timestamptz, \(zone)) AS d")
            #expect(try row?.get("d", as: PostgresDate.self) == PostgresDate(day))
        }
    }

    /// Guard: near a change of the clocks the end of the day is searched (`is_plain_midnight`)
    @Test(
        "the end of a day is where the table of zones says",
        arguments: [
            ("America/Sao_Paulo", "2018-11-03", "2018-11-04 03:00:00+00"),
            ("America/Asuncion", "2024-03-23", "2024-03-24 04:00:00+00"),
            ("America/Havana", "2024-11-02", "2024-11-03 04:00:00+00"),
            ("America/St_Johns", "2010-11-06", "2010-11-07 02:30:00+00"),
            ("Pacific/Apia", "2011-12-29", "2011-12-30 10:00:00+00"),
            ("Pacific/Apia", "2011-12-30", "2011-12-30 10:00:00+00"),
            ("Australia/Lord_Howe", "2024-04-06", "2024-04-06 13:00:00+00"),
            ("UTC", "2024-02-28", "2024-02-29 00:00:00+00"),
        ])
    func knownEnds(zone: String, day: String, end: String) async throws {
        try await withDatabase { client in
            let row = try await client.first(
                "SELECT end_of_local_day(\(day)::date, \(zone)) = \(end)::timestamptz AS same")
            #expect(try row?.get("same") == true)
        }
    }

    /// Guard: a local time is taken the first time it comes, and at the end of a gap that leaves it out
    /// (`local_instant`, `end_of_clock_gap` (0035))
    @Test(
        "a local time is the first instant that shows it or a later one, in all zones around all changes of clocks"
    )
    func allInstants() async throws {
        try await withClient {
            $0.statementTimeout = .seconds(300)
        } _: { client, _ in
            let wrong = try await client.transaction { transaction in
                try Self.findTransitions(transaction)
                return try transaction.query(Self.wrongInstants).map { row in
                    try "\(row.get("zone", as: String.self)) \(row.get("wanted", as: String.self))"
                }
            }
            #expect(wrong.isEmpty, "\(wrong.count) wrong instants, e.g. \(wrong.prefix(5))")
        }
    }

    /// Guard: a local time is taken the first time it comes, and at the end of a gap that leaves it out
    /// (`local_instant`, `end_of_clock_gap` (0035))
    @Test(
        "a gap of the clock moves a local time on, and a repeated hour takes it once",
        arguments: [
            ("2026-03-28", "22:00", "Europe/Berlin", "2026-03-28T21:00:00Z"),
            ("2026-03-29", "06:00", "Europe/Berlin", "2026-03-29T04:00:00Z"),
            ("2026-10-24", "22:00", "Europe/Berlin", "2026-10-24T20:00:00Z"),
            ("2026-10-25", "06:00", "Europe/Berlin", "2026-10-25T05:00:00Z"),
            ("2026-03-29", "02:30", "Europe/Berlin", "2026-03-29T01:00:00Z"),
            ("2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"),
            ("2026-10-25", "02:00", "Europe/Berlin", "2026-10-25T00:00:00Z"),
            ("2026-10-25", "03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"),
            ("2026-09-05", "23:30", "America/Santiago", "2026-09-06T03:30:00Z"),
            ("2026-09-06", "01:00", "America/Santiago", "2026-09-06T04:00:00Z"),
            ("2026-09-06", "00:00", "America/Santiago", "2026-09-06T04:00:00Z"),
            ("2026-03-02", "09:20", "UTC", "2026-03-02T09:20:00Z"),
            // Samoa skipped 2011-12-30, and Newfoundland's clocks went forward a minute after midnight.
            ("2011-12-30", "09:00", "Pacific/Apia", "2011-12-30T10:00:00Z"),
            ("2010-03-14", "00:30", "America/St_Johns", "2010-03-14T03:31:00Z"),
        ])
    func knownInstants(day: String, time: String, zone: String, instant: String) async throws {
        try await withDatabase { client in
            let row = try await client.first(
                "SELECT local_instant(\(day)::date, \(time)::time, \(zone)) = \(instant)::timestamptz AS same"
            )
            #expect(try row?.get("same") == true)
        }
    }

    @Test(
        "a week begins with the Monday of the zone, a second either side",
        arguments: [
            ("2026-03-01T22:59:59Z", "Europe/Berlin", "2026-03-01", "2026-02-23"),
            ("2026-03-01T23:00:00Z", "Europe/Berlin", "2026-03-02", "2026-03-02"),
            ("2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-29", "2026-03-23"),
            ("2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30", "2026-03-30"),
            ("2026-03-02T11:59:59Z", "Etc/GMT+12", "2026-03-01", "2026-02-23"),
            ("2026-03-01T10:00:00Z", "Pacific/Kiritimati", "2026-03-02", "2026-03-02"),
        ])
    func knownWeeks(at: String, zone: String, day: String, week: String) async throws {
        try await withDatabase { client in
            let row = try await client.first(
                """
                SELECT day, date_trunc('week', day)::date AS week
                FROM (SELECT local_day(\(at)::timestamptz, \(zone)) AS day) AS days
                """)
            #expect(try row?.get("day", as: PostgresDate.self) == PostgresDate(day))
            #expect(try row?.get("week", as: PostgresDate.self) == PostgresDate(week))
        }
    }

    /// Finds each change to the second, by halving the week in which a zone's offset changed.
    private static func findTransitions(_ transaction: PostgresTransaction) throws {
        try transaction.execute(
            """
            CREATE TEMPORARY TABLE transitions ON COMMIT DROP AS
            SELECT zone, lower, upper, lower_offset
            FROM (
                SELECT name AS zone, at AS upper, utc_offset,
                    lag(at) OVER zones AS lower, lag(utc_offset) OVER zones AS lower_offset
                FROM pg_timezone_names AS z (name, abbreviation, now_offset, dst),
                    generate_series('2007-01-01'::timestamptz, '2027-01-01', interval '7 days') AS at,
                    LATERAL (SELECT (at AT TIME ZONE name) - (at AT TIME ZONE 'UTC') AS utc_offset) AS o
                WINDOW zones AS (PARTITION BY name ORDER BY at)
            ) AS weeks
            WHERE utc_offset <> lower_offset
            """)
        for _ in 0..<20 {
            try transaction.execute(
                """
                UPDATE transitions
                SET lower = CASE WHEN is_before THEN middle ELSE lower END,
                    upper = CASE WHEN is_before THEN upper ELSE middle END
                FROM (
                    SELECT t.ctid AS row, middle,
                        (middle AT TIME ZONE zone) - (middle AT TIME ZONE 'UTC') = lower_offset AS is_before
                    FROM transitions AS t,
                        LATERAL (SELECT date_trunc('second', lower + (upper - lower) / 2) AS middle) AS m
                ) AS halves
                WHERE transitions.ctid = halves.row AND upper - lower > interval '1 second'
                """)
        }
    }

    /// Three days around each change: the end must be in a later day, and neither the second before it nor any
    /// moment of the 30 hours before it may be. Around the change itself, a second either side is looked at too.
    private static let wrongDays: SQL = """
        WITH days AS (
            SELECT DISTINCT zone, upper AS change, (upper AT TIME ZONE zone)::date + k AS day
            FROM transitions, generate_series(-2, 1) AS k
        ), ends AS MATERIALIZED (
            SELECT zone, change, day, end_of_local_day(day, zone) AS ends_at FROM days
        )
        SELECT zone, day FROM ends
        WHERE ends_at IS NULL
            OR local_day(ends_at, zone) <= day
            OR local_day(ends_at - interval '1 second', zone) > day
            OR EXISTS (
                SELECT FROM generate_series(1, 120) AS step
                WHERE local_day(ends_at - step * interval '15 minutes', zone) > day
            )
            OR EXISTS (
                SELECT FROM unnest(ARRAY[-1, 0, 1]) AS second,
                    LATERAL (SELECT change + second * interval '1 second' AS at) AS moments
                WHERE at < ends_at AND local_day(at, zone) > day
            )
        """

    /// Times around what the clocks show on either side of each change. The found instant must show the time or a later
    /// one, and the second before it and all quarters of the 30 hours before it an earlier one, and so must the seconds
    /// around the change where they come before the found instant.
    private static let wrongInstants: SQL = """
        WITH wanted AS (
            SELECT DISTINCT zone, upper AS change, shown + k * interval '35 minutes' AS wanted
            FROM transitions, generate_series(-2, 2) AS k,
                unnest(ARRAY[
                    upper AT TIME ZONE zone, ((upper - interval '1 second') AT TIME ZONE zone) + interval '1 second'
                ]) AS shown
        ), found AS MATERIALIZED (
            SELECT zone, change, wanted, local_instant(wanted::date, wanted::time, zone) AS at FROM wanted
        )
        SELECT zone, wanted::text FROM found
        WHERE at IS NULL
            OR at AT TIME ZONE zone < wanted
            OR (at - interval '1 second') AT TIME ZONE zone >= wanted
            OR EXISTS (
                SELECT FROM generate_series(1, 120) AS step
                WHERE (at - step * interval '15 minutes') AT TIME ZONE zone >= wanted
            )
            OR EXISTS (
                SELECT FROM unnest(ARRAY[-1, 0, 1]) AS second,
                    LATERAL (SELECT change + second * interval '1 second' AS moment) AS moments
                WHERE moment < at AND moment AT TIME ZONE zone >= wanted
            )
        """
}
