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

CREATE OR REPLACE FUNCTION local_day(at timestamptz, zone text) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (at AT TIME ZONE zone_named(zone))::date;

CREATE OR REPLACE FUNCTION end_of_local_day(day date, zone text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        SELECT min(candidate)
        FROM (
            SELECT ((day + 1)::timestamp AT TIME ZONE zone_named(zone)) - step * interval '15 minutes' AS candidate
            FROM generate_series(0, 12) AS step
        ) AS candidates
        WHERE local_day(candidate, zone) > day
    );
