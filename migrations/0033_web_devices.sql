-- Browsers receive push messages too. Their token is the text of a subscription: endpoint, key, secret and language with
-- spaces between them; the digest is the endpoint's.
ALTER TABLE devices DROP CONSTRAINT devices_platform;
ALTER TABLE devices ADD CONSTRAINT devices_platform CHECK (platform IN ('ios', 'android', 'web'));
