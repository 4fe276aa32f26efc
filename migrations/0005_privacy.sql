-- When somebody was active is kept by the day, and what is counted about use holds nobody's name.

-- `last_used_at` and `expires_at` are midnights in UTC. `rotated_at` is exact for as long as the parent of the newest
-- refresh token may be repeated, and becomes a midnight with the next sweep.
UPDATE sessions
SET last_used_at = date_trunc('day', last_used_at, 'UTC'),
    expires_at = CASE
        WHEN expires_at > now() + interval '2 days' THEN date_trunc('day', expires_at, 'UTC') + interval '1 day'
        ELSE expires_at
    END;
CREATE INDEX sessions_rotated_lately ON sessions (rotated_at)
    WHERE rotated_at <> date_trunc('day', rotated_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';

-- How often something happened on a day, over everybody. Written by Sources/Features/Analytics only.
CREATE TABLE analytics_totals (
    day    date NOT NULL,
    name   text NOT NULL,
    count  bigint NOT NULL,
    CONSTRAINT analytics_totals_pkey PRIMARY KEY (day, name),
    CONSTRAINT analytics_totals_name CHECK (name IN ('photo_sent', 'group_created', 'app_opened', 'invite_sent')),
    CONSTRAINT analytics_totals_count CHECK (count > 0)
);
