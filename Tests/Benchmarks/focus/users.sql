-- Fills a migrated, empty database with :users users of Focus, as the service would have written them. For two users there is one
-- group of eight, and every user is in four groups.
--
-- psql --set=users=N --file=users.sql URL

\set ON_ERROR_STOP on
\set QUIET on
SELECT :users / 2 AS groups, extract(epoch FROM now())::double precision AS epoch \gset
-- As a replica, PostgreSQL checks no foreign key and runs no trigger, which would take most of the time.
SET session_replication_role = replica;
SET maintenance_work_mem = '512MB';
SET client_min_messages = warning;

-- A UUID of version 7 of the nth thing of a kind, made in the two years before the last one.
CREATE FUNCTION pg_temp.id(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN (
    lpad(to_hex(((:epoch - 3 * 365 * 86400 + n * (2 * 365 * 86400::double precision / :users)) * 1000)::bigint), 12, '0')
    || '7' || substr(md5(kind || n::text), 1, 3) || '8' || substr(md5(kind || n::text), 4, 15)
)::uuid;

-- The members of a group do not stand together in the table of users.
CREATE FUNCTION pg_temp.member(of_group bigint, n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN (of_group * 8 + n) * 7919 % :users;

-- The Monday of the week whose boards are open, and that of the last closed one.
SELECT date_trunc('week', now() AT TIME ZONE 'UTC' - interval '17 hours')::date AS week \gset
SELECT :'week'::date - 7 AS closed \gset
SELECT make_focus_partitions((now() AT TIME ZONE 'UTC')::date - 16, (now() AT TIME ZONE 'UTC')::date + 21) AS made \gset

BEGIN;
INSERT INTO users (id, phone_number, first_name, time_zone, last_active_on, created_at)
SELECT pg_temp.id('user', n), '+491511' || lpad(n::text, 7, '0'), 'Name ' || n, :'zone', (now() AT TIME ZONE 'UTC')::date,
    now() - interval '1 year'
FROM generate_series(0, :users - 1) AS n;

INSERT INTO groups (id, name, created_at, last_event, last_event_at)
SELECT pg_temp.id('group', n), 'Supper ' || n, now() - interval '1 year', 8, now() - interval '1 year'
FROM generate_series(0, :groups - 1) AS n;

INSERT INTO group_members (group_id, user_id, joined_at)
SELECT pg_temp.id('group', g), pg_temp.id('user', pg_temp.member(g, m)), now() - interval '1 year'
FROM generate_series(0, :groups - 1) AS g, generate_series(0, 7) AS m;

INSERT INTO focus_profiles (user_id, consent, joined_at, joined_on, last_device_number, synced_at, reached_on)
SELECT pg_temp.id('user', n), '1', now() - interval '1 year', current_date - 365, 1, now() - interval '1 hour', current_date - 8
FROM generate_series(0, :users - 1) AS n;

INSERT INTO focus_devices (user_id, number, id, platform, setup, verified_at, counts_from, status, issue, synced_at,
    last_unlock_at)
SELECT pg_temp.id('user', n), 1, pg_temp.id('phone', n), 'android', 'verified', now() - interval '1 year', 1, 'verified', NULL,
    now() - interval '1 hour', now() - interval '1 hour'
FROM generate_series(0, :users - 1) AS n;

-- The bench asks for some of these people, and makes the rest of their rows by syncs. Each day has 75 locks and 75 unlocks.
INSERT INTO focus_event_days (user_id, device, day, first_seq, last_seq, events)
SELECT pg_temp.id('user', n), 1, current_date, 1, 150, decode(repeat('a1b2', 190), 'hex')
FROM generate_series(0, :users - 1) AS n WHERE n % 1000 <> 0;
INSERT INTO focus_days (user_id, day, points, streak_count, longest_streak, streaks)
SELECT pg_temp.id('user', n), current_date, 20000 + n % 9000, 60, 3600 + n % 3600, decode(repeat('a1b2c3', 75), 'hex')
FROM generate_series(0, :users - 1) AS n WHERE n % 1000 <> 0;

INSERT INTO focus_weeks (user_id, week, points, streak_count, longest_streak)
SELECT pg_temp.id('user', n), week, 100000 + n::bigint * 7919 % 90000, 420, 3600 + n % 3600
FROM generate_series(0, :users - 1) AS n, (VALUES (:'week'::date), (:'closed'::date)) AS weeks (week);

INSERT INTO focus_closes (week, leagues_done, groups_after, feed_after, closed_at)
VALUES (:'closed', true, NULL, NULL, now());
INSERT INTO focus_results (group_id, week, user_id, rank, points, streak_count, longest_streak, estimated, status)
SELECT pg_temp.id('group', g), :'closed', pg_temp.id('user', pg_temp.member(g, m)), m + 1, 100000 - m, 420, 3600, false,
    'verified'
FROM generate_series(0, :groups - 1, 4) AS g, generate_series(0, 7) AS m;
COMMIT;
VACUUM (ANALYZE);
CHECKPOINT;
