-- Counts that transactions note for the totals of the day, each a row of its own, so that nobody waits for another one's row.
-- Written and summed up by Sources/Features/Analytics only.
CREATE TABLE analytics_additions (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    day   date NOT NULL,
    name  text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT analytics_additions_count CHECK (count > 0),
    -- As `analytics_totals_name`: a name that the totals refuse would keep all others from being added.
    CONSTRAINT analytics_additions_name CHECK (name IN (
        'photo_sent', 'group_created', 'app_opened', 'invite_sent', 'companion_food', 'companion_cure',
        'companion_revive', 'companion_restart', 'companion_purchase', 'companion_refund', 'companion_healthy',
        'companion_sick', 'companion_dead'))
);
