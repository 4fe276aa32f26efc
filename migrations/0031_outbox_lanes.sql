-- A worker finds the rows that are due in a lane without reading those of the other lanes. Written by
-- Sources/Platform/Jobs only.

CREATE INDEX outbox_lanes_due_at ON outbox (lanes, due_at) WHERE done_at IS NULL;

DROP INDEX outbox_due_at;
