-- Companion: who takes part, their days, their phones, the bypasses that these report, and the cat's diary. Written by
-- Sources/Products/Companion/Service/{Settings,Days,Devices,Sync,Diary}.

-- Everything that Companion keeps about a user hangs on this row, and every change of it locks the row first. Rows
-- are updated in place, once a day and account.
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
) WITH (fillfactor = 80);
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

-- Whoever leaves Companion, or deletes the account, also deletes the messages about it and the keys of its repeated calls.
CREATE FUNCTION forget_companion_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM outbox
    WHERE user_id = OLD.user_id AND topic = 'personal' AND key LIKE 'companion\_%';
    DELETE FROM idempotency_keys WHERE user_id = OLD.user_id AND path LIKE '/v1/companion/%';
    RETURN NULL;
END
$$;
CREATE TRIGGER companion_settings_forget_messages AFTER DELETE ON companion_settings
    FOR EACH ROW EXECUTE FUNCTION forget_companion_messages();

CREATE TABLE companion_devices (
    user_id        uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    -- The phone's own id.
    id             uuid NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    synced_at      timestamptz NOT NULL,
    -- The last number that was acknowledged, and the time of the last accepted event.
    last_seq       bigint NOT NULL DEFAULT 0,
    last_event_at  timestamptz,
    -- The new events that arrived on a UTC day.
    events_on      date NOT NULL,
    events_count   integer NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, id)
) WITH (fillfactor = 80);

-- The accepted bypasses, each with the window that it opened for its phone. They stay when the phone is removed.
CREATE TABLE companion_bypasses (
    user_id    uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    day        date NOT NULL,
    -- 1, 2, … in the order in which the day's bypasses were accepted.
    number     smallint NOT NULL CONSTRAINT companion_bypasses_number CHECK (number BETWEEN 1 AND 20),
    device_id  uuid NOT NULL,
    at         timestamptz NOT NULL,
    -- The end of the window; NULL: the bypass brought the hp to 0 and opened none.
    closes_at  timestamptz CONSTRAINT companion_bypasses_closes_at CHECK (closes_at >= at),
    PRIMARY KEY (user_id, day, number),
    FOREIGN KEY (user_id, day) REFERENCES companion_days (user_id, day) ON DELETE CASCADE
);

-- The order of ids is that in which entries are written, also within a second.
CREATE FUNCTION companion_entry_id(at timestamptz, ordinal integer) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN (
        lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(ordinal % 4096), 3, '0')
        || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid;

CREATE TABLE companion_diary (
    user_id   uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    -- The order in which the owner's entries were written.
    ordinal   integer NOT NULL,
    id        uuid NOT NULL,
    day       date NOT NULL,
    at        timestamptz NOT NULL,
    kind      text NOT NULL CONSTRAINT companion_diary_kind CHECK (kind IN ('welcome', 'band', 'terminal', 'nightly')),
    band      smallint CONSTRAINT companion_diary_band CHECK (band IN (0, 10, 20, 40, 60, 80)),
    pool      text NOT NULL,
    hp        smallint NOT NULL CONSTRAINT companion_diary_hp CHECK (hp BETWEEN 0 AND 100),
    -- The text's number in its pool.
    number    smallint NOT NULL,
    -- The text with its figures, in each language.
    text_en   text NOT NULL,
    text_de   text NOT NULL,
    PRIMARY KEY (user_id, ordinal),
    FOREIGN KEY (user_id, day) REFERENCES companion_days (user_id, day) ON DELETE CASCADE,
    CONSTRAINT companion_diary_banded CHECK ((kind IN ('band', 'terminal')) = (band IS NOT NULL))
);
-- One welcome, one text for each band and one summary a day.
CREATE UNIQUE INDEX companion_diary_once ON companion_diary (
    user_id, day, (CASE kind WHEN 'terminal' THEN 'summary' WHEN 'nightly' THEN 'summary' ELSE kind || coalesce(band::text, '') END));
-- The newest entries.
CREATE INDEX companion_diary_at ON companion_diary (user_id, at, id);

-- The times in which no process offered Companion: nobody could feed a pet then. The processes that offer it beat once a minute.
CREATE TABLE companion_beats (
    the_only boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    at timestamptz NOT NULL
);
CREATE TABLE companion_gaps (
    begins_at timestamptz PRIMARY KEY,
    ends_at timestamptz NOT NULL,
    CONSTRAINT companion_gaps_order CHECK (begins_at < ends_at)
);

-- How much of the 24 hours before the end of a day no process offered Companion.
CREATE FUNCTION companion_missed(day_end timestamptz) RETURNS interval LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
    SELECT coalesce(
        sum(least(gap.ends_at, day_end) - greatest(gap.begins_at, day_end - interval '24 hours')), interval '0')
    FROM (
        SELECT begins_at, ends_at FROM companion_gaps
        UNION ALL
        SELECT at, now() FROM companion_beats WHERE at < now() - interval '10 minutes'
    ) AS gap
    WHERE gap.begins_at < day_end AND gap.ends_at > day_end - interval '24 hours'
);
