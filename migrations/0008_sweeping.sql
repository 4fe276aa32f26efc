-- Who deletes what is due. Written by Sources/Features/DailyPhotos only.

-- A claim is one sweeper's, under a lease that it renews. What another one has taken over since is not its own any more.
ALTER TABLE stored_objects ADD COLUMN claimed_by uuid;
-- Room on every page, so that claiming a row writes to no index.
ALTER TABLE stored_objects SET (fillfactor = 70);
