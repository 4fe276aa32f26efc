-- Groups, their members, the invitations to them, who blocks whom, and what happened in a group. Written by
-- Sources/Features/Groups only; photos' events by the triggers of 0004.
-- Lock order, everywhere: users, then groups, then members, then invites, then blocks (each by its key).

CREATE TABLE groups (
    id             uuid PRIMARY KEY,
    name           text NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- The number of the newest row of group_events, and when that was written: the moment names it beyond its number, which a
    -- restored backup would give again.
    last_event     bigint NOT NULL DEFAULT 0,
    last_event_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT groups_name_length CHECK (char_length(name) BETWEEN 1 AND 50)
);

CREATE TABLE group_members (
    group_id     uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    joined_at    timestamptz NOT NULL DEFAULT now(),
    -- Until when the member hears nothing of the group; 'infinity': for ever.
    muted_until  timestamptz,
    CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id)
);
CREATE INDEX group_members_user_id ON group_members (user_id);

-- The people who have left a group. They have met everybody who was in it at their time.
CREATE TABLE former_members (
    group_id  uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    user_id   uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    left_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX former_members_user_id ON former_members (user_id);
CREATE INDEX former_members_left_at ON former_members (left_at);

-- A code is for one number and one use. It is kept in clear because the inviter and the invitee may read it again.
CREATE TABLE invites (
    id            uuid PRIMARY KEY,
    code          text NOT NULL,
    group_id      uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    phone_number  text NOT NULL,
    invited_by    uuid REFERENCES users (id) ON DELETE SET NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz,
    used_by       uuid REFERENCES users (id) ON DELETE SET NULL,
    revoked_at    timestamptz,
    CONSTRAINT invites_code_alphabet CHECK (code ~ '^[ABCDEFGHJKLMNPQRSTUVWXYZ23456789]{6}$'),
    -- A code need only differ from the others of its number: it is looked up by both. Unique in all, the codes would run out:
    -- there are 2^30 of them, and each is kept for 37 days. The index serves look-ups by number too.
    CONSTRAINT invites_number_and_code UNIQUE (phone_number, code)
);
CREATE INDEX invites_group_id ON invites (group_id);
CREATE INDEX invites_invited_by ON invites (invited_by);
CREATE INDEX invites_used_by ON invites (used_by);
CREATE INDEX invites_expires_at ON invites (expires_at);

-- Pairs of people who must not meet in a group. A block names the blocked account while there is one, and an HMAC of its
-- number for the time after it: deleting an account and signing in again ends no block. The blocker's own deletion does.
CREATE TABLE blocks (
    blocker_id   uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number_hmac  bytea NOT NULL,
    blocked_id   uuid REFERENCES users (id) ON DELETE SET NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (blocker_id, number_hmac),
    CONSTRAINT blocks_not_oneself CHECK (blocker_id <> blocked_id)
);
CREATE INDEX blocks_blocked_id ON blocks (blocked_id);
CREATE INDEX blocks_number_hmac ON blocks (number_hmac);

-- Numbers that want no invitation SMS from anybody, ever. Nothing but an HMAC is kept.
CREATE TABLE sms_opt_outs (
    number_hmac  bytea PRIMARY KEY,
    created_at   timestamptz NOT NULL DEFAULT now()
);

-- The numbers that a user has asked about in check-users within the day that the first of them began: the same number
-- asked again costs nothing of the day's quota.
CREATE TABLE contact_checks (
    user_id  uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- 8 bytes for each number, one after the other: the beginning of an HMAC over the user's id and the number.
    asked    bytea NOT NULL,
    ends_at  timestamptz NOT NULL
);
CREATE INDEX contact_checks_ends_at ON contact_checks (ends_at);

-- The log of groups, in daily partitions, so that forgetting a day costs nothing.

-- Which partition takes what happens at `at`: the days go round, and a partition is emptied before its day comes again.
CREATE FUNCTION event_partition(at timestamptz) RETURNS smallint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (floor(extract(epoch FROM at) / 86400)::bigint % 6)::smallint;

-- The newest 32 of these moments.
CREATE FUNCTION newest_moments(moments timestamptz[]) RETURNS timestamptz[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN moments[GREATEST(cardinality(moments) - 31, 1):];

-- The changes in a group that its members see. Numbers are taken from the group's row in the transaction that makes the
-- change, so a reader who has seen n has seen everything up to n. A rename takes the place of an earlier one: its number
-- is new, the earlier row goes, and the row behind that counts it as skipped. Names are not kept: they are the rows' own. Of a
-- deleted account nothing stays but that somebody joined or left, of a photo its id alone.
CREATE TABLE group_events (
    group_id     uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    number       bigint NOT NULL,
    kind         text NOT NULL,
    user_id      uuid REFERENCES users (id) ON DELETE SET NULL,
    photo_id     uuid,
    -- The moment of writing and not the transaction's beginning, so that within a group the times follow the numbers.
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- How many numbers directly before this one belonged to events that were replaced.
    skipped      integer NOT NULL DEFAULT 0,
    -- When the events at the places were written from which this is the next one: the event before it, and those that
    -- were replaced since. A cursor at such a place is known by its moment.
    previous_at  timestamptz[] NOT NULL DEFAULT '{}',
    partition    smallint NOT NULL DEFAULT event_partition(clock_timestamp()),
    PRIMARY KEY (group_id, number, partition),
    CONSTRAINT group_events_kind CHECK (
        kind IN ('member_joined', 'member_left', 'member_renamed', 'group_renamed', 'photo_added', 'photo_removed')
    ),
    CONSTRAINT group_events_photo CHECK ((photo_id IS NOT NULL) = (kind IN ('photo_added', 'photo_removed')))
) PARTITION BY LIST (partition);
CREATE TABLE group_events_0 PARTITION OF group_events FOR VALUES IN (0);
CREATE TABLE group_events_1 PARTITION OF group_events FOR VALUES IN (1);
CREATE TABLE group_events_2 PARTITION OF group_events FOR VALUES IN (2);
CREATE TABLE group_events_3 PARTITION OF group_events FOR VALUES IN (3);
CREATE TABLE group_events_4 PARTITION OF group_events FOR VALUES IN (4);
CREATE TABLE group_events_5 PARTITION OF group_events FOR VALUES IN (5);
CREATE INDEX group_events_user_id ON group_events (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX group_events_at ON group_events (at);

-- Tells the client that runs the transaction, and nobody else, where there is something to read in the log: that client
-- tells the other processes once the transaction is committed. A NOTIFY of the transaction's own would hold a lock of
-- the whole cluster while its commit is flushed. INFO reaches every client, whatever client_min_messages says. A `+`
-- behind it: somebody joined, who may be listening without being known to belong to the group.
CREATE FUNCTION signal_group_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE INFO USING
        ERRCODE = 'DY001',
        MESSAGE = 'dayly_group_events ' || NEW.group_id || ' ' || NEW.number
            || CASE NEW.kind WHEN 'member_joined' THEN ' +' ELSE '' END;
    RETURN NULL;
END
$$;
CREATE TRIGGER group_events_signal AFTER INSERT ON group_events
    FOR EACH ROW EXECUTE FUNCTION signal_group_event();
