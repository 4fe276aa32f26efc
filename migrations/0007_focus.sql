-- Focus: who takes part, their phones, the events that these report, and the days and weeks that follow from them. Written by
-- Sources/Products/Focus/Service/{Profile,Devices,Sync,Days,Jobs}.

-- Everything that Focus keeps about a user hangs on this row, and every sync updates it in place.
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
    -- The greatest of `pro_granted_until`, which an operator has granted, and of the ends of the purchases that stand.
    pro_until            timestamptz,
    pro_granted_until    timestamptz,
    -- The goal in force until `next_goal_on`, in minutes of screen time a day; NULL: none.
    goal_minutes         smallint CONSTRAINT focus_profiles_goal CHECK (goal_minutes BETWEEN 15 AND 960),
    -- The goal from the local day `next_goal_on` on. NULL there: none.
    next_goal_minutes    smallint CONSTRAINT focus_profiles_next_goal CHECK (next_goal_minutes BETWEEN 15 AND 960),
    next_goal_on         date,
    -- The streak of days under the goal, the lives, and the last day that was judged.
    goal_streak          integer NOT NULL DEFAULT 0,
    lives                smallint NOT NULL DEFAULT 1 CONSTRAINT focus_profiles_lives CHECK (lives BETWEEN 0 AND 3),
    judged_on            date,
    -- The sums of focus_ledger.
    xp                   bigint NOT NULL DEFAULT 0,
    coins                bigint NOT NULL DEFAULT 0,
    -- The day with the most seconds in completed sessions.
    record_on            date,
    record_seconds       integer NOT NULL DEFAULT 0,
    -- The latest day about which a phone reported screen time, its minutes, and the last day that is closed.
    usage_on             date,
    usage_minutes        smallint,
    closed_on            date,
    -- The state of the streaks after the last event and before each of the last days, packed by StreakHistory.
    streaks              bytea,
    -- The latest local day of an event: the days before it are over for the intentions.
    reached_on           date,
    -- The last sync of any phone, and the syncs of the minute and the day that began with their first one.
    synced_at            timestamptz,
    sync_minute_at       timestamptz,
    sync_minute_count    smallint NOT NULL DEFAULT 0,
    sync_day_at          timestamptz,
    sync_day_count       smallint NOT NULL DEFAULT 0,
    CONSTRAINT focus_profiles_nickname CHECK (nickname ~ '^[A-Za-z0-9_.]{3,30}$')
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX focus_profiles_nickname_key ON focus_profiles (lower(nickname));
-- The first profile says where closing of weeks begins.
CREATE INDEX focus_profiles_joined_at ON focus_profiles (joined_at);

-- Leaving Focus is an erasure that a restore repeats. A profile of a later joining is another one. A deleted account has a
-- record of its own.
CREATE FUNCTION focus_profile_digest(user_id uuid, joined_at timestamptz) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN erasure_digest('focus', user_id::text || ' ' || (extract(epoch FROM joined_at) * 1000000)::bigint::text);

CREATE FUNCTION record_focus_leaving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM users WHERE id = OLD.user_id) THEN
        INSERT INTO erasures (kind, subject) VALUES ('focus', focus_profile_digest(OLD.user_id, OLD.joined_at));
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER focus_profiles_record_erasure AFTER DELETE ON focus_profiles
    FOR EACH ROW EXECUTE FUNCTION record_focus_leaving();

-- Whoever leaves Focus, or deletes the account, also deletes the messages about it and the keys of its repeated calls. Messages
-- to partners belong to the partner, but their rows name the user who left. Personal messages are those of Companion and those
-- of Focus.
CREATE FUNCTION forget_focus_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM outbox
    WHERE topic = 'personal' AND key LIKE 'partner\_%' AND payload #>> '{personal,subject}' = OLD.user_id::text;
    DELETE FROM outbox
    WHERE user_id = OLD.user_id AND topic = 'personal' AND key NOT LIKE 'companion\_%';
    DELETE FROM idempotency_keys WHERE user_id = OLD.user_id AND path LIKE '/v1/focus/%';
    RETURN NULL;
END
$$;
CREATE TRIGGER focus_profiles_forget_messages AFTER DELETE ON focus_profiles
    FOR EACH ROW EXECUTE FUNCTION forget_focus_messages();

