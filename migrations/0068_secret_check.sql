-- A code under auth.secret. A process whose auth.secret does not make the same code would not know what this database holds
-- keyed: blocks, STOPs, limits and sessions. The first start writes it, and a start after a change of the secret renews it.
CREATE TABLE secret_check (
    the_only  boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    code      bytea NOT NULL
);
