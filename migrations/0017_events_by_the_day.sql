-- The log of groups in daily partitions, so that forgetting a day costs nothing; renames that replace each other; who was
-- in a group of late; and events that no longer notify inside the transaction that writes them. Written by
-- Sources/Features/Groups, photos' events by the triggers below.

-- Which partition takes what happens at `at`: the days go round, and a partition is emptied before its day comes again.
CREATE FUNCTION event_partition(at timestamptz) RETURNS smallint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (floor(extract(epoch FROM at) / 86400)::bigint % 6)::smallint;

-- The newest 32 of these moments.
CREATE FUNCTION newest_moments(moments timestamptz[]) RETURNS timestamptz[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN moments[GREATEST(cardinality(moments) - 31, 1):];

ALTER TABLE group_events RENAME TO old_group_events;
ALTER INDEX group_events_user_id RENAME TO old_group_events_user_id;
ALTER INDEX group_events_at RENAME TO old_group_events_at;
ALTER INDEX group_events_pkey RENAME TO old_group_events_pkey;

-- What members can see happen in their group. Numbers are taken from the group's row in the transaction that makes the
-- change, so a reader who has seen n has seen everything up to n. A rename takes the place of an earlier one: its number
-- is new, the earlier row goes, and the row behind that counts it as skipped.
CREATE TABLE group_events (
    group_id     uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    number       bigint NOT NULL,
    kind         text NOT NULL,
    user_id      uuid REFERENCES users (id) ON DELETE SET NULL,
    photo_id     uuid,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- How many numbers directly before this one belonged to events that were replaced.
    skipped      integer NOT NULL DEFAULT 0,
    -- When the events at the places were written from which this is the next one: the event before it, and those that
    -- were replaced since. A cursor at such a place is known by its moment.
    previous_at  timestamptz[] NOT NULL DEFAULT '{}',
    partition    smallint NOT NULL DEFAULT event_partition(clock_timestamp()),
    PRIMARY KEY (group_id, number, partition),
    CONSTRAINT group_events_kind CHECK (
        kind IN ('member_joined', 'member_left', 'member_renamed', 'group_renamed', 'photo_added', 'photo_removed')
    ),
    CONSTRAINT group_events_photo CHECK ((photo_id IS NOT NULL) = (kind IN ('photo_added', 'photo_removed')))
) PARTITION BY LIST (partition);
CREATE TABLE group_events_0 PARTITION OF group_events FOR VALUES IN (0);
CREATE TABLE group_events_1 PARTITION OF group_events FOR VALUES IN (1);
CREATE TABLE group_events_2 PARTITION OF group_events FOR VALUES IN (2);
CREATE TABLE group_events_3 PARTITION OF group_events FOR VALUES IN (3);
CREATE TABLE group_events_4 PARTITION OF group_events FOR VALUES IN (4);
CREATE TABLE group_events_5 PARTITION OF group_events FOR VALUES IN (5);
CREATE INDEX group_events_user_id ON group_events (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX group_events_at ON group_events (at);

INSERT INTO group_events (group_id, number, kind, user_id, photo_id, at, previous_at, partition)
SELECT e.group_id, e.number, e.kind, e.user_id, e.photo_id, e.at,
    CASE WHEN before.at IS NULL THEN '{}' ELSE ARRAY[before.at] END, event_partition(e.at)
FROM old_group_events e
LEFT JOIN old_group_events before ON before.group_id = e.group_id AND before.number = e.number - 1
WHERE e.at > now() - interval '72 hours';

-- Who was in a group and is not any more: of late, they met everybody who was in it. Written by Sources/Features/Groups.
CREATE TABLE former_members (
    group_id  uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    user_id   uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    left_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX former_members_user_id ON former_members (user_id);
CREATE INDEX former_members_left_at ON former_members (left_at);
INSERT INTO former_members (group_id, user_id, left_at)
SELECT e.group_id, e.user_id, max(e.at)
FROM old_group_events e
WHERE e.user_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM group_members m WHERE m.group_id = e.group_id AND m.user_id = e.user_id)
GROUP BY e.group_id, e.user_id;

DROP TABLE old_group_events;
DROP FUNCTION notify_group_event();

-- Tells the client that runs the transaction, and nobody else, where there is something to read in the log: that client
-- tells the other processes once the transaction is committed. A NOTIFY of the transaction's own would hold a lock of
-- the whole cluster while its commit is flushed. INFO reaches every client, whatever client_min_messages says. A `+`
-- behind it: somebody joined, who may be listening without being known to belong to the group.
CREATE FUNCTION signal_group_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE INFO USING
        ERRCODE = 'DY001',
        MESSAGE = 'dayly_group_events ' || NEW.group_id || ' ' || NEW.number
            || CASE NEW.kind WHEN 'member_joined' THEN ' +' ELSE '' END;
    RETURN NULL;
END
$$;
CREATE TRIGGER group_events_signal AFTER INSERT ON group_events
    FOR EACH ROW EXECUTE FUNCTION signal_group_event();

-- Takes the group's next number. Where locks are taken in an order, the group's row is held already.
CREATE OR REPLACE FUNCTION log_photo_event(of_group uuid, photo uuid, event text) RETURNS void
    LANGUAGE sql AS $$
    WITH numbered AS (
        UPDATE groups g SET last_event = g.last_event + 1, last_event_at = clock_timestamp()
        FROM (SELECT id, last_event_at FROM groups WHERE id = of_group FOR NO KEY UPDATE) AS before
        WHERE g.id = before.id
        RETURNING g.last_event, g.last_event_at, before.last_event_at AS previous_at
    )
    INSERT INTO group_events (group_id, number, kind, photo_id, at, previous_at)
    SELECT of_group, last_event, event, photo, last_event_at, ARRAY[previous_at] FROM numbered
$$;

-- A group that goes takes its memberships along: its own record says so for all of them.
CREATE OR REPLACE FUNCTION record_membership_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM groups WHERE id = OLD.group_id) THEN
        INSERT INTO erasures (kind, subject)
        VALUES ('member', membership_digest(OLD.group_id, OLD.user_id, OLD.joined_at));
    END IF;
    RETURN NULL;
END
$$;
