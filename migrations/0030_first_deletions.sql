-- Objects that are deleted twice count once, at their first deletion. Written by Sources/Features/DailyPhotos only.

-- A sweeper has deleted the object and counted it. One more deletion is due, because a PUT may have landed since.
ALTER TABLE stored_objects ADD COLUMN deleted_once boolean NOT NULL DEFAULT false;
