-- Companion: the phones of an owner, the bypasses that they report, and the cat's diary. Written by
-- Sources/Features/Companion/{Devices,Sync,Diary}.

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
