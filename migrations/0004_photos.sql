-- Photos, the days they use up, the ledger of every object in the bucket, and where an audit of the bucket stands. Written by
-- Sources/Products/Photos only.

-- The last local day on which a sender's photo was accepted in a group. Survives leaving and rejoining, and the
-- photo. Its row lock orders the uploads of one sender to one group.
CREATE TABLE photo_slots (
    group_id      uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    sender_id     uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    last_sent_on  date,
    PRIMARY KEY (group_id, sender_id)
);
CREATE INDEX photo_slots_sender_id ON photo_slots (sender_id);

-- `pending` while its objects are being written, under a lease; `live` from acceptance to expiry. Every attempt is a
-- row of its own with keys of its own. A photo deleted by its sender expires at that moment.
CREATE TABLE photos (
    id              uuid PRIMARY KEY,
    group_id        uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    sender_id       uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    sent_on         date NOT NULL,
    lease_until     timestamptz,
    created_at      timestamptz NOT NULL DEFAULT now(),
    expires_at      timestamptz,
    -- Whether the group's log says that the photo is gone.
    removal_logged  boolean NOT NULL DEFAULT false,
    width           integer NOT NULL CHECK (width BETWEEN 1 AND 2048),
    height          integer NOT NULL CHECK (height BETWEEN 1 AND 2048),
    thumbhash       bytea NOT NULL CHECK (octet_length(thumbhash) <= 25),
    photo_key       text NOT NULL,
    thumbnail_key   text NOT NULL,
    -- A keyed hash (HMAC) of the original bytes, by which a repeated upload is recognised; NULL where the upload had no
    -- idempotency key. It proves nothing without the service's secret, and goes with the photo.
    fingerprint     bytea,
    -- Pending has a lease and no expiry; live has an expiry and no lease.
    CONSTRAINT photos_pending_or_live CHECK ((lease_until IS NULL) <> (expires_at IS NULL)),
    CONSTRAINT photos_one_per_day UNIQUE (group_id, sender_id, sent_on)
);
CREATE INDEX photos_sender_id ON photos (sender_id);
CREATE INDEX photos_expires_at ON photos (expires_at);
CREATE INDEX photos_lease_until ON photos (lease_until) WHERE lease_until IS NOT NULL;

-- The photos for which clients' upload ids stood. A row outlives its photo, so that a late retry learns that the photo is gone.
-- It has no hash of the bytes, which would prove to anybody with the file who had sent it, weeks after the photo had gone.
CREATE TABLE upload_keys (
    group_id    uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    sender_id   uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key         text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 64),
    photo_id    uuid NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, sender_id, key)
);
CREATE INDEX upload_keys_sender_id ON upload_keys (sender_id);
CREATE INDEX upload_keys_created_at ON upload_keys (created_at);

-- Every object that is, or may come to be, in the bucket. Written before the object and removed after it; no foreign
-- keys, so that no cascade can forget an object. `passes` counts the deletions still to do: two where a PUT may yet
-- land after the first. What is due together lies together, so a claim changes whole pages: each has room for all its rows a
-- second time, or the claim would write to every index.
CREATE TABLE stored_objects (
    key            text COLLATE "C" PRIMARY KEY,
    photo_id       uuid NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    delete_after   timestamptz NOT NULL,
    passes         smallint NOT NULL DEFAULT 1,
    -- A sweeper has deleted the object and counted it. One more deletion is due, because a PUT may have landed since.
    deleted_once   boolean NOT NULL DEFAULT false,
    -- A claim is one sweeper's, under a lease that it renews. What another one has taken over since is not its own any more.
    claimed_by     uuid,
    claimed_until  timestamptz,
    failures       integer NOT NULL DEFAULT 0
) WITH (fillfactor = 40);
CREATE INDEX stored_objects_delete_after ON stored_objects (delete_after);
CREATE INDEX stored_objects_photo_id ON stored_objects (photo_id);
CREATE INDEX stored_objects_created_at ON stored_objects (created_at);

-- However a photo's row goes (its group, its sender, an abandoned attempt), its objects are due from then on. Those of a photo
-- that had expired are due already, and that is how nearly all rows go: they need no look into the ledger, row by row.
CREATE FUNCTION forget_photo_objects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stored_objects
    SET delete_after = LEAST(delete_after, now()),
        passes = CASE WHEN OLD.lease_until IS NULL THEN passes ELSE 2 END
    WHERE photo_id = OLD.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER photos_forget_objects AFTER DELETE ON photos FOR EACH ROW
    WHEN (OLD.expires_at IS NULL OR OLD.expires_at > now())
    EXECUTE FUNCTION forget_photo_objects();

-- Photos write their part of the group's log here, so that none comes, ends or goes without it, whoever does it.

-- Takes the group's next number. Where locks are taken in an order, the group's row is held already. PostgreSQL plans the
-- statements of a function in SQL anew at each call from a trigger. Those of PL/pgSQL keep their plans, and each photo that is
-- accepted, deleted or expired makes such a call.
CREATE FUNCTION log_photo_event(of_group uuid, photo uuid, event text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH numbered AS (
        UPDATE groups g SET last_event = g.last_event + 1, last_event_at = clock_timestamp()
        FROM (SELECT id, last_event_at FROM groups WHERE id = of_group FOR NO KEY UPDATE) AS before
        WHERE g.id = before.id
        RETURNING g.last_event, g.last_event_at, before.last_event_at AS previous_at
    )
    INSERT INTO group_events (group_id, number, kind, photo_id, at, previous_at)
    SELECT of_group, last_event, event, photo, last_event_at, ARRAY[previous_at] FROM numbered;
END
$$;

CREATE FUNCTION log_photo_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        -- If the group is deleted too, nothing is written, because there is no row to take a number from.
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

-- One row per kind of audit. `holder` has it until `lease_until`; what it has seen up to `last_key` is in `report`, and
-- `continuation` is the store's word for what comes next. `started_at` is NULL where no run is under way.
CREATE TABLE audit_runs (
    name          text PRIMARY KEY,
    holder        uuid,
    lease_until   timestamptz,
    started_at    timestamptz,
    last_key      text COLLATE "C" NOT NULL DEFAULT '',
    continuation  text,
    report        text,
    finished_at   timestamptz,
    next_run_at   timestamptz
);

-- Objects without a row, since when they have been seen by our own clock: the store's may be wrong.
CREATE TABLE orphan_sightings (
    key      text COLLATE "C" PRIMARY KEY,
    seen_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX orphan_sightings_seen_at ON orphan_sightings (seen_at);
