-- Companion: pets, the energy and gems that owners pay with, recoveries and memorials. Written by
-- Sources/Products/Companion/Service/{Pets,Wallet,Recovery,Memorials}. Every change holds the lock of the row of
-- companion_settings.

-- An owner has at most one pet, alive or dead. Times are whole seconds. Rows are updated in place, at least once a day.
CREATE TABLE companion_pets (
    user_id        uuid PRIMARY KEY REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    id             uuid NOT NULL,
    species        text NOT NULL CONSTRAINT companion_pets_species CHECK (species IN ('cat', 'dog')),
    name           text NOT NULL,
    health         text NOT NULL CONSTRAINT companion_pets_health CHECK (health IN ('healthy', 'sick', 'dead')),
    -- The day at whose end the health last changed.
    changed_on     date,
    -- Unfed days in a row.
    unfed_days     integer NOT NULL,
    -- Whether it was fed at its last three resets: a bit each, the newest one is 1.
    last_fed       smallint NOT NULL CONSTRAINT companion_pets_last_fed CHECK (last_fed BETWEEN 0 AND 7),
    growth         integer NOT NULL,
    fullness       smallint NOT NULL CONSTRAINT companion_pets_fullness CHECK (fullness BETWEEN 0 AND 100),
    mood           smallint NOT NULL CONSTRAINT companion_pets_mood CHECK (mood BETWEEN 0 AND 10),
    -- The price of the day's food, and its buffs in thousandths, without a cap.
    food_energy    integer NOT NULL,
    food_buff      integer NOT NULL,
    fragile_until  timestamptz,
    born_on        date NOT NULL,
    -- The day at whose end it died, and that end.
    died_on        date,
    died_at        timestamptz,
    -- The last day whose end the pet has seen. A day's end resets a pet only once.
    reset_on       date NOT NULL,
    -- The ids of the cosmetics that it wears, sorted.
    outfit         text[] NOT NULL,
    CONSTRAINT companion_pets_death CHECK (
        num_nulls(died_on, died_at) = CASE WHEN health = 'dead' THEN 0 ELSE 2 END)
) WITH (fillfactor = 80);

-- The sums of the ledger.
CREATE TABLE companion_wallets (
    user_id   uuid PRIMARY KEY REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    energy    bigint NOT NULL CONSTRAINT companion_wallets_energy CHECK (energy >= 0),
    -- Below 0 only after a refund.
    gems      bigint NOT NULL,
    -- The number of entries in the ledger, and the time of the newest one.
    entries   bigint NOT NULL,
    entry_at  timestamptz NOT NULL
) WITH (fillfactor = 80);

-- Rows are never changed, and deleted only when the owner leaves.
CREATE TABLE companion_ledger (
    user_id   uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    -- In the order of the entries.
    id        uuid NOT NULL,
    at        timestamptz NOT NULL,
    currency  text NOT NULL CONSTRAINT companion_ledger_currency CHECK (currency IN ('energy', 'gems')),
    amount    bigint NOT NULL CONSTRAINT companion_ledger_amount CHECK (amount <> 0),
    -- That currency's, afterwards.
    balance   bigint NOT NULL,
    kind      text NOT NULL CONSTRAINT companion_ledger_kind CHECK (
        kind IN ('award', 'food', 'cosmetic', 'cure', 'revive', 'restart', 'purchase', 'refund', 'rollback')),
    ref       text NOT NULL,
    PRIMARY KEY (user_id, id)
);
-- A day pays its award once, and a transaction of the store counts once.
CREATE UNIQUE INDEX companion_ledger_once ON companion_ledger (user_id, kind, ref)
    WHERE kind IN ('award', 'purchase', 'refund');

-- The id of an entry: a UUID of version 7 whose bits after the time are the entry's number, so that ids have the order of
-- the entries also within a second.
CREATE FUNCTION companion_ledger_id(at timestamptz, number bigint) RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE
    RETURN (
        lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
        || '7' || lpad(to_hex((number >> 14) & 4095), 3, '0') || to_hex((number & 16383) + 32768)
        || right(gen_random_uuid()::text, 12)
    )::uuid;

-- The successful recoveries, free ones included, because pauses and counts look at them.
CREATE TABLE companion_recoveries (
    user_id  uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    id       uuid NOT NULL,
    kind     text NOT NULL CONSTRAINT companion_recoveries_kind CHECK (kind IN ('cure', 'revive', 'restart')),
    -- The pet that was sick or dead.
    pet_id   uuid NOT NULL,
    at       timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);

-- The dead pets whose owners have a new one.
CREATE TABLE companion_memorials (
    user_id     uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    -- That of the pet.
    id          uuid NOT NULL,
    name        text NOT NULL,
    species     text NOT NULL,
    growth      integer NOT NULL,
    born_on     date NOT NULL,
    died_on     date NOT NULL,
    outfit      text[] NOT NULL,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX companion_memorials_created_at ON companion_memorials (user_id, created_at, id);
