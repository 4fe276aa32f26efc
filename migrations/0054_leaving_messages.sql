-- Whoever leaves Focus or Companion, or deletes the account, also deletes the messages about it and the keys of its repeated
-- calls. Messages to partners in Focus belong to the partner, but their rows name the user who left.
CREATE INDEX outbox_partner_subject ON outbox ((payload #>> '{personal,subject}'))
    WHERE topic = 'personal' AND key LIKE 'partner\_%';

-- Personal messages are those of Companion and those of Focus.
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

CREATE FUNCTION forget_companion_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM outbox
    WHERE user_id = OLD.user_id AND topic = 'personal' AND key LIKE 'companion\_%';
    DELETE FROM idempotency_keys WHERE user_id = OLD.user_id AND path LIKE '/v1/companion/%';
    RETURN NULL;
END
$$;
CREATE TRIGGER companion_settings_forget_messages AFTER DELETE ON companion_settings
    FOR EACH ROW EXECUTE FUNCTION forget_companion_messages();
