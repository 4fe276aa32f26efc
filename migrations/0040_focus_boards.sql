-- Focus: the boards of groups and the leagues of strangers, by week. Written by Sources/Features/Focus/{Boards,Leagues,Jobs}.

-- The progress of closing a week, whose name is the date of its Monday.
CREATE TABLE focus_closes (
    week          date PRIMARY KEY,
    leagues_done  boolean NOT NULL DEFAULT false,
    -- The groups up to this id are closed; NULL: all are.
    groups_after  uuid DEFAULT '00000000-0000-0000-0000-000000000000',
    -- The users up to this id have seats of the week after it.
    seats_after   uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    closed_at     timestamptz
);
CREATE INDEX focus_closes_open ON focus_closes (week) WHERE closed_at IS NULL;
-- The first profile says where closing begins.
CREATE INDEX focus_profiles_joined_at ON focus_profiles (joined_at);

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

-- For the purge, which takes the streaks out of days that are 90 d old.
CREATE INDEX focus_days_day ON focus_days (day);
