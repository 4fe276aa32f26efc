-- Muting, blocking, who wants no SMS, and what happened in a group. Written by Sources/Features/Groups only.
-- Lock order, everywhere: users, then groups, then members, then invites, then blocks (each by its key).

-- Until when a member hears nothing of the group; 'infinity': for ever.
ALTER TABLE group_members ADD COLUMN muted_until timestamptz;

-- Who is not to meet whom in a group. By the blocked account while there is one, and beyond it by an HMAC of its
-- number: deleting an account and signing in again ends no block. The blocker's own deletion does.
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

-- What members can see happen in their group, numbered per group without gaps: the number is taken from the group's
-- row in the transaction that makes the change, so a reader who has seen n has seen everything up to n. Names are
-- not kept: they are the rows' own. Of a deleted account nothing stays but that somebody joined or left.
ALTER TABLE groups ADD COLUMN last_event bigint NOT NULL DEFAULT 0;
CREATE TABLE group_events (
    group_id  uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    number    bigint NOT NULL,
    kind      text NOT NULL,
    user_id   uuid REFERENCES users (id) ON DELETE SET NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, number),
    CONSTRAINT group_events_kind CHECK (kind IN ('member_joined', 'member_left', 'group_renamed'))
);
CREATE INDEX group_events_user_id ON group_events (user_id);
CREATE INDEX group_events_at ON group_events (at);
