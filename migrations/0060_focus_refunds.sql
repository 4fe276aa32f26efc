-- Focus Pro ends with a refund, and goes on with a renewal whose token the service cannot check any more.
-- Written by Sources/Features/Focus/Pro.

ALTER TABLE focus_transactions
    -- The first transaction of the subscription. NULL: stored before it was kept, and not sent again since.
    ADD COLUMN original_id text,
    ADD COLUMN revoked_at  timestamptz;

-- The end of Pro that an operator has granted. `pro_until` is the greatest of it and of the ends of the purchases that stand.
ALTER TABLE focus_profiles ADD COLUMN pro_granted_until timestamptz;
UPDATE focus_profiles p SET pro_granted_until = pro_until
WHERE pro_until IS NOT NULL AND pro_until IS DISTINCT FROM (
    SELECT date_trunc('second', max(t.expires_at)) FROM focus_transactions t WHERE t.user_id = p.user_id);

-- Keyed hashes of transactions that the store took back: they count for nobody, also after their owner has left and joined again.
CREATE TABLE focus_refunds (
    digest   bytea PRIMARY KEY CONSTRAINT focus_refunds_digest CHECK (octet_length(digest) = 32),
    noted_at timestamptz NOT NULL DEFAULT now()
);
