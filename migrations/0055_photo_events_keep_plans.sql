-- PostgreSQL plans the statements of a function in SQL anew at each call from a trigger. Those of PL/pgSQL keep their plans, and each
-- photo that is accepted, deleted or expired makes such a call.
CREATE OR REPLACE FUNCTION log_photo_event(of_group uuid, photo uuid, event text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH numbered AS (
        UPDATE groups g SET last_event = g.last_event + 1, last_event_at = clock_timestamp()
        FROM (SELECT id, last_event_at FROM groups WHERE id = of_group FOR NO KEY UPDATE) AS before
        WHERE g.id = before.id
        RETURNING g.last_event, g.last_event_at, before.last_event_at AS previous_at
    )
    INSERT INTO group_events (group_id, number, kind, photo_id, at, previous_at)
    SELECT of_group, last_event, event, photo, last_event_at, ARRAY[previous_at] FROM numbered;
END
$$;
