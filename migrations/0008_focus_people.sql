-- Focus: who follows whom, what feeds show, temptations, what is due for a user at a later time, and the boards of groups and
-- the leagues of strangers, by week. Written by Sources/Products/Focus/Service/{People,Temptations,Boards,Leagues,Jobs}.

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

-- A user's settings of temptations, and how many were sent and resisted. A user without a row has the defaults.
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

-- The next reminders and temptations of a user, which the job `focus_due` sends.
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

-- The progress of closing a week, whose name is the date of its Monday.
CREATE TABLE focus_closes (
    week          date PRIMARY KEY,
    leagues_done  boolean NOT NULL DEFAULT false,
    -- The groups up to this id are closed; NULL: all are.
    groups_after  uuid DEFAULT '00000000-0000-0000-0000-000000000000',
    -- The users up to this id have seats of the week after it.
    seats_after   uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    -- The weeks of followed users up to this id are in the feeds; NULL: all are.
    feed_after    uuid DEFAULT '00000000-0000-0000-0000-000000000000',
    closed_at     timestamptz
);
CREATE INDEX focus_closes_open ON focus_closes (week) WHERE closed_at IS NULL;

-- A closed board: its members as they were then.
CREATE TABLE focus_results (
    group_id        uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    week            date NOT NULL,
    user_id         uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    rank            integer NOT NULL,
    points          integer NOT NULL,
    streak_count    integer NOT NULL,
    longest_streak  integer NOT NULL,
    estimated       boolean NOT NULL,
    status          text NOT NULL,
    PRIMARY KEY (group_id, week, user_id)
);
CREATE INDEX focus_results_user_id ON focus_results (user_id);
CREATE INDEX focus_results_week ON focus_results (week);

CREATE TABLE focus_leagues (
    week       date NOT NULL,
    tier       smallint NOT NULL CONSTRAINT focus_leagues_tier CHECK (tier BETWEEN 0 AND 4),
    number     integer NOT NULL,
    -- Of a closed league the seats at its close.
    seats      integer NOT NULL DEFAULT 0,
    has_room   boolean NOT NULL DEFAULT true,
    closed_at  timestamptz,
    PRIMARY KEY (week, tier, number)
);
CREATE INDEX focus_leagues_with_room ON focus_leagues (week, tier, number) WHERE has_room AND closed_at IS NULL;
CREATE INDEX focus_leagues_open ON focus_leagues (week, tier, number) WHERE closed_at IS NULL;

CREATE TABLE focus_seats (
    week       date NOT NULL,
    user_id    uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    tier       smallint NOT NULL,
    number     integer NOT NULL,
    seated_at  timestamptz NOT NULL DEFAULT now(),
    -- These are set when the league closes.
    place      integer,
    points     integer,
    xp         integer,
    next_tier  smallint,
    PRIMARY KEY (week, user_id),
    FOREIGN KEY (week, tier, number) REFERENCES focus_leagues (week, tier, number) ON DELETE CASCADE
);
CREATE INDEX focus_seats_league ON focus_seats (week, tier, number);
CREATE INDEX focus_seats_user_id ON focus_seats (user_id, week);

-- A user who leaves an open league makes room in it. A closed one keeps its number of seats.
CREATE FUNCTION free_focus_seat() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE focus_leagues SET seats = seats - 1, has_room = true
    WHERE week = OLD.week AND tier = OLD.tier AND number = OLD.number AND closed_at IS NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER focus_seats_free AFTER DELETE ON focus_seats FOR EACH ROW EXECUTE FUNCTION free_focus_seat();

-- The instant at which the boards and leagues of a week close: Monday after it, 17:00 UTC.
CREATE FUNCTION focus_closes_at(week date) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (week + 7 + time '17:00') AT TIME ZONE 'UTC';
