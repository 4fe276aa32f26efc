-- Fills a migrated, empty database with :users users of Companion. Each has a pet, a wallet, a running day and the day before.
-- Their running day began at midnight in UTC; with :ended = 1 it has just ended.
--
-- psql --set=users=N --set=ended=0 --file=filling.sql URL

\set ON_ERROR_STOP on
\set QUIET on
-- As a replica, PostgreSQL checks no foreign key and runs no trigger, which would take most of the time.
SET session_replication_role = replica;
SET maintenance_work_mem = '256MB';
SET client_min_messages = warning;

CREATE TEMP TABLE filled AS
SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS pet, current_date - :ended AS day,
    (current_date - :ended)::timestamp AT TIME ZONE 'UTC' AS begins_at,
    (current_date - :ended + 1)::timestamp AT TIME ZONE 'UTC' AS ends_at
FROM generate_series(0, :users - 1) AS n;

BEGIN;
INSERT INTO users (id, phone_number, first_name, time_zone, last_active_on)
SELECT id, '+491511' || lpad(n::text, 7, '0'), 'Name ' || n, 'UTC', current_date FROM filled;

INSERT INTO companion_settings (user_id, consent, joined_at, limit_minutes, limit_minutes_today, cooldown_minutes,
    nightly, day, begins_at, ends_at, has_pet)
SELECT id, '1', begins_at - interval '30 days', 120, 120, 30, true, day, begins_at, ends_at, true FROM filled;

INSERT INTO companion_days (user_id, day, begins_at, ends_at, limit_minutes, summary_open, nightly_open)
SELECT id, day - back, begins_at - make_interval(days => back), ends_at - make_interval(days => back), 120, back = 0,
    back = 0
FROM filled, generate_series(0, 1) AS back;

-- Two pets of three were fed.
INSERT INTO companion_pets (user_id, id, species, name, health, unfed_days, last_fed, growth, fullness, mood,
    food_energy, food_buff, born_on, reset_on, outfit)
SELECT id, pet, CASE n % 2 WHEN 0 THEN 'cat' ELSE 'dog' END, 'Miso', 'healthy', 0, 7, 2500, 80, 5,
    CASE n % 3 WHEN 0 THEN 0 ELSE 100 END, CASE n % 3 WHEN 0 THEN 0 ELSE 100 END, day - 29, day - 1, '{}'
FROM filled;

INSERT INTO companion_wallets (user_id, energy, gems, entries, entry_at)
SELECT id, 1000000000, 100, 1, begins_at FROM filled;
COMMIT;

VACUUM ANALYZE;
CHECKPOINT;
