-- The last finished backup by each method, as the program that makes backups records it. `dayly doctor` compares their age
-- with restore.max_backup_age, and the oldest kept backup with restore.journal_lifetime.
CREATE TABLE backups (
    -- pg_dump, pgbackrest, or the name of another tool.
    method       text PRIMARY KEY,
    finished_at  timestamptz NOT NULL,
    -- The earliest time to which a kept backup can take the database back.
    oldest_at    timestamptz NOT NULL,
    CONSTRAINT backups_in_order CHECK (oldest_at <= finished_at)
);
