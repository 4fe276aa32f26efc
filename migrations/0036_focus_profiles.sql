-- Focus: who takes part. Written by Sources/Features/Focus/Profile. Everything that Focus keeps about a user hangs on
-- this row.
CREATE TABLE focus_profiles (
    user_id              uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- The version of the text to which the user agreed.
    consent              text NOT NULL,
    nickname             text,
    nickname_set_at      timestamptz,
    boards               boolean NOT NULL DEFAULT true,
    leagues              boolean NOT NULL DEFAULT false,
    feed                 boolean NOT NULL DEFAULT false,
    morning              boolean NOT NULL DEFAULT false,
    joined_at            timestamptz NOT NULL DEFAULT now(),
    -- The local day of joining.
    joined_on            date NOT NULL,
    -- Devices are numbered 1, 2, … and no number is given twice.
    last_device_number   integer NOT NULL DEFAULT 0,
    -- bronze, silver, gold, platinum, diamond.
    tier                 smallint NOT NULL DEFAULT 0 CONSTRAINT focus_profiles_tier CHECK (tier BETWEEN 0 AND 4),
    pro_until            timestamptz,
    CONSTRAINT focus_profiles_nickname CHECK (nickname ~ '^[A-Za-z0-9_.]{3,30}$')
);
CREATE UNIQUE INDEX focus_profiles_nickname_key ON focus_profiles (lower(nickname));
