-- What keeps text messages affordable and codes hard to guess. Numbers and addresses are HMACs here, never in clear.
-- Written by Sources/Features/Auth only (message_*: by Sources/Platform/RateLimiting).

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

-- From where a number was verified before: that address keeps a share of the number's limits.
CREATE TABLE verified_addresses (
    number       bytea NOT NULL,
    address      bytea NOT NULL,
    verified_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (number, address)
);
CREATE INDEX verified_addresses_verified_at ON verified_addresses (verified_at);

-- `is_trusted`: asked for from an address that verified the number before. `is_review`: has a fixed code.
ALTER TABLE verifications
    ADD COLUMN send_id bigint,
    ADD COLUMN is_trusted boolean NOT NULL DEFAULT false,
    ADD COLUMN is_review boolean NOT NULL DEFAULT false;

-- All text messages by second and by minute, for the ceilings. Who adds to it holds the one row of message_ceiling.
CREATE TABLE message_tally (
    unit    text NOT NULL CHECK (unit IN ('second', 'minute')),
    bucket  timestamptz NOT NULL,
    sent    integer NOT NULL,
    PRIMARY KEY (unit, bucket)
);
CREATE TABLE message_ceiling (
    the_only boolean PRIMARY KEY DEFAULT true CHECK (the_only)
);
INSERT INTO message_ceiling DEFAULT VALUES;
