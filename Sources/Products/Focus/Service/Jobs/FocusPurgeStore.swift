import Foundation
import Postgres

/// SQL of the job `focus_purge`.
struct FocusPurgeStore: Sendable {
    let postgres: PostgresClient

    /// The partitions whose rows are all past their time: events after 90 days, days and weeks after two years.
    func oldPartitions() async throws -> [String] {
        try await postgres.query(
            """
            SELECT c.relname::text AS name
            FROM pg_inherits i
            JOIN pg_class c ON c.oid = i.inhrelid
            JOIN pg_class parent ON parent.oid = i.inhparent
            CROSS JOIN LATERAL (
                SELECT (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([0-9-]+)''\\)'))[1]::date AS ends
            ) bound
            WHERE parent.relnamespace = 'public'::regnamespace
            AND bound.ends <= CASE parent.relname
                WHEN 'focus_event_days' THEN (now() AT TIME ZONE 'UTC')::date - 90
                WHEN 'focus_days' THEN ((now() AT TIME ZONE 'UTC')::date - interval '2 years')::date
                WHEN 'focus_weeks' THEN ((now() AT TIME ZONE 'UTC')::date - interval '2 years')::date
            END
            ORDER BY c.relname
            """
        ).map { try $0.get("name") }
    }

    /// Drops a partition, unless somebody reads the parent table just now: everybody would wait behind the lock. The next run tries
    /// again.
    ///
    /// - Returns: whether it is gone.
    func drop(_ partition: String) async throws -> Bool {
        try await postgres.unlessBusy { tx in
            try tx.execute("DROP TABLE IF EXISTS \(identifier: partition)")
        } != nil
    }

    /// The days whose streaks are to be forgotten: those that are more than 90 days old, without those that are done.
    struct Span: Sendable {
        /// nil: no day is done.
        let first: PostgresDate?
        /// The day after the last one.
        let end: PostgresDate
    }

    /// nil: all are done. Each day of UTC makes one more day too old.
    func spanToForget() async throws -> Span? {
        try await postgres.first(
            """
            SELECT done.streaks_before AS first, days.ends AS end
            FROM (SELECT (now() AT TIME ZONE 'UTC')::date - 90 AS ends) AS days
            LEFT JOIN focus_forgotten done ON true
            WHERE done.streaks_before IS NULL OR done.streaks_before < days.ends
            """
        ).map { Span(first: try $0.get("first"), end: try $0.get("end")) }
    }

    /// Notes that all users' days of the span are done.
    func markForgotten(_ span: Span) async throws {
        try await postgres.execute(
            """
            INSERT INTO focus_forgotten AS done (streaks_before) VALUES (\(span.end))
            ON CONFLICT (the_only) DO UPDATE
            SET streaks_before = greatest(done.streaks_before, excluded.streaks_before)
            """)
    }

    /// Takes the streaks out of a page of users' days, since they name instants of events. A walk over the users reads each day
    /// once. A search by days would read those that are done again for each page.
    ///
    /// - Returns: the number of days, and the last user; nil after the last page.
    func forgetStreaks(
        of span: Span, after user: UUID, limit: Int
    ) async throws -> (days: Int, last: UUID)? {
        try await postgres.transaction { tx in
            let row = try tx.one(
                """
                WITH page AS (
                    SELECT user_id FROM focus_profiles WHERE user_id > \(user) ORDER BY user_id LIMIT \(limit)
                ),
                forgotten AS (
                    UPDATE focus_days d SET streaks = NULL
                    FROM page
                    WHERE d.user_id = page.user_id AND d.streaks IS NOT NULL
                    AND d.day < \(span.end) AND d.day >= coalesce(\(span.first), '-infinity'::date)
                    RETURNING 1
                )
                SELECT (SELECT count(*) FROM forgotten) AS days,
                    (SELECT user_id FROM page ORDER BY user_id DESC LIMIT 1) AS last
                """)
            guard let last: UUID = try row.get("last") else { return nil }
            return (try row.get("days"), last)
        }
    }

    /// The users of a page of `forgetStreaks`.
    func users(after user: UUID, limit: Int) async throws -> [UUID] {
        try await postgres.query(
            "SELECT user_id FROM focus_profiles WHERE user_id > \(user) ORDER BY user_id LIMIT \(limit)"
        ).map { try $0.get("user_id") }
    }

    /// Deletes phones that were deleted so long ago that no event of theirs is kept.
    func deleteDevices() async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM focus_devices
            WHERE (user_id, number) IN (
                SELECT user_id, number FROM focus_devices
                WHERE deleted_at < now() - interval '92 days'
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }

    /// Deletes closed boards after a year.
    func deleteResults() async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM focus_results
            WHERE (group_id, week, user_id) IN (
                SELECT group_id, week, user_id FROM focus_results
                WHERE week < (now() AT TIME ZONE 'UTC')::date - 372
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }

    /// Deletes closed leagues after a year, and their seats with them.
    func deleteLeagues() async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM focus_leagues
            WHERE (week, tier, number) IN (
                SELECT week, tier, number FROM focus_leagues
                WHERE week < (now() AT TIME ZONE 'UTC')::date - 372
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }
}
