-- Focus: what users do on purpose. Written by
-- Sources/Products/Focus/Service/{Sessions,Schedules,Intentions,Partners,Pro}.

CREATE TABLE focus_sessions (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    name         text,
    emoji        text,
    goal_minutes integer NOT NULL,
    mode         text NOT NULL CONSTRAINT focus_sessions_mode CHECK (mode IN ('allow_list', 'block_list')),
    beast_mode   boolean NOT NULL,
    -- The schedule that began the session, which may be deleted since, and its date.
    schedule_id  uuid,
    date         date,
    state        text NOT NULL CONSTRAINT focus_sessions_state CHECK (
        state IN ('running', 'completed', 'gave_up', 'canceled', 'lost')
    ),
    started_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    -- The local day of the end.
    ended_on     date,
    xp           integer,
    CONSTRAINT focus_sessions_end CHECK ((ended_at IS NULL) = (state IN ('running', 'lost'))),
    CONSTRAINT focus_sessions_ended_on CHECK ((ended_on IS NULL) = (ended_at IS NULL)),
    CONSTRAINT focus_sessions_xp CHECK ((xp IS NULL) = (state = 'running')),
    CONSTRAINT focus_sessions_date CHECK ((schedule_id IS NULL) = (date IS NULL))
);
CREATE UNIQUE INDEX focus_sessions_running_key ON focus_sessions (user_id) WHERE state = 'running';
CREATE UNIQUE INDEX focus_sessions_schedule_key ON focus_sessions (schedule_id, date);
CREATE INDEX focus_sessions_user_id_started_at_idx ON focus_sessions (user_id, started_at, id);
CREATE INDEX focus_sessions_completed_idx ON focus_sessions (user_id, ended_on) WHERE state = 'completed';
CREATE INDEX focus_sessions_running_started_at_idx ON focus_sessions (started_at) WHERE state = 'running';
CREATE INDEX focus_sessions_started_at_idx ON focus_sessions (started_at);

-- XP and coins. Rows are only added; a cause pays once.
CREATE TABLE focus_ledger (
    user_id   uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    -- session:<id> or tutorial.
    cause     text NOT NULL,
    xp        integer NOT NULL,
    coins     integer NOT NULL,
    -- The local day on which they were earned.
    earned_on date NOT NULL,
    earned_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, cause)
);
CREATE INDEX focus_ledger_user_id_earned_on_idx ON focus_ledger (user_id, earned_on);

CREATE TABLE focus_schedules (
    id         uuid PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    name       text,
    emoji      text,
    -- Local times. An end that is not after the beginning is on the next day.
    from_time  time NOT NULL,
    to_time    time NOT NULL,
    -- On which it begins: 1 is Monday.
    weekdays   smallint[] NOT NULL,
    mode       text NOT NULL CONSTRAINT focus_schedules_mode CHECK (mode IN ('allow_list', 'block_list')),
    beast_mode boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX focus_schedules_user_id_idx ON focus_schedules (user_id, created_at, id);

-- The limits of opens of an app. Which app it is stays on the phone.
CREATE TABLE focus_intentions (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    label         text NOT NULL,
    -- The opens in force until `next_opens_on`.
    opens         smallint NOT NULL,
    -- The opens from the local day `next_opens_on` on.
    next_opens    smallint,
    next_opens_on date,
    minutes       smallint NOT NULL,
    -- The current day: all days before it are closed.
    day           date NOT NULL,
    -- The opens of the current day.
    used          integer NOT NULL DEFAULT 0,
    is_exceeded   boolean NOT NULL DEFAULT false,
    streak        integer NOT NULL DEFAULT 0,
    best          integer NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT focus_intentions_next CHECK ((next_opens IS NULL) = (next_opens_on IS NULL))
);
CREATE INDEX focus_intentions_user_id_idx ON focus_intentions (user_id, created_at, id);

-- The streaks that a user broke, which partners see for 7 days.
CREATE TABLE focus_breaks (
    user_id      uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    day          date NOT NULL,
    intention_id uuid NOT NULL,
    -- The streak that was lost.
    streak       integer NOT NULL,
    PRIMARY KEY (user_id, day, intention_id)
);
CREATE INDEX focus_breaks_day_idx ON focus_breaks (day);

-- The days on which a user keeps all streaks: one a week.
CREATE TABLE focus_freezes (
    user_id uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    -- The Monday of the week.
    week    date NOT NULL,
    day     date NOT NULL,
    id      uuid NOT NULL,
    PRIMARY KEY (user_id, week)
);

-- The partner agreed, or is asked to agree, to be told when the user breaks a streak.
CREATE TABLE focus_partners (
    user_id     uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    partner_id  uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    asked_at    timestamptz NOT NULL DEFAULT now(),
    -- NULL while the partner is asked.
    accepted_at timestamptz,
    PRIMARY KEY (user_id, partner_id),
    CONSTRAINT focus_partners_others CHECK (user_id <> partner_id)
);
CREATE INDEX focus_partners_partner_id_idx ON focus_partners (partner_id);

-- The App Store's transactions that gave Pro. Each counts for one account. Pro ends with a refund, and goes on with a renewal
-- whose token the service cannot check any more.
CREATE TABLE focus_transactions (
    id          text PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES focus_profiles (user_id) ON DELETE CASCADE,
    product_id  text NOT NULL,
    -- The first transaction of the subscription.
    original_id text,
    expires_at  timestamptz NOT NULL,
    claimed_at  timestamptz NOT NULL DEFAULT now(),
    revoked_at  timestamptz
);
CREATE INDEX focus_transactions_user_id_idx ON focus_transactions (user_id);

-- Keyed hashes of transactions that the store took back: they count for nobody, also after their owner has left and joined again.
CREATE TABLE focus_refunds (
    digest   bytea PRIMARY KEY CONSTRAINT focus_refunds_digest CHECK (octet_length(digest) = 32),
    noted_at timestamptz NOT NULL DEFAULT now()
);
