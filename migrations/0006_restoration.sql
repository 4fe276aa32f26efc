-- The state by which the service notices that a database went back in time, and the triggers that record each erasure for the
-- journal in the bucket. The journal outlives a restored backup. Written by Sources/Platform/Restoration.

-- `epoch` only ever grows, and the bucket keeps the highest one there was: a database that has a lower one went back.
-- `marked_epoch`: what the bucket is known to have. The row is made by the first start. `hole_at`: when a part of the journal
-- was found missing last. `tidied_at`: when a process began to tidy the journal last.
CREATE TABLE restore_guard (
    the_only      boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    database_id   uuid NOT NULL DEFAULT gen_random_uuid(),
    epoch         bigint NOT NULL DEFAULT 0,
    marked_epoch  bigint NOT NULL DEFAULT 0,
    beat_at       timestamptz NOT NULL DEFAULT now(),
    hole_at       timestamptz,
    tidied_at     timestamptz NOT NULL DEFAULT 'epoch'
);

-- The segments of the journal that this database knows. Every step has a random token, which the database and the bucket both
-- keep: two histories that repeat a step's number are told apart. A segment in the bucket that is not here belongs to a history
-- that this database has lost. A row stays for some hours after its segment was removed on purpose (`gone_at`).
-- `adopted_by` names the step under which a restore took over the segments of a lost history; NULL for own steps.
CREATE TABLE journal_steps (
    epoch       bigint NOT NULL,
    token       text NOT NULL,
    content     text NOT NULL,
    at          timestamptz NOT NULL DEFAULT now(),
    is_written  boolean NOT NULL DEFAULT false,
    adopted_by  bigint,
    gone_at     timestamptz,
    CONSTRAINT journal_steps_pkey PRIMARY KEY (epoch, token)
);

-- How far each part of a restore has come, so that a restore that was killed goes on from there. `run` names the restore
-- by what it reads; `last` is the key of the last row that is done.
CREATE TABLE restore_progress (
    run      text NOT NULL,
    part     text NOT NULL,
    last     uuid NOT NULL,
    changed  bigint NOT NULL,
    CONSTRAINT restore_progress_pkey PRIMARY KEY (run, part)
);

-- Erasures that are not in the bucket's journal yet. `subject` is the hash of an id, never the id, and `payload` is never more
-- than a keyed hash or a number.
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
-- A photo that expires by itself needs no record, because a restored database knows its expiry.
CREATE TRIGGER photos_record_early_end AFTER UPDATE OF expires_at ON photos
    FOR EACH ROW WHEN (NEW.expires_at < OLD.expires_at) EXECUTE FUNCTION record_erasure('photo');
CREATE TRIGGER photos_record_erasure AFTER DELETE ON photos
    FOR EACH ROW WHEN (OLD.expires_at > now()) EXECUTE FUNCTION record_erasure('photo');

-- A membership is known by when it began, too: who left and came back is a member.
CREATE FUNCTION membership_digest(group_id uuid, user_id uuid, joined_at timestamptz) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN erasure_digest(
        'member',
        group_id::text || ' ' || user_id::text || ' ' || (EXTRACT(EPOCH FROM joined_at) * 1000000)::bigint::text);

-- A group that goes takes its memberships along: its own record says so for all of them.
CREATE FUNCTION record_membership_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM groups WHERE id = OLD.group_id) THEN
        INSERT INTO erasures (kind, subject)
        VALUES ('member', membership_digest(OLD.group_id, OLD.user_id, OLD.joined_at));
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER group_members_record_end AFTER DELETE ON group_members
    FOR EACH ROW EXECUTE FUNCTION record_membership_end();

-- A restore that ends all sessions or invitations says so in one record, not in one for each row.
CREATE FUNCTION is_restoring() RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN COALESCE(current_setting('dayly.is_restoring', true), '') = 'on';

CREATE FUNCTION record_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO erasures (kind, subject) VALUES (TG_ARGV[0], erasure_digest(TG_ARGV[0], OLD.id::text));
    RETURN NULL;
END
$$;
-- A session that goes with its user needs no record: the user has one.
CREATE TRIGGER sessions_record_end AFTER UPDATE OF ended_at ON sessions
    FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NOT is_restoring())
    EXECUTE FUNCTION record_end('session');
CREATE TRIGGER invites_record_end AFTER UPDATE OF used_at, revoked_at ON invites
    FOR EACH ROW WHEN (
        OLD.used_at IS NULL AND OLD.revoked_at IS NULL
        AND (NEW.used_at IS NOT NULL OR NEW.revoked_at IS NOT NULL)
        AND NOT is_restoring()
    )
    EXECUTE FUNCTION record_end('invite');

-- A group that goes takes its open invitations along: its own record says so for all of them, as for its memberships.
CREATE FUNCTION record_invite_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM groups WHERE id = OLD.group_id) THEN
        INSERT INTO erasures (kind, subject) VALUES ('invite', erasure_digest('invite', OLD.id::text));
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER invites_record_erasure AFTER DELETE ON invites
    FOR EACH ROW WHEN (OLD.used_at IS NULL AND OLD.revoked_at IS NULL AND OLD.expires_at > now())
    EXECUTE FUNCTION record_invite_erasure();

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
