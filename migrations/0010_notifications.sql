-- Devices that push messages go to, what is still to be done about something that happened, and when people want
-- quiet.

-- When a user is told nothing, in the time zone of the profile; may pass midnight. Written by Sources/Features/Auth.
ALTER TABLE users
    ADD COLUMN quiet_from text,
    ADD COLUMN quiet_to text,
    ADD CONSTRAINT users_quiet_hours CHECK (
        (quiet_from IS NULL) = (quiet_to IS NULL) AND quiet_from <> quiet_to
        AND quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' AND quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
    );

-- When the quiet that holds at `at` ends; null where there is none.
CREATE FUNCTION quiet_until(at timestamptz, zone text, quiet_from text, quiet_to text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        SELECT CASE
            WHEN (begins < ends AND here::time >= begins AND here::time < ends)
                OR (begins > ends AND (here::time >= begins OR here::time < ends))
            THEN GREATEST(
                (here::date + (CASE WHEN here::time < ends THEN 0 ELSE 1 END) + ends) AT TIME ZONE zone_named(zone),
                -- Where clocks go back the end may lie behind.
                at + interval '1 second')
        END
        FROM (
            SELECT at AT TIME ZONE zone_named(zone) AS here, quiet_from::time AS begins, quiet_to::time AS ends
        ) AS clock
    );

-- A device that asked for push messages, in the session that it is signed in with: it goes with its session, however
-- that ends. One row per token, whoever registers it last. The digest is what is unique: tokens are too long for an
-- index. Written by Sources/Features/Notifications only.
CREATE TABLE devices (
    id             uuid PRIMARY KEY,
    digest         bytea NOT NULL CONSTRAINT devices_digest_key UNIQUE,
    token          text NOT NULL,
    platform       text NOT NULL,
    user_id        uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_id     uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    registered_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT devices_platform CHECK (platform IN ('ios', 'android')),
    CONSTRAINT devices_token_length CHECK (char_length(token) BETWEEN 1 AND 4096)
);
CREATE INDEX devices_user_id ON devices (user_id);
CREATE INDEX devices_session_id ON devices (session_id);

CREATE FUNCTION forget_session_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM devices WHERE session_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER sessions_forget_devices AFTER UPDATE OF ended_at ON sessions
    FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION forget_session_devices();

-- What is to be done because something else happened, written in the transaction that made it so. Done at least once,
-- by whoever holds the row: `due_at` is also the end of the lease that `lease` names. A row with a key is kept after
-- it was done, until `keep_until`: as long as that there is no second one. Written by Sources/Platform/Jobs only.
CREATE TABLE outbox (
    id          uuid PRIMARY KEY,
    topic       text NOT NULL,
    key         text,
    -- Whom it is for or about: it goes with the account.
    user_id     uuid REFERENCES users (id) ON DELETE CASCADE,
    payload     jsonb NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    due_at      timestamptz NOT NULL DEFAULT now(),
    -- From then on it is of no use.
    expires_at  timestamptz NOT NULL,
    keep_until  timestamptz NOT NULL,
    attempts    integer NOT NULL DEFAULT 0,
    lease       uuid,
    done_at     timestamptz,
    CONSTRAINT outbox_key UNIQUE (topic, key)
);
CREATE INDEX outbox_due_at ON outbox (due_at) WHERE done_at IS NULL;
CREATE INDEX outbox_keep_until ON outbox (keep_until) WHERE done_at IS NOT NULL;
CREATE INDEX outbox_expires_at ON outbox (expires_at) WHERE done_at IS NULL;
CREATE INDEX outbox_user_id ON outbox (user_id);
