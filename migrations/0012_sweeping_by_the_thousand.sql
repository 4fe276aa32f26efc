-- What a sweeper does to thousands of rows a second. Written by Sources/Features/DailyPhotos only.

-- However a photo's row goes, its objects are due from then on. Those of a photo that had expired are due already, and
-- that is how nearly all rows go: they need no look into the ledger, row by row.
DROP TRIGGER photos_forget_objects ON photos;
CREATE TRIGGER photos_forget_objects AFTER DELETE ON photos FOR EACH ROW
    WHEN (OLD.expires_at IS NULL OR OLD.expires_at > now())
    EXECUTE FUNCTION forget_photo_objects();

-- What is due together lies together, so a claim changes whole pages: each has to take all its rows a second time, or
-- the claim writes to every index. (For pages to come.)
ALTER TABLE stored_objects SET (fillfactor = 40);
