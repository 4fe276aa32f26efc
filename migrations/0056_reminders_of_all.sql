-- Whoever joined with the defaults had no reminders: nobody was told of a profile that is made and not changed afterwards.
INSERT INTO focus_due (user_id, kind, day, due_at)
SELECT p.user_id, k.kind, next.day, focus_reminder_at(k.kind, next.day, u.time_zone)
FROM focus_profiles p
JOIN users u ON u.id = p.user_id
CROSS JOIN unnest(ARRAY['results', 'review', 'partner_prompt', 'morning']) AS k (kind)
CROSS JOIN LATERAL (
    SELECT focus_reminder_day(k.kind, local_day(now(), u.time_zone)) AS day
) AS first
CROSS JOIN LATERAL (
    SELECT CASE WHEN focus_reminder_at(k.kind, first.day, u.time_zone) > now() THEN first.day
        ELSE focus_reminder_day(k.kind, first.day + 1) END AS day
) AS next
WHERE k.kind <> 'morning' OR p.morning
ON CONFLICT (user_id, kind) DO NOTHING;