-- A phone that reports events. The row of a deleted one stays as long as its events, so that the export can name it.
CREATE TABLE focus_devices (
    user_id          uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    number           integer NOT NULL,
    -- The client's own id.
    id               uuid NOT NULL,
    platform         text NOT NULL CONSTRAINT focus_devices_platform CHECK (platform IN ('ios', 'android')),
    setup            text NOT NULL DEFAULT 'not_started' CONSTRAINT focus_devices_setup CHECK (
        setup IN ('not_started', 'in_progress', 'awaiting_verification', 'verified', 'failed')),
    reason           text CONSTRAINT focus_devices_reason CHECK (
        reason IN ('automation_not_created', 'unknown', 'no_event_received')),
    -- The beginning of the last window for a verification, and whether an unlock may still use it.
    window_at        timestamptz,
    window_open      boolean NOT NULL DEFAULT false,
    verified_at      timestamptz,
    -- The events from this number on count; NULL: none does.
    counts_from      bigint,
    status           text NOT NULL DEFAULT 'pending' CONSTRAINT focus_devices_status CHECK (
        status IN ('pending', 'verified', 'broken')),
    issue            text DEFAULT 'never_verified' CONSTRAINT focus_devices_issue CHECK (
        issue IN ('never_verified', 'no_recent_unlocks', 'app_open_without_recent_unlock')),
    issue_hours      integer,
    created_at       timestamptz NOT NULL DEFAULT now(),
    synced_at        timestamptz,
    deleted_at       timestamptz,
    -- The last number that was acknowledged, and number and time of the last event that was kept.
    last_seq         bigint NOT NULL DEFAULT 0,
    kept_seq         bigint NOT NULL DEFAULT 0,
    last_event_at    timestamptz,
    last_unlock_at   timestamptz,
    -- The new events of a UTC day.
    events_on        date,
    events_count     smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, number)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX focus_devices_id_key ON focus_devices (user_id, id) WHERE deleted_at IS NULL;
CREATE INDEX focus_devices_deleted_at ON focus_devices (deleted_at) WHERE deleted_at IS NOT NULL;

-- The events of a phone on a UTC day, packed by FocusEventPacking. The job `focus_purge` makes the partitions of the days
-- ahead and drops those that are too old.
CREATE TABLE focus_event_days (
    user_id     uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    device      integer NOT NULL,
    day         date NOT NULL,
    first_seq   bigint NOT NULL,
    last_seq    bigint NOT NULL,
    events      bytea NOT NULL,
    -- The intentions of the events `open`, in their order.
    intentions  uuid[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (user_id, device, day)
) PARTITION BY RANGE (day);

-- The sums of a user's local day; one partition a month.
CREATE TABLE focus_days (
    user_id         uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    day             date NOT NULL,
    -- In hundredths.
    points          integer NOT NULL DEFAULT 0,
    streak_count    integer NOT NULL DEFAULT 0,
    -- In seconds.
    longest_streak  integer NOT NULL DEFAULT 0,
    estimated       boolean NOT NULL DEFAULT false,
    -- The streaks with points, packed by FocusStreakPacking; NULL once the day is 90 d old.
    streaks         bytea,
    minutes         smallint,
    -- 1: up, -1: down.
    rating          smallint CONSTRAINT focus_days_rating CHECK (rating IN (-1, 1)),
    PRIMARY KEY (user_id, day)
) PARTITION BY RANGE (day);
-- For the purge, which takes the streaks out of days that are 90 d old.
CREATE INDEX focus_days_day ON focus_days (day);

-- The sums of a user's week, by the date of its Monday; one partition a week.
CREATE TABLE focus_weeks (
    user_id         uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    week            date NOT NULL,
    points          integer NOT NULL DEFAULT 0,
    streak_count    integer NOT NULL DEFAULT 0,
    longest_streak  integer NOT NULL DEFAULT 0,
    estimated       boolean NOT NULL DEFAULT false,
    -- For the leagues: the XP of the week, and the points of its closed days of screen time.
    xp              integer NOT NULL DEFAULT 0,
    usage_points    integer NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, week)
) PARTITION BY RANGE (week);

-- Makes the partitions for the local and UTC days from `first` to `last` that do not exist yet.
CREATE FUNCTION make_focus_partitions(first date, last date) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    made integer := 0;
    parts record;
BEGIN
    -- Two processes may need the same partition at once.
    PERFORM pg_advisory_xact_lock(7305800911027306543);
    FOR parts IN
        SELECT 'focus_event_days' AS parent, d::date AS begins, d::date + 1 AS ends,
            'focus_event_days_' || to_char(d, 'YYYYMMDD') AS name
        FROM generate_series(first::timestamp, last::timestamp, interval '1 day') d
        UNION ALL
        SELECT 'focus_days', d::date, (d + interval '1 month')::date, 'focus_days_' || to_char(d, 'YYYYMM')
        FROM generate_series(date_trunc('month', first::timestamp), last::timestamp, interval '1 month') d
        UNION ALL
        SELECT 'focus_weeks', d::date, d::date + 7, 'focus_weeks_' || to_char(d, 'YYYYMMDD')
        FROM generate_series(date_trunc('week', first::timestamp), last::timestamp, interval '1 week') d
    LOOP
        IF to_regclass(quote_ident(parts.name)) IS NULL THEN
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                parts.name, parts.parent, parts.begins, parts.ends);
            -- A row grows with every sync and is updated in place.
            EXECUTE format('ALTER TABLE %I SET (fillfactor = 70)', parts.name);
            made := made + 1;
        END IF;
    END LOOP;
    RETURN made;
END
$$;

-- Streaks of days before this one were forgotten, so that a job that was away for long begins where it stopped.
CREATE TABLE focus_forgotten (
    the_only       boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    streaks_before date NOT NULL
);
