-- A group that goes takes its open invitations along: its own record says so for all of them, as for its memberships.
-- Written by Sources/Platform/Restoration.

CREATE FUNCTION record_invite_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM groups WHERE id = OLD.group_id) THEN
        INSERT INTO erasures (kind, subject) VALUES ('invite', erasure_digest('invite', OLD.id::text));
    END IF;
    RETURN NULL;
END
$$;
DROP TRIGGER invites_record_erasure ON invites;
CREATE TRIGGER invites_record_erasure AFTER DELETE ON invites
    FOR EACH ROW WHEN (OLD.used_at IS NULL AND OLD.revoked_at IS NULL AND OLD.expires_at > now())
    EXECUTE FUNCTION record_invite_erasure();
