-- Fills a migrated, empty database with :photos live photos and all that belongs to them, as the service would have
-- written it. For ten photos there are one group of eight and two users, and every user is in four groups.
--
-- psql --set=photos=N --file=filling.sql URL

\set ON_ERROR_STOP on
\set QUIET on
SELECT :photos / 10 AS groups, :photos / 5 AS users, extract(epoch FROM now())::double precision AS epoch \gset
-- As a replica, PostgreSQL checks no foreign key and runs no trigger, which would take most of the time.
SET session_replication_role = replica;
SET maintenance_work_mem = '512MB';
SET client_min_messages = warning;

-- A UUID of version 7 of the nth thing of a kind, made at this time.
CREATE FUNCTION pg_temp.id(kind text, n bigint, at double precision) RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN (
    lpad(to_hex((at * 1000)::bigint), 12, '0') || '7' || substr(md5(kind || n::text), 1, 3)
    || '8' || substr(md5(kind || n::text), 4, 15)
)::uuid;

-- The users came in the two years before the first group, the groups until five days ago, and the photos in the last 47
-- hours.
CREATE FUNCTION pg_temp.user_at(n bigint) RETURNS double precision LANGUAGE sql IMMUTABLE
RETURN :epoch - 3 * 365 * 86400 + n * (2 * 365 * 86400::double precision / :users);
CREATE FUNCTION pg_temp.group_at(n bigint) RETURNS double precision LANGUAGE sql IMMUTABLE
RETURN :epoch - 365 * 86400 + n * (360 * 86400::double precision / :groups);
CREATE FUNCTION pg_temp.photo_at(n bigint) RETURNS double precision LANGUAGE sql IMMUTABLE
RETURN :epoch - 47 * 3600 + n * (47 * 3600::double precision / :photos);

CREATE FUNCTION pg_temp.user_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN pg_temp.id('user', n, pg_temp.user_at(n));
CREATE FUNCTION pg_temp.group_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN pg_temp.id('group', n, pg_temp.group_at(n));
CREATE FUNCTION pg_temp.photo_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN pg_temp.id('photo', n, pg_temp.photo_at(n));

