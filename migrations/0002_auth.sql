-- Users, their sign-in codes and their signed-in devices, and what keeps text messages affordable and codes hard to guess.
-- Written by Sources/Features/Auth only (rate_counters and message_*: by Sources/Platform/RateLimiting).

CREATE TABLE users (
    id                    uuid PRIMARY KEY,
    phone_number          text NOT NULL CONSTRAINT users_phone_number_key UNIQUE,
    first_name            text,
    time_zone             text NOT NULL DEFAULT 'UTC',
    time_zone_changed_at  timestamptz,
    -- When the user is told nothing, in the time zone of the profile; may pass midnight.
    quiet_from            text,
    quiet_to              text,
    discoverable          boolean NOT NULL DEFAULT true,
    -- No finer than a day, by design.
    last_active_on        date,
    created_at            timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_phone_number_is_e164 CHECK (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
    CONSTRAINT users_first_name_length CHECK (char_length(first_name) BETWEEN 1 AND 50),
    CONSTRAINT users_quiet_hours CHECK (
        (quiet_from IS NULL) = (quiet_to IS NULL) AND quiet_from <> quiet_to
        AND quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' AND quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
    )
);
-- For finding dormant accounts. An account that was never used counts from the day of its creation.
CREATE INDEX users_last_active_on ON users ((coalesce(last_active_on, (created_at AT TIME ZONE 'UTC')::date)));

-- One row per code that was asked for. The code itself is never stored: code_hmac is keyed and bound to the row.
CREATE TABLE verifications (
    id            uuid PRIMARY KEY,
    phone_number  text NOT NULL,
    code_hmac     bytea NOT NULL,
    attempts      smallint NOT NULL DEFAULT 0,
    -- The row of code_sends.
    send_id       bigint,
    -- Asked for from an address that verified the number before.
    is_trusted    boolean NOT NULL DEFAULT false,
    -- Has a fixed code.
    is_review     boolean NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz
);
CREATE INDEX verifications_expires_at ON verifications (expires_at);
CREATE INDEX verifications_phone_number ON verifications (phone_number);

-- A signed-in device. Its refresh tokens are derived from (id, generation, refresh_nonce) under a server key, so
-- none is stored: `generation` is the newest one handed out, `rotated_at` when its parent was exchanged for it. Of the moments
-- only the days are kept: `rotated_at`, `last_used_at` and `expires_at` are midnights in UTC.
CREATE TABLE sessions (
    id             uuid PRIMARY KEY,
    user_id        uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    device_name    text,
    refresh_nonce  bytea NOT NULL,
    generation     integer NOT NULL DEFAULT 0,
    rotated_at     timestamptz NOT NULL DEFAULT now(),
    created_at     timestamptz NOT NULL DEFAULT now(),
    last_used_at   timestamptz NOT NULL DEFAULT now(),
    expires_at     timestamptz NOT NULL,
    ended_at       timestamptz
);
CREATE INDEX sessions_user_id ON sessions (user_id);
-- For the sweep, which deletes in batches.
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_ended_at ON sessions (ended_at) WHERE ended_at IS NOT NULL;

-- The keys under which clients have made things by JSON calls, so that a repeated call makes nothing twice. Written by
-- Sources/Platform/FeatureKit. Uploads have keys of their own (upload_keys).
CREATE TABLE idempotency_keys (
    user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    path         text NOT NULL,
    key          text NOT NULL,
    -- SHA-256 of the bytes of the body.
    digest       bytea NOT NULL,
    resource_id  uuid NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, path, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

-- Limits. Numbers and addresses are HMACs here, never in clear.

-- Counters over a window that starts with the first event; of a limit that refills steadily, `window_ends_at` is the moment at
-- which nothing counts any more. `subject` is an HMAC.
CREATE TABLE rate_counters (
    scope           text NOT NULL,
    subject         bytea NOT NULL,
    used            integer NOT NULL,
    window_ends_at  timestamptz NOT NULL,
    PRIMARY KEY (scope, subject)
);
CREATE INDEX rate_counters_window_ends_at ON rate_counters (window_ends_at);

-- The codes that were sent, by number prefix, and whether they came to use. Nothing leads from here to a person.
CREATE TABLE code_sends (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    prefix    bytea NOT NULL,
    sent_at   timestamptz NOT NULL DEFAULT now(),
    verified  boolean NOT NULL DEFAULT false
);
CREATE INDEX code_sends_prefix ON code_sends (prefix, id DESC);
CREATE INDEX code_sends_sent_at ON code_sends (sent_at);

-- Prefixes whose codes hardly ever came to use. What was sent before the last closing counts no more.
CREATE TABLE closed_prefixes (
    prefix        bytea PRIMARY KEY,
    closed_until  timestamptz NOT NULL,
    last_send_id  bigint NOT NULL
);
CREATE INDEX closed_prefixes_closed_until ON closed_prefixes (closed_until);

-- From where a number was verified before: that address keeps a share of the number's limits.
CREATE TABLE verified_addresses (
    number       bytea NOT NULL,
    address      bytea NOT NULL,
    verified_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (number, address)
);
CREATE INDEX verified_addresses_verified_at ON verified_addresses (verified_at);

-- All text messages by second and by minute, for the ceilings. Who adds to it holds the one row of message_ceiling.
CREATE TABLE message_tally (
    unit    text NOT NULL CHECK (unit IN ('second', 'minute')),
    bucket  timestamptz NOT NULL,
    sent    integer NOT NULL,
    PRIMARY KEY (unit, bucket)
);
-- The text messages of `message_tally`, by their part of the ceiling. Messages with codes for addresses that verified the
-- number before are in the tally alone. `calling_code` is 0 for invitations.
CREATE TABLE message_parts (
    unit          text NOT NULL CHECK (unit IN ('second', 'minute')),
    bucket        timestamptz NOT NULL,
    part          text NOT NULL CHECK (part IN ('stranger', 'invitation')),
    calling_code  integer NOT NULL,
    sent          integer NOT NULL,
    PRIMARY KEY (unit, bucket, part, calling_code)
);
CREATE TABLE message_ceiling (
    the_only boolean PRIMARY KEY DEFAULT true CHECK (the_only)
);
INSERT INTO message_ceiling DEFAULT VALUES;
