-- The instant at which a day and a time of day come in a zone: for times that people choose, such as the beginning of a
-- schedule or the hour of a reminder.

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

-- The first instant at which a clock in the zone shows that day and time, or later. A time that a gap of the clocks
-- leaves out comes with the gap's end; one that comes twice is taken the first time. AT TIME ZONE takes the second one,
-- so the offsets a day before and after are tried too.
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