-- The number of the user who is the group's nth member. The members of a group do not stand together in the table.
CREATE FUNCTION pg_temp.member(of_group bigint, n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN (of_group * 8 + n) * 7919 % :users;

-- The nth photo is in the group n % :groups, so a group's photos do not stand together either. Its eight members take
-- turns, so the first two have sent a second photo, on a later day.
CREATE FUNCTION pg_temp.sender(photo bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN pg_temp.member(photo % :groups, photo / :groups % 8);
CREATE FUNCTION pg_temp.sent_on(photo bigint) RETURNS date LANGUAGE sql STABLE
RETURN local_day(to_timestamp(pg_temp.photo_at(photo)), 'Europe/Berlin');

BEGIN;
TRUNCATE users, groups, stored_objects, verifications, code_sends, verified_addresses CASCADE;

-- Without indexes rows are written much faster. A key that a foreign key needs stays; its rows come in its order.
CREATE TEMP TABLE later AS
SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS relation, c.conname,
    pg_get_constraintdef(c.oid) AS key, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS index
FROM pg_index i
JOIN pg_class t ON t.oid = i.indrelid
LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
WHERE NOT t.relispartition AND t.relname IN (
        'users', 'sessions', 'verifications', 'code_sends', 'verified_addresses', 'groups', 'group_members',
        'group_events', 'photos', 'photo_slots', 'stored_objects', 'upload_keys')
    AND NOT EXISTS (SELECT FROM pg_constraint f WHERE f.contype = 'f' AND f.conindid = i.indexrelid);
SELECT CASE WHEN conname IS NULL THEN format('DROP INDEX %s', name)
    ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', relation, conname) END
FROM later \gexec

INSERT INTO users (id, phone_number, first_name, time_zone, last_active_on, created_at)
SELECT pg_temp.user_id(n), '+491511' || lpad(n::text, 7, '0'), 'Name ' || n, 'Europe/Berlin',
    (now() AT TIME ZONE 'UTC')::date, to_timestamp(pg_temp.user_at(n))
FROM generate_series(0, :users - 1) AS n;

INSERT INTO sessions (id, user_id, device_name, refresh_nonce, rotated_at, created_at, last_used_at, expires_at)
SELECT pg_temp.id('session', n, pg_temp.user_at(n)), pg_temp.user_id(n), 'Phone', substr(sha256(n::text::bytea), 1, 16),
    today, to_timestamp(pg_temp.user_at(n)), today, today + interval '60 days'
FROM generate_series(0, :users - 1) AS n, date_trunc('day', now(), 'UTC') AS today;

-- Every user signed in from one address. In the last day one of fifty signed in.
INSERT INTO verified_addresses (number, address, verified_at)
SELECT sha256(('number' || n::text)::bytea), sha256(('address' || n::text)::bytea), now() - interval '30 days'
FROM generate_series(0, :users - 1) AS n;

INSERT INTO code_sends (id, prefix, sent_at, verified)
OVERRIDING SYSTEM VALUE
SELECT n, sha256((n % 1000)::text::bytea), to_timestamp(at), true
FROM generate_series(1, :users / 50) AS n,
    LATERAL (SELECT :epoch - 86400 * (1 - n * 50.0::float8 / :users) AS at) AS sent;

INSERT INTO verifications (id, phone_number, code_hmac, created_at, expires_at, used_at, send_id)
SELECT pg_temp.id('verification', id, extract(epoch FROM sent_at)::float8), '+491511' || lpad((id * 49)::text, 7, '0'),
    sha256(id::text::bytea), sent_at, sent_at + interval '10 minutes', sent_at + interval '1 minute', id
FROM code_sends;
SELECT setval('code_sends_id_seq', :users / 50) AS last \gset

-- Their eight members joined before the events that are kept.
INSERT INTO groups (id, name, created_at, last_event, last_event_at)
SELECT pg_temp.group_id(n), 'Supper ' || n, to_timestamp(pg_temp.group_at(n)), 18,
    to_timestamp(pg_temp.photo_at(n + 9 * :groups))
FROM generate_series(0, :groups - 1) AS n;

INSERT INTO group_members (group_id, user_id, joined_at)
SELECT pg_temp.group_id(g), pg_temp.user_id(pg_temp.member(g, m)), to_timestamp(pg_temp.group_at(g) + m)
FROM generate_series(0, :groups - 1) AS g, generate_series(0, 7) AS m;

INSERT INTO photo_slots (group_id, sender_id, last_sent_on)
SELECT pg_temp.group_id(g), pg_temp.user_id(pg_temp.member(g, m)),
    pg_temp.sent_on(g + :groups * CASE WHEN m < 2 THEN m + 8 ELSE m END)
FROM generate_series(0, :groups - 1) AS g, generate_series(0, 7) AS m;

-- Names of objects are random.
INSERT INTO photos (id, group_id, sender_id, sent_on, created_at, expires_at, width, height, thumbhash, photo_key,
                    thumbnail_key, fingerprint)
SELECT pg_temp.photo_id(n), pg_temp.group_id(n % :groups), pg_temp.user_id(pg_temp.sender(n)), pg_temp.sent_on(n),
    to_timestamp(pg_temp.photo_at(n)), to_timestamp(pg_temp.photo_at(n)) + interval '48 hours', 2048, 1536,
    substr(sha256(n::text::bytea), 1, 24), 'photos/' || name || '.jpg', 'photos/' || name || '_thumbnail.jpg',
    sha256(n::text::bytea)
FROM generate_series(0, :photos - 1) AS n, LATERAL (SELECT md5('object' || n::text)::uuid AS name) AS object;

INSERT INTO stored_objects (key, photo_id, created_at, delete_after)
SELECT key, id, created_at, expires_at FROM photos, LATERAL (VALUES (photo_key), (thumbnail_key)) AS object (key);

-- One of four uploads had a key.
INSERT INTO upload_keys (group_id, sender_id, key, photo_id, created_at)
SELECT group_id, sender_id, md5('upload' || id::text)::uuid::text, id, created_at FROM photos
WHERE get_byte(uuid_send(id), 15) % 4 = 0;

INSERT INTO group_events (group_id, number, kind, photo_id, at, previous_at, partition)
SELECT pg_temp.group_id(n % :groups), 9 + n / :groups, 'photo_added', pg_temp.photo_id(n), at,
    ARRAY[to_timestamp(
        CASE WHEN n < :groups THEN pg_temp.group_at(n) + 7 ELSE pg_temp.photo_at(n - :groups) END)],
    event_partition(at)
FROM generate_series(0, :photos - 1) AS n, to_timestamp(pg_temp.photo_at(n)) AS at;

SELECT CASE WHEN conname IS NULL THEN index
    ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', relation, conname, key) END
FROM later \gexec
COMMIT;
VACUUM (ANALYZE);

-- Uploads in progress, one for each thousand photos, begun after the statistics were gathered. Their leases outlast the
-- bench, and end in another order than that of the rows.
INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash, photo_key, thumbnail_key)
SELECT pg_temp.id('upload', n, :epoch), pg_temp.group_id(n * 100), pg_temp.user_id(pg_temp.member(n * 100, 2)),
    local_day(now(), 'Europe/Berlin'), now() + interval '12 hours' + n * 7919 % 10000 * interval '1 second', 2048, 1536,
    substr(sha256(n::text::bytea), 1, 24), 'photos/' || name || '.jpg', 'photos/' || name || '_thumbnail.jpg'
FROM generate_series(0, :photos / 1000 - 1) AS n, LATERAL (SELECT md5('progress' || n::text)::uuid AS name) AS object;
INSERT INTO stored_objects (key, photo_id, delete_after)
SELECT key, id, lease_until FROM photos, LATERAL (VALUES (photo_key), (thumbnail_key)) AS object (key)
WHERE lease_until IS NOT NULL;
CHECKPOINT;
