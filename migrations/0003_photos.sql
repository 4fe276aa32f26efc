-- Photos, the days they use up, and the ledger of every object in the bucket. Written by
-- Sources/Features/DailyPhotos only.

-- The day at `at` for somebody in `zone`: the only place where a day is decided.
CREATE FUNCTION local_day(at timestamptz, zone text) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (at AT TIME ZONE zone)::date;

-- The first instant at which local_day(…, zone) is later than `day`. Where clocks go back at midnight the local time
-- 00:00 happens twice and AT TIME ZONE names the second: the first lies at most three hours before it.
CREATE FUNCTION end_of_local_day(day date, zone text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        SELECT min(candidate)
        FROM (
            SELECT ((day + 1)::timestamp AT TIME ZONE zone) - step * interval '15 minutes' AS candidate
            FROM generate_series(0, 12) AS step
        ) AS candidates
        WHERE local_day(candidate, zone) > day
    );

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
    width           integer NOT NULL CHECK (width BETWEEN 1 AND 2048),
    height          integer NOT NULL CHECK (height BETWEEN 1 AND 2048),
    thumbhash       bytea NOT NULL CHECK (octet_length(thumbhash) <= 25),
    photo_key       text NOT NULL,
    thumbnail_key   text NOT NULL,
    -- Pending has a lease and no expiry; live has an expiry and no lease.
    CONSTRAINT photos_pending_or_live CHECK ((lease_until IS NULL) <> (expires_at IS NULL)),
    CONSTRAINT photos_one_per_day UNIQUE (group_id, sender_id, sent_on)
);
CREATE INDEX photos_sender_id ON photos (sender_id);
CREATE INDEX photos_expires_at ON photos (expires_at);
CREATE INDEX photos_lease_until ON photos (lease_until) WHERE lease_until IS NOT NULL;

-- What a client's upload id stood for: outlives the photo, so that a late retry hears that it is gone.
CREATE TABLE upload_keys (
    group_id     uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    sender_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key          text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 64),
    bytes_sha256 bytea NOT NULL,
    photo_id     uuid NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, sender_id, key)
);
CREATE INDEX upload_keys_sender_id ON upload_keys (sender_id);
CREATE INDEX upload_keys_created_at ON upload_keys (created_at);

-- Every object that is, or may come to be, in the bucket. Written before the object and removed after it; no foreign
-- keys, so that no cascade can forget an object. `passes` counts the deletions still to do: two where a PUT may yet
-- land after the first.
CREATE TABLE stored_objects (
    key           text COLLATE "C" PRIMARY KEY,
    photo_id      uuid NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    delete_after  timestamptz NOT NULL,
    passes        smallint NOT NULL DEFAULT 1,
    claimed_until timestamptz,
    failures      integer NOT NULL DEFAULT 0
);
CREATE INDEX stored_objects_delete_after ON stored_objects (delete_after);
CREATE INDEX stored_objects_photo_id ON stored_objects (photo_id);
CREATE INDEX stored_objects_created_at ON stored_objects (created_at);

-- However a photo's row goes (its group, its sender, an abandoned attempt), its objects are due from then on.
CREATE FUNCTION forget_photo_objects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stored_objects
    SET delete_after = LEAST(delete_after, now()),
        passes = CASE WHEN OLD.lease_until IS NULL THEN passes ELSE 2 END
    WHERE photo_id = OLD.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER photos_forget_objects AFTER DELETE ON photos
    FOR EACH ROW EXECUTE FUNCTION forget_photo_objects();
