-- The numbers that a user has asked about in check-users within the day that the first of them began: the same number
-- asked again costs nothing of the day's quota. Written by Sources/Features/Groups only.
CREATE TABLE contact_checks (
    user_id  uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- 8 bytes for each number, one after the other: the beginning of an HMAC over the user's id and the number.
    asked    bytea NOT NULL,
    ends_at  timestamptz NOT NULL
);
CREATE INDEX contact_checks_ends_at ON contact_checks (ends_at);
