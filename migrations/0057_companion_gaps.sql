-- The times in which no process offered Companion: nobody could feed a pet then. The processes that offer it beat once a minute.
CREATE TABLE companion_beats (
    the_only boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    at timestamptz NOT NULL
);
CREATE TABLE companion_gaps (
    begins_at timestamptz PRIMARY KEY,
    ends_at timestamptz NOT NULL,
    CONSTRAINT companion_gaps_order CHECK (begins_at < ends_at)
);

-- How much of the 24 hours before the end of a day no process offered Companion.
CREATE FUNCTION companion_missed(day_end timestamptz) RETURNS interval LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
    SELECT coalesce(
        sum(least(gap.ends_at, day_end) - greatest(gap.begins_at, day_end - interval '24 hours')), interval '0')
    FROM (
        SELECT begins_at, ends_at FROM companion_gaps
        UNION ALL
        SELECT at, now() FROM companion_beats WHERE at < now() - interval '10 minutes'
    ) AS gap
    WHERE gap.begins_at < day_end AND gap.ends_at > day_end - interval '24 hours'
);
