-- The lanes that a row needs, of which one must be open before a worker claims it: the platforms of the reader's devices.
-- While a push provider is left alone its messages stay where they are, and cost the database nothing. Without lanes a
-- row is claimed at once.
ALTER TABLE outbox ADD COLUMN lanes text[] NOT NULL DEFAULT '{}';

-- Providers that refuse our push credentials, as running services have seen it: a row when ten devices in a row were
-- unknown or the key was refused, no row once a message is accepted. Written by Sources/Features/Notifications only.
CREATE TABLE push_faults (
    platform text PRIMARY KEY,
    reason   text NOT NULL,
    since    timestamptz NOT NULL DEFAULT now()
);
