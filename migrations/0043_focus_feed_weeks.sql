-- The close of a week of Focus puts the week into the feeds of followers too, in batches.
ALTER TABLE focus_closes
    -- The weeks of followed users up to this id are in the feeds; NULL: all are.
    ADD COLUMN feed_after uuid DEFAULT '00000000-0000-0000-0000-000000000000';
