-- Which process does a periodic job. Written by Sources/Platform/Jobs only.

-- `holder` is a process. It keeps the job until `held_until` and renews the lease while it lives; after that any process
-- may take the job over.
CREATE TABLE job_leases (
    name        text PRIMARY KEY,
    holder      uuid NOT NULL,
    held_until  timestamptz NOT NULL
);
