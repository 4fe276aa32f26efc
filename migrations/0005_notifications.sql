-- Devices that push messages go to, and what is still to be done about something that happened.

-- A device that asked for push messages, in the session that it is signed in with: it goes with its session, however
-- that ends. One row per token, whoever registers it last. The digest is what is unique: tokens are too long for an
-- index. The token of a browser is the text of a subscription: endpoint, key, secret and language with spaces between them;
-- the digest is the endpoint's. Written by Sources/Features/Notifications only.
CREATE TABLE devices (
    id             uuid PRIMARY KEY,
    digest         bytea NOT NULL CONSTRAINT devices_digest_key UNIQUE,
    token          text NOT NULL,
    platform       text NOT NULL,
    user_id        uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_id     uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    registered_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT devices_platform CHECK (platform IN ('ios', 'android', 'web')),
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

-- Providers that refuse our push credentials, as running services have seen it: a row when ten devices in a row were
-- unknown or the key was refused, no row once a message is accepted. Written by Sources/Features/Notifications only.
CREATE TABLE push_faults (
    platform  text PRIMARY KEY,
    reason    text NOT NULL,
    since     timestamptz NOT NULL DEFAULT now()
);

-- Work that follows from a change, written in the transaction of that change. It is done at least once, by the process that
-- holds the row: `due_at` is also the end of the lease that `lease` names. A row with a key is kept after
-- it was done, until `keep_until`: as long as that there is no second one. Written by Sources/Platform/Jobs only.
CREATE TABLE outbox (
    id          uuid PRIMARY KEY,
    topic       text NOT NULL,
    key         text,
    -- Whom it is for or about: it goes with the account.
    user_id     uuid REFERENCES users (id) ON DELETE CASCADE,
    payload     jsonb NOT NULL,
    -- The lanes that the row needs, of which one must be open before a worker claims it: the platforms of the reader's devices.
    -- While a push provider is left alone its messages stay where they are, and cost the database nothing. Without lanes a row
    -- is claimed at once.
    lanes       text[] NOT NULL DEFAULT '{}',
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
-- A worker finds the rows that are due in a lane without reading those of the other lanes.
CREATE INDEX outbox_lanes_due_at ON outbox (lanes, due_at) WHERE done_at IS NULL;
CREATE INDEX outbox_keep_until ON outbox (keep_until) WHERE done_at IS NOT NULL;
CREATE INDEX outbox_expires_at ON outbox (expires_at) WHERE done_at IS NULL;
CREATE INDEX outbox_user_id ON outbox (user_id);
-- Messages to partners in Focus belong to the partner, but their rows name the user who may leave.
CREATE INDEX outbox_partner_subject ON outbox ((payload #>> '{personal,subject}'))
    WHERE topic = 'personal' AND key LIKE 'partner\_%';
