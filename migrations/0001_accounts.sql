-- Users, their sign-in codes and their signed-in devices. Written by Sources/Features/Auth only
-- (rate_counters: by Sources/Platform/RateLimiting).

CREATE TABLE users (
    id                    uuid PRIMARY KEY,
    phone_number          text NOT NULL CONSTRAINT users_phone_number_key UNIQUE,
    first_name            text,
    time_zone             text NOT NULL DEFAULT 'UTC',
    time_zone_changed_at  timestamptz,
    discoverable          boolean NOT NULL DEFAULT true,
    -- No finer than a day, by design.
    last_active_on        date,
    created_at            timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_phone_number_is_e164 CHECK (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
    CONSTRAINT users_first_name_length CHECK (char_length(first_name) BETWEEN 1 AND 50)
);

-- One row per code that was asked for. The code itself is never stored: code_hmac is keyed and bound to the row.
CREATE TABLE verifications (
    id            uuid PRIMARY KEY,
    phone_number  text NOT NULL,
    code_hmac     bytea NOT NULL,
    attempts      smallint NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz
);
CREATE INDEX verifications_expires_at ON verifications (expires_at);
CREATE INDEX verifications_phone_number ON verifications (phone_number);

-- A signed-in device. Its refresh tokens are derived from (id, generation, refresh_nonce) under a server key, so
-- none is stored: `generation` is the newest one handed out, `rotated_at` when its parent was exchanged for it.
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
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Counters over a window that starts with the first event. `subject` is an HMAC: no number and no address is kept.
CREATE TABLE rate_counters (
    scope           text NOT NULL,
    subject         bytea NOT NULL,
    used            integer NOT NULL,
    window_ends_at  timestamptz NOT NULL,
    PRIMARY KEY (scope, subject)
);
CREATE INDEX rate_counters_window_ends_at ON rate_counters (window_ends_at);
