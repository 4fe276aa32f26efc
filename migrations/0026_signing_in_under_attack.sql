-- What signing in needs under attack and with many users.

-- The text messages of `message_tally`, by their part of the ceiling. Messages with codes for addresses that verified the
-- number before are in the tally alone. `calling_code` is 0 for invitations. Written by Sources/Platform/RateLimiting only.
CREATE TABLE message_parts (
    unit          text NOT NULL CHECK (unit IN ('second', 'minute')),
    bucket        timestamptz NOT NULL,
    part          text NOT NULL CHECK (part IN ('stranger', 'invitation')),
    calling_code  integer NOT NULL,
    sent          integer NOT NULL,
    PRIMARY KEY (unit, bucket, part, calling_code)
);

-- These two limits refill steadily from now on: `window_ends_at` is the moment at which nothing counts any more.
DELETE FROM rate_counters WHERE scope IN ('code.address.hour', 'guess.block.hour');

-- The parent of a refresh token may be repeated for as long as its child is not used, so nothing depends on the moment of
-- an exchange, and only its day is kept.
UPDATE sessions
SET rotated_at = date_trunc('day', rotated_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
WHERE rotated_at <> date_trunc('day', rotated_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
DROP INDEX sessions_rotated_lately;

-- For the sweep, which deletes in batches.
CREATE INDEX sessions_ended_at ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX closed_prefixes_closed_until ON closed_prefixes (closed_until);

-- For finding dormant accounts. An account that was never used counts from the day of its creation.
CREATE INDEX users_last_active_on ON users ((coalesce(last_active_on, (created_at AT TIME ZONE 'UTC')::date)));
