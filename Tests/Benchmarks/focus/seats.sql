-- Fills a migrated, empty database with :users users who have a seat each in the last week whose close is due. Nothing is closed.
-- Run again, it makes the same seats anew.
--
-- psql --set=users=N --file=seats.sql URL

\set ON_ERROR_STOP on
\set QUIET on
SET session_replication_role = replica;
SET client_min_messages = warning;
SELECT date_trunc('week', now() AT TIME ZONE 'UTC' - interval '17 hours')::date - 7 AS week \gset
SELECT make_focus_partitions((now() AT TIME ZONE 'UTC')::date - 16, (now() AT TIME ZONE 'UTC')::date + 21) AS made \gset
DROP TABLE IF EXISTS bare;
TRUNCATE focus_seats, focus_leagues, focus_closes, focus_weeks, focus_profiles, users CASCADE;

CREATE FUNCTION pg_temp.id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN ('018e0000' || lpad(to_hex(n), 8, '0') || '70008000' || substr(md5(n::text), 1, 8))::uuid;
-- Thirty seats in a league, and as many leagues in each tier.
CREATE FUNCTION pg_temp.number(n bigint) RETURNS integer LANGUAGE sql IMMUTABLE RETURN (n / 150 + 1)::integer;

BEGIN;
INSERT INTO users (id, phone_number, first_name, time_zone, created_at)
SELECT pg_temp.id(n), '+491511' || lpad(n::text, 7, '0'), 'Name', 'UTC', now() - interval '1 year'
FROM generate_series(0, :users - 1) AS n;
INSERT INTO focus_profiles (user_id, consent, nickname, leagues, joined_at, joined_on, tier)
SELECT pg_temp.id(n), '1', 'name' || n, true, now() - interval '1 year', current_date - 365, n % 5
FROM generate_series(0, :users - 1) AS n;
INSERT INTO focus_weeks (user_id, week, points, streak_count, longest_streak, xp, usage_points)
SELECT pg_temp.id(n), :'week', 100000, 420, 3600, n::bigint * 7919 % 200 + 1, n::bigint * 104729 % 500
FROM generate_series(0, :users - 1) AS n;
INSERT INTO focus_leagues (week, tier, number, seats, has_room)
SELECT :'week', n % 5, pg_temp.number(n), count(*), false FROM generate_series(0, :users - 1) AS n GROUP BY 2, 3;
-- Seats are given as points come, so those of a league do not stand together.
INSERT INTO focus_seats (week, user_id, tier, number, seated_at)
SELECT :'week', pg_temp.id(n), n % 5, pg_temp.number(n), now() - interval '10 days'
FROM generate_series(0, :users - 1) AS n ORDER BY md5(n::text);
INSERT INTO focus_closes (week, leagues_done, groups_after, feed_after, closed_at)
VALUES (:'week'::date - 7, true, NULL, NULL, now());
CREATE TABLE bare (LIKE focus_seats INCLUDING ALL);
INSERT INTO bare SELECT * FROM focus_seats;
COMMIT;
VACUUM (ANALYZE);
CHECKPOINT;
