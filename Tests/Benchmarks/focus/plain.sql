-- The plain way to keep events, in a schema of its own: a row for each event, and the week's score recalculated from the week's
-- events at every sync. The asked people (the table asked) have 100 events of each of the last six days. plain.pgbench holds the
-- statements of a sync.

\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS plain CASCADE;
CREATE SCHEMA plain;
CREATE TABLE plain.events (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id     uuid NOT NULL REFERENCES public.users (id) ON DELETE CASCADE,
    client_id   uuid NOT NULL,
    event_type  varchar(10) NOT NULL CHECK (event_type IN ('lock', 'unlock')),
    timestamp   timestamptz NOT NULL,
    source      varchar(20) NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, client_id)
);
CREATE TABLE plain.weekly_scores (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id         uuid NOT NULL REFERENCES public.users (id) ON DELETE CASCADE,
    week_start      date NOT NULL,
    total_points    decimal(12, 2) NOT NULL DEFAULT 0,
    streak_count    integer NOT NULL DEFAULT 0,
    longest_streak  integer NOT NULL DEFAULT 0,
    calculated_at   timestamptz NOT NULL,
    UNIQUE (user_id, week_start)
);
CREATE INDEX ON plain.events (user_id, timestamp DESC);
CREATE INDEX ON plain.weekly_scores (user_id, week_start DESC);
CREATE INDEX ON plain.weekly_scores (week_start, total_points DESC);
-- By number, since pgbench draws a number.
CREATE TABLE plain.people (number integer PRIMARY KEY, user_id uuid NOT NULL);
INSERT INTO plain.people SELECT row_number() OVER (), user_id FROM asked;
INSERT INTO plain.events (user_id, client_id, event_type, timestamp, source, created_at)
SELECT user_id, gen_random_uuid(), CASE n % 2 WHEN 0 THEN 'lock' ELSE 'unlock' END, at, 'automatic', at
FROM asked, generate_series(1, 600) AS n, LATERAL (SELECT now() - n * interval '864 seconds' AS at) AS times;
VACUUM (ANALYZE) plain.events;
