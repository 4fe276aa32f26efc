-- Where an audit of the bucket stands, and what tells a database that went back in time. Audits are written by
-- Sources/Features/DailyPhotos, the rest by Sources/Platform/Restoration.

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

-- `epoch` only ever grows, and the bucket keeps the highest one there was: a database that has a lower one went back.
-- `marked_epoch`: what the bucket is known to have. The row is made by the first start.
CREATE TABLE restore_guard (
    the_only      boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    database_id   uuid NOT NULL DEFAULT gen_random_uuid(),
    epoch         bigint NOT NULL DEFAULT 0,
    marked_epoch  bigint NOT NULL DEFAULT 0,
    beat_at       timestamptz NOT NULL DEFAULT now()
);

-- What was erased and is not yet written down in the bucket, where it outlives a restored backup. `subject` is the hash
-- of an id, never the id; `payload` what is a keyed hash already.
CREATE TABLE erasures (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind     text NOT NULL,
    subject  bytea,
    payload  bytea
);

-- How a row is known again without its id being kept.
CREATE FUNCTION erasure_digest(kind text, name text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN sha256(convert_to(kind || ' ' || name, 'UTF8'));

-- A membership is known by when it began, too: who left and came back is a member.
CREATE FUNCTION membership_digest(group_id uuid, user_id uuid, joined_at timestamptz) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN erasure_digest(
        'member',
        group_id::text || ' ' || user_id::text || ' ' || (EXTRACT(EPOCH FROM joined_at) * 1000000)::bigint::text);

CREATE FUNCTION record_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO erasures (kind, subject) VALUES (TG_ARGV[0], erasure_digest(TG_ARGV[0], OLD.id::text));
    RETURN NULL;
END
$$;
CREATE TRIGGER users_record_erasure AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION record_erasure('user');
CREATE TRIGGER groups_record_erasure AFTER DELETE ON groups
    FOR EACH ROW EXECUTE FUNCTION record_erasure('group');
-- What expires by itself needs no record: an old database knows when.
CREATE TRIGGER photos_record_early_end AFTER UPDATE OF expires_at ON photos
    FOR EACH ROW WHEN (NEW.expires_at < OLD.expires_at) EXECUTE FUNCTION record_erasure('photo');
CREATE TRIGGER photos_record_erasure AFTER DELETE ON photos
    FOR EACH ROW WHEN (OLD.expires_at > now()) EXECUTE FUNCTION record_erasure('photo');

CREATE FUNCTION record_membership_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO erasures (kind, subject)
    VALUES ('member', membership_digest(OLD.group_id, OLD.user_id, OLD.joined_at));
    RETURN NULL;
END
$$;
CREATE TRIGGER group_members_record_end AFTER DELETE ON group_members
    FOR EACH ROW EXECUTE FUNCTION record_membership_end();

-- A block and a STOP are promises, not content: they must not get lost either.
CREATE FUNCTION record_stop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO erasures (kind, payload)
    VALUES (TG_ARGV[0], CASE WHEN TG_OP = 'DELETE' THEN OLD.number_hmac ELSE NEW.number_hmac END);
    RETURN NULL;
END
$$;
CREATE TRIGGER sms_opt_outs_record AFTER INSERT ON sms_opt_outs
    FOR EACH ROW EXECUTE FUNCTION record_stop('stop');
CREATE TRIGGER sms_opt_outs_record_end AFTER DELETE ON sms_opt_outs
    FOR EACH ROW EXECUTE FUNCTION record_stop('allow');

CREATE FUNCTION record_block() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO erasures (kind, subject, payload)
        VALUES ('unblock', erasure_digest('user', OLD.blocker_id::text), OLD.number_hmac);
    ELSE
        INSERT INTO erasures (kind, subject, payload)
        VALUES ('block', erasure_digest('user', NEW.blocker_id::text), NEW.number_hmac);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER blocks_record AFTER INSERT OR DELETE ON blocks
    FOR EACH ROW EXECUTE FUNCTION record_block();
