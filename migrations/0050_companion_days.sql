-- Companion: who takes part, and their days. Written by Sources/Features/Companion/{Settings,Days}. Everything that
-- Companion keeps about a user hangs on the row of companion_settings, and every change of it locks that row first.
CREATE TABLE companion_settings (
    user_id              uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- The journal of erasures knows this joining by it; a later one gets another.
    joining              uuid NOT NULL DEFAULT gen_random_uuid(),
    -- The version of the text to which the user agreed.
    consent              text NOT NULL,
    -- Whole seconds, as all times of days.
    joined_at            timestamptz NOT NULL,
    -- In minutes of phone use a day: as set last, which holds from the next day on, and that of the running day.
    limit_minutes        smallint NOT NULL CONSTRAINT companion_settings_limit CHECK (limit_minutes BETWEEN 15 AND 960),
    limit_minutes_today  smallint NOT NULL CONSTRAINT companion_settings_today CHECK (
        limit_minutes_today BETWEEN 15 AND limit_minutes),
    cooldown_minutes     smallint NOT NULL CONSTRAINT companion_settings_cooldown CHECK (
        cooldown_minutes IN (10, 20, 30, 45, 60)),
    -- When the shields are up: minutes since local midnight, and weekdays from 1 for Monday. NULL: always.
    schedule_from        smallint,
    schedule_to          smallint,
    schedule_weekdays    smallint[],
    -- Whether the user wants the push message before the end of a day.
    nightly              boolean NOT NULL,
    -- The running day: its name, which is the local date at its beginning, and its bounds.
    day                  date NOT NULL,
    begins_at            timestamptz NOT NULL,
    ends_at              timestamptz NOT NULL CONSTRAINT companion_settings_ends_at CHECK (ends_at >= begins_at),
    has_pet              boolean NOT NULL DEFAULT false,
    CONSTRAINT companion_settings_schedule CHECK (
        num_nulls(schedule_from, schedule_to, schedule_weekdays) IN (0, 3)
        AND schedule_from BETWEEN 0 AND 1439 AND schedule_to BETWEEN 0 AND 1439)
);
-- Rows are updated in place, once a day and account.
ALTER TABLE companion_settings SET (fillfactor = 80);
-- For the job `companion_roll`.
CREATE INDEX companion_settings_pets ON companion_settings (ends_at) WHERE has_pet;

-- The days of an account, the running one included, until 90 days after their end.
CREATE TABLE companion_days (
    user_id           uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    day               date NOT NULL,
    begins_at         timestamptz NOT NULL,
    ends_at           timestamptz NOT NULL,
    limit_minutes     smallint NOT NULL,
    -- Accepted ones, with the least and the greatest of their times.
    bypasses          smallint NOT NULL DEFAULT 0 CONSTRAINT companion_days_bypasses CHECK (bypasses BETWEEN 0 AND 20),
    first_use_at      timestamptz,
    last_use_at       timestamptz,
    -- The parts of all windows that lie within the day.
    open_seconds      integer NOT NULL DEFAULT 0,
    -- The largest report; NULL without one.
    reported_minutes  smallint,
    has_events        boolean NOT NULL DEFAULT false,
    has_welcome       boolean NOT NULL DEFAULT false,
    has_summary       boolean NOT NULL DEFAULT false,
    -- The time of the bypass that brought the hp to 0.
    terminal_at       timestamptz,
    -- A closed day takes no more reports. Its energy is what the closing awarded; NULL for a day without a report.
    closed_at         timestamptz,
    energy            integer,
    -- Whether the summary may still be written by itself, and the evening's push message may still be sent.
    summary_open      boolean NOT NULL DEFAULT true,
    nightly_open      boolean NOT NULL DEFAULT true,
    PRIMARY KEY (user_id, day),
    CONSTRAINT companion_days_closed CHECK (energy IS NULL OR closed_at IS NOT NULL)
) WITH (fillfactor = 80);
-- For the jobs `companion_purge`, `companion_summaries` and `companion_nightly`.
CREATE INDEX companion_days_ends_at ON companion_days (ends_at);
CREATE INDEX companion_days_summaries ON companion_days (ends_at) WHERE summary_open AND has_events AND NOT has_summary;
CREATE INDEX companion_days_nightly ON companion_days (ends_at) WHERE nightly_open AND has_events;

-- Leaving Companion is an erasure that a restore repeats. A deleted account has a record of its own.
CREATE FUNCTION record_companion_leaving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM users WHERE id = OLD.user_id) THEN
        INSERT INTO erasures (kind, subject) VALUES ('companion', erasure_digest('companion', OLD.joining::text));
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER companion_settings_record_erasure AFTER DELETE ON companion_settings
    FOR EACH ROW EXECUTE FUNCTION record_companion_leaving();
