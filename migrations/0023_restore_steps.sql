-- Every step of the restore guard gets a random token, which the database and the bucket both keep: two histories that
-- repeat a step's number are told apart. Ends of sessions and invitations are journaled too.
-- Written by Sources/Platform/Restoration.

-- `traced_from`: a backup whose epoch is lower was made before the triggers below existed, so the journal cannot tell
-- which sessions and invitations ended since. `hole_at`: when a part of the journal was found missing last.
-- `tidied_at`: when a process began to tidy the journal last.
ALTER TABLE restore_guard
    ADD COLUMN traced_from  bigint NOT NULL DEFAULT 0,
    ADD COLUMN hole_at      timestamptz,
    ADD COLUMN tidied_at    timestamptz NOT NULL DEFAULT 'epoch';
UPDATE restore_guard SET traced_from = epoch + 1;

-- The segments of the journal that this database knows. A segment in the bucket that is not here belongs to a history
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
CREATE TRIGGER invites_record_erasure AFTER DELETE ON invites
    FOR EACH ROW WHEN (OLD.used_at IS NULL AND OLD.revoked_at IS NULL AND OLD.expires_at > now())
    EXECUTE FUNCTION record_end('invite');
