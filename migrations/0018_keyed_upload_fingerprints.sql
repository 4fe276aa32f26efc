-- dayly: breaking
-- What is kept of an upload's bytes proves nothing without the service's secret, and goes with the photo. Written by
-- Sources/Features/DailyPhotos only.

-- A keyed hash (HMAC) of the original bytes, by which a repeated upload is recognised. It is NULL where the upload had
-- no idempotency key, and for photos that were accepted before this migration: for them the key alone decides.
ALTER TABLE photos ADD COLUMN fingerprint bytea;

-- The bare SHA-256 of an original proved to anybody with the file who had sent it, weeks after the photo had gone.
ALTER TABLE upload_keys DROP COLUMN bytes_sha256;
