-- The functions about days, zones and times of day that all features use, and the tables that belong to the service as a whole.

-- AT TIME ZONE takes CET, MET, EET and WET for abbreviations, which know no summer, although they are names of zones
-- too. Where the name is meant, it is spelled as the place whose clocks the zone follows.
CREATE FUNCTION zone_named(zone text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE zone
        WHEN 'CET' THEN 'Europe/Brussels'
        WHEN 'MET' THEN 'Europe/Brussels'
        WHEN 'EET' THEN 'Europe/Athens'
        WHEN 'WET' THEN 'Europe/Lisbon'
        ELSE zone
    END;

-- The day at `at` for somebody in `zone`: the only place where a day is decided.
CREATE FUNCTION local_day(at timestamptz, zone text) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (at AT TIME ZONE zone_named(zone))::date;

-- Whether the clocks of `zone` change neither at that midnight nor in the three hours before it.
CREATE FUNCTION is_plain_midnight(midnight timestamp, zone text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN midnight AT TIME ZONE zone AT TIME ZONE zone = midnight
        AND ((midnight AT TIME ZONE zone) - interval '3 hours') AT TIME ZONE zone = midnight - interval '3 hours';

-- The end of a day near a change of the clocks. Where clocks go back at midnight the local time 00:00 happens twice and
-- AT TIME ZONE names the second: the first lies at most three hours before it.
CREATE FUNCTION search_end_of_local_day(day date, zone text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        SELECT min(candidate)
        FROM (
            SELECT ((day + 1)::timestamp AT TIME ZONE zone_named(zone)) - step * interval '15 minutes' AS candidate
            FROM generate_series(0, 12) AS step
        ) AS candidates
        WHERE local_day(candidate, zone) > day
    );

-- The first instant at which local_day(…, zone) is later than `day`. PostgreSQL puts a function's body into the plan of its
-- caller if the body is one expression without a sub-select, and otherwise plans the body anew at each call. So the search is
-- a function of its own: in this one it took a third of the time of the statement that lists groups.
CREATE FUNCTION end_of_local_day(day date, zone text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE
        WHEN is_plain_midnight((day + 1)::timestamp, zone_named(zone))
        THEN (day + 1)::timestamp AT TIME ZONE zone_named(zone)
        ELSE search_end_of_local_day(day, zone)
    END;

-- The end of the gap of the zone's clocks in which the wanted time lies: the clocks never show that time. The search
-- halves the time between an instant before the gap and one after it, to the second.
CREATE FUNCTION end_of_clock_gap(wanted timestamp, zone text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        WITH RECURSIVE search (before, reached) AS (
            SELECT (wanted AT TIME ZONE zone_named(zone)) - interval '1 day', wanted AT TIME ZONE zone_named(zone)
            UNION ALL
            SELECT CASE WHEN is_before THEN middle ELSE before END, CASE WHEN is_before THEN reached ELSE middle END
            FROM search
            CROSS JOIN LATERAL (SELECT date_trunc('second', before + (reached - before) / 2) AS middle) AS halving
            CROSS JOIN LATERAL (SELECT (middle AT TIME ZONE zone_named(zone)) < wanted AS is_before) AS comparison
            WHERE reached - before > interval '1 second'
        )
        SELECT min(reached) FROM search
    );

-- The first instant at which a clock in the zone shows that day and time, or later: for times that people choose, such as the
-- beginning of a schedule or the hour of a reminder. A time that a gap of the clocks leaves out comes with the gap's end; one
-- that comes twice is taken the first time. AT TIME ZONE takes the second one, so the offsets a day before and after are tried
-- too.
CREATE FUNCTION local_instant(day date, at time, zone text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        SELECT coalesce(
            min(tried.instant) FILTER (WHERE tried.instant AT TIME ZONE zone_named(zone) = wanted.time),
            end_of_clock_gap(wanted.time, zone))
        FROM (SELECT day + at AS time) AS wanted
        CROSS JOIN LATERAL (SELECT wanted.time AT TIME ZONE zone_named(zone) AS instant) AS shown
        CROSS JOIN LATERAL (
            SELECT shown.instant
            UNION ALL
            SELECT (wanted.time - ((near AT TIME ZONE zone_named(zone)) - (near AT TIME ZONE 'UTC'))) AT TIME ZONE 'UTC'
            FROM unnest(ARRAY[shown.instant - interval '1 day', shown.instant + interval '1 day']) AS near
        ) AS tried (instant)
        GROUP BY wanted.time
    );

-- When the quiet that holds at `at` ends; null where there is none.
CREATE FUNCTION quiet_until(at timestamptz, zone text, quiet_from text, quiet_to text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        SELECT CASE
            WHEN (begins < ends AND here::time >= begins AND here::time < ends)
                OR (begins > ends AND (here::time >= begins OR here::time < ends))
            THEN GREATEST(
                (here::date + (CASE WHEN here::time < ends THEN 0 ELSE 1 END) + ends) AT TIME ZONE zone_named(zone),
                -- Where clocks go back the end may lie behind.
                at + interval '1 second')
        END
        FROM (
            SELECT at AT TIME ZONE zone_named(zone) AS here, quiet_from::time AS begins, quiet_to::time AS ends
        ) AS clock
    );

-- A code under auth.secret. A process whose auth.secret does not make the same code would not know what this database holds
-- keyed: blocks, STOPs, limits and sessions. The first start writes it, and a start after a change of the secret renews it.
CREATE TABLE secret_check (
    the_only  boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    code      bytea NOT NULL
);

-- The last finished backup by each method, as the program that makes backups records it. `dayly doctor` compares their age
-- with restore.max_backup_age, and the oldest kept backup with restore.journal_lifetime.
CREATE TABLE backups (
    -- pg_dump, pgbackrest, or the name of another tool.
    method       text PRIMARY KEY,
    finished_at  timestamptz NOT NULL,
    -- The earliest time to which a kept backup can take the database back.
    oldest_at    timestamptz NOT NULL,
    CONSTRAINT backups_in_order CHECK (oldest_at <= finished_at)
);

-- Which process does a periodic job. `holder` is a process. It keeps the job until `held_until` and renews the lease while it
-- lives; after that any process may take the job over. Written by Sources/Platform/Jobs only.
CREATE TABLE job_leases (
    name        text PRIMARY KEY,
    holder      uuid NOT NULL,
    held_until  timestamptz NOT NULL
);

-- How often something happened on a day, over everybody: nobody's name. Written by Sources/Features/Analytics only.
CREATE TABLE analytics_totals (
    day    date NOT NULL,
    name   text NOT NULL,
    count  bigint NOT NULL,
    CONSTRAINT analytics_totals_pkey PRIMARY KEY (day, name),
    CONSTRAINT analytics_totals_name CHECK (name IN (
        'photo_sent', 'group_created', 'app_opened', 'invite_sent', 'companion_food', 'companion_cure',
        'companion_revive', 'companion_restart', 'companion_purchase', 'companion_refund', 'companion_healthy',
        'companion_sick', 'companion_dead')),
    CONSTRAINT analytics_totals_count CHECK (count > 0)
);

-- Counts that transactions note for the totals of the day, each a row of its own, so that nobody waits for another one's row.
-- Written and summed up by Sources/Features/Analytics only.
CREATE TABLE analytics_additions (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    day    date NOT NULL,
    name   text NOT NULL,
    count  bigint NOT NULL,
    CONSTRAINT analytics_additions_count CHECK (count > 0),
    -- As `analytics_totals_name`: a name that the totals refuse would keep all others from being added.
    CONSTRAINT analytics_additions_name CHECK (name IN (
        'photo_sent', 'group_created', 'app_opened', 'invite_sent', 'companion_food', 'companion_cure',
        'companion_revive', 'companion_restart', 'companion_purchase', 'companion_refund', 'companion_healthy',
        'companion_sick', 'companion_dead'))
);
