-- The keys under which clients have made things by JSON calls, so that a repeated call makes nothing twice. Written by
-- Sources/Platform/FeatureKit. Uploads have keys of their own (upload_keys).
CREATE TABLE idempotency_keys (
    user_id     uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    path        text NOT NULL,
    key         text NOT NULL,
    -- SHA-256 of the bytes of the body.
    digest      bytea NOT NULL,
    resource_id uuid NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, path, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
