-- Focus: who follows whom, what feeds show, temptations, and what is due for a user at a later time. Written by
-- Sources/Features/Focus/{People,Temptations}.

CREATE TABLE focus_follows (
    follower_id  uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    followed_id  uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    since        timestamptz NOT NULL DEFAULT date_trunc('second', now(), 'UTC'),
    PRIMARY KEY (follower_id, followed_id),
    CONSTRAINT focus_follows_not_oneself CHECK (follower_id <> followed_id)
);
-- A user's followers, newest first.
CREATE INDEX focus_follows_followed_id ON focus_follows (followed_id, since DESC, follower_id DESC);

-- The id of an item of the feed: a UUID of version 7 whose time is the full hour of `at`, so that ids put items in the order
-- in which followers may see them, and name no instant.
CREATE FUNCTION focus_feed_id(at timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE
    RETURN (
        lpad(to_hex((extract(epoch FROM date_trunc('hour', at, 'UTC')) * 1000)::bigint), 12, '0') || '7'
        || substr(replace(gen_random_uuid()::text, '-', ''), 14)
    )::uuid;

-- The long streaks and closed weeks of users who have followers. They are kept for 30 days.
CREATE TABLE focus_feed (
    user_id       uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    id            uuid NOT NULL,
    -- The end of the streak, or the close of the week's boards.
    ended_at      timestamptz NOT NULL,
    -- The length of a streak; NULL: the item is a week.
    seconds       integer,
    -- The Monday of a week, its points in hundredths, and its streaks.
    week          date,
    points        integer,
    streak_count  integer,
    PRIMARY KEY (user_id, id),
    CONSTRAINT focus_feed_kind CHECK (num_nonnulls(week, points, streak_count) = CASE WHEN seconds IS NULL THEN 3 ELSE 0 END)
);
CREATE UNIQUE INDEX focus_feed_streak ON focus_feed (user_id, ended_at) WHERE seconds IS NOT NULL;
CREATE UNIQUE INDEX focus_feed_week ON focus_feed (user_id, week) WHERE week IS NOT NULL;
CREATE INDEX focus_feed_ended_at ON focus_feed (ended_at);

-- What a user wants of temptations, and what became of them. A user without a row has the defaults.
CREATE TABLE focus_temptations (
    user_id           uuid PRIMARY KEY REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    enabled           boolean NOT NULL DEFAULT true,
    intensity         text NOT NULL DEFAULT 'medium' CONSTRAINT focus_temptations_intensity CHECK (
        intensity IN ('low', 'medium', 'high')),
    quiet_from        text DEFAULT '22:00',
    quiet_to          text DEFAULT '07:00',
    -- The last one that a push provider accepted: its place among all, its type and the number of its text.
    last_key          text,
    last_type         text,
    last_number       smallint,
    -- Those whose first unlock cannot change any more.
    settled_sent      integer NOT NULL DEFAULT 0,
    settled_resisted  integer NOT NULL DEFAULT 0,
    -- The others, in order: the seconds since 1970 at which each was accepted, and those of the first unlock after it; 0: none
    -- yet.
    sent_at           bigint[] NOT NULL DEFAULT '{}',
    unlocked_at       bigint[] NOT NULL DEFAULT '{}',
    CONSTRAINT focus_temptations_quiet CHECK ((quiet_from IS NULL) = (quiet_to IS NULL) AND quiet_from <> quiet_to),
    CONSTRAINT focus_temptations_recent CHECK (cardinality(sent_at) = cardinality(unlocked_at))
);

-- What the job `focus_due` does for a user, and when.
CREATE TABLE focus_due (
    user_id  uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    kind     text NOT NULL CONSTRAINT focus_due_kind CHECK (
        kind IN ('temptation', 'results', 'review', 'morning', 'partner_prompt')),
    -- Infinity: nothing more comes.
    due_at   timestamptz NOT NULL,
    -- The beginning of the streak that is tempted, or the last reminder of the kind.
    since    timestamptz,
    -- The place in the chain of a streak's temptations, or the number of reminders so far.
    number   integer NOT NULL DEFAULT 0,
    -- The local day of a reminder.
    day      date,
    PRIMARY KEY (user_id, kind)
) WITH (fillfactor = 80);
CREATE INDEX focus_due_due_at ON focus_due (due_at);

-- The first local day from `first` on that has a reminder of the kind.
CREATE FUNCTION focus_reminder_day(kind text, first date) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE kind
        WHEN 'results' THEN first + (8 - extract(isodow FROM first)::integer) % 7
        WHEN 'partner_prompt' THEN
            first + LEAST((9 - extract(isodow FROM first)::integer) % 7, (12 - extract(isodow FROM first)::integer) % 7)
        ELSE first
    END;

-- The instant at which the reminder of a local day is due. The results of a week never come before its boards close.
CREATE FUNCTION focus_reminder_at(kind text, day date, zone text) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE kind
        WHEN 'results' THEN GREATEST(local_instant(day, '17:00', zone), (day + time '17:00') AT TIME ZONE 'UTC')
        WHEN 'review' THEN local_instant(day, '09:00', zone)
        WHEN 'morning' THEN local_instant(day, '19:00', zone)
        WHEN 'partner_prompt' THEN local_instant(day, '17:00', zone)
    END;

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
