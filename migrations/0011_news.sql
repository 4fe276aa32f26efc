-- What members can see change, photos too, is numbered per group in the transaction that changes it, and told to all
-- who listen as it commits. `group_events` and `groups` are Sources/Features/Groups'; photos write their part of the
-- log here, so that none comes, ends or goes without it, whoever does it.

-- When the group's last event was written: names it beyond its number, which a restored backup would give again.
ALTER TABLE groups ADD COLUMN last_event_at timestamptz NOT NULL DEFAULT now();
UPDATE groups g SET last_event_at = e.at FROM group_events e WHERE e.group_id = g.id AND e.number = g.last_event;

-- Of a photo its id alone is kept, until the event is forgotten. `at` is the moment of writing and not the
-- transaction's beginning, so that within a group the times follow the numbers.
ALTER TABLE group_events
    ADD COLUMN photo_id uuid,
    ALTER COLUMN at SET DEFAULT clock_timestamp(),
    DROP CONSTRAINT group_events_kind,
    ADD CONSTRAINT group_events_kind CHECK (
        kind IN ('member_joined', 'member_left', 'member_renamed', 'group_renamed', 'photo_added', 'photo_removed')
    ),
    ADD CONSTRAINT group_events_photo CHECK ((photo_id IS NOT NULL) = (kind IN ('photo_added', 'photo_removed')));

-- Whether the log says that the photo is gone.
ALTER TABLE photos ADD COLUMN removal_logged boolean NOT NULL DEFAULT false;

-- Takes the group's next number. Where locks are taken in an order, the group's row is held already.
CREATE FUNCTION log_photo_event(of_group uuid, photo uuid, event text) RETURNS void
    LANGUAGE sql AS $$
    WITH numbered AS (
        UPDATE groups SET last_event = last_event + 1, last_event_at = clock_timestamp()
        WHERE id = of_group
        RETURNING last_event, last_event_at
    )
    INSERT INTO group_events (group_id, number, kind, photo_id, at)
    SELECT of_group, last_event, event, photo, last_event_at FROM numbered
$$;

CREATE FUNCTION log_photo_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        -- Of a group that goes too nothing is written: there is no row to take a number from.
        PERFORM log_photo_event(OLD.group_id, OLD.id, 'photo_removed');
        RETURN NULL;
    ELSIF OLD.expires_at IS NULL THEN
        PERFORM log_photo_event(NEW.group_id, NEW.id, 'photo_added');
    ELSE
        PERFORM log_photo_event(NEW.group_id, NEW.id, 'photo_removed');
        NEW.removal_logged := true;
    END IF;
    RETURN NEW;
END
$$;
-- Accepted; or over, by whatever ended it, once.
CREATE TRIGGER photos_log_change BEFORE UPDATE ON photos FOR EACH ROW
    WHEN (
        OLD.expires_at IS NULL AND NEW.expires_at IS NOT NULL
        OR OLD.expires_at IS NOT NULL AND NEW.expires_at <= now() AND NOT OLD.removal_logged
    )
    EXECUTE FUNCTION log_photo_change();
CREATE TRIGGER photos_log_removal AFTER DELETE ON photos FOR EACH ROW
    WHEN (OLD.expires_at IS NOT NULL AND NOT OLD.removal_logged)
    EXECUTE FUNCTION log_photo_change();

-- Says that there is something to read in the log, and where; not what it is. A `+` behind it: somebody joined, who may
-- be listening without being known to belong to the group.
CREATE FUNCTION notify_group_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify(
        'dayly_group_events',
        NEW.group_id || ' ' || NEW.number || CASE NEW.kind WHEN 'member_joined' THEN ' +' ELSE '' END);
    RETURN NULL;
END
$$;
CREATE TRIGGER group_events_notify AFTER INSERT ON group_events FOR EACH ROW EXECUTE FUNCTION notify_group_event();
