-- Groups, their members and the invitations to them. Written by Sources/Features/Groups only.
-- Lock order, everywhere: users, then groups, then invites (each by id).

CREATE TABLE groups (
    id          uuid PRIMARY KEY,
    name        text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT groups_name_length CHECK (char_length(name) BETWEEN 1 AND 50)
);

CREATE TABLE group_members (
    group_id   uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    joined_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id)
);
CREATE INDEX group_members_user_id ON group_members (user_id);

-- A code is for one number and one use. It is kept in clear because the inviter and the invitee may read it again.
CREATE TABLE invites (
    id            uuid PRIMARY KEY,
    code          text NOT NULL CONSTRAINT invites_code_key UNIQUE,
    group_id      uuid NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    phone_number  text NOT NULL,
    invited_by    uuid REFERENCES users (id) ON DELETE SET NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz,
    used_by       uuid REFERENCES users (id) ON DELETE SET NULL,
    revoked_at    timestamptz,
    CONSTRAINT invites_code_alphabet CHECK (code ~ '^[ABCDEFGHJKLMNPQRSTUVWXYZ23456789]{6}$')
);
CREATE INDEX invites_group_id ON invites (group_id);
CREATE INDEX invites_phone_number ON invites (phone_number);
CREATE INDEX invites_invited_by ON invites (invited_by);
CREATE INDEX invites_used_by ON invites (used_by);
CREATE INDEX invites_expires_at ON invites (expires_at);
