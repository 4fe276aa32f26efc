-- Companion: everything that is sold and bought. Written by
-- Sources/Products/Companion/Service/{Catalogue,Cosmetics,Purchases,Flags}.

CREATE TABLE companion_catalogs (
    id           uuid PRIMARY KEY,
    -- NULL: the one open proposal. The defaults of the program are version 0.
    version      integer CONSTRAINT companion_catalogs_version CHECK (version > 0),
    -- JSON. It never changes once the catalogue is in force.
    content      text NOT NULL,
    proposed_by  text NOT NULL,
    proposed_at  timestamptz NOT NULL DEFAULT now(),
    approved_by  text,
    approved_at  timestamptz,
    CONSTRAINT companion_catalogs_approval CHECK (
        (version IS NULL) = (approved_by IS NULL) AND (version IS NULL) = (approved_at IS NULL)
    ),
    -- Two people decide about prices.
    CONSTRAINT companion_catalogs_people CHECK (lower(approved_by) <> lower(proposed_by))
);
CREATE UNIQUE INDEX companion_catalogs_version_key ON companion_catalogs (version);
CREATE UNIQUE INDEX companion_catalogs_proposal_key ON companion_catalogs ((version IS NULL)) WHERE version IS NULL;

-- The order of an owner's purchases and cosmetics. A refund takes back what was bought after the purchase, and several
-- things can be bought in one second.
CREATE SEQUENCE companion_shop_places;

CREATE TABLE companion_cosmetics (
    user_id    uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    -- The id in the catalogue.
    id         text NOT NULL,
    currency   text NOT NULL CONSTRAINT companion_cosmetics_currency CHECK (currency IN ('energy', 'gems')),
    -- The price that was paid. A refund that takes the cosmetic away pays it back.
    price      integer NOT NULL CONSTRAINT companion_cosmetics_price CHECK (price > 0),
    place      bigint NOT NULL DEFAULT nextval('companion_shop_places'),
    bought_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);

-- The App Store's transactions that were credited to owners who take part.
CREATE TABLE companion_purchases (
    transaction_id  text PRIMARY KEY,
    user_id         uuid NOT NULL REFERENCES companion_settings (user_id) ON DELETE CASCADE,
    product_id      text NOT NULL,
    quantity        bigint NOT NULL CONSTRAINT companion_purchases_quantity CHECK (quantity > 0),
    gems            bigint NOT NULL CONSTRAINT companion_purchases_gems CHECK (gems > 0),
    place           bigint NOT NULL DEFAULT nextval('companion_shop_places'),
    credited_at     timestamptz NOT NULL DEFAULT now(),
    refunded_at     timestamptz
);
CREATE INDEX companion_purchases_user_id_idx ON companion_purchases (user_id);

-- All transactions that the service has ever dealt with, about nobody: a row outlives the account, so that no transaction
-- pays twice.
CREATE TABLE companion_claims (
    -- An HMAC of the transaction's id.
    digest      bytea PRIMARY KEY,
    -- The store had taken the purchase back before it was credited, so it never is.
    is_refused  boolean NOT NULL
);

CREATE TABLE companion_flags (
    key      text PRIMARY KEY,
    enabled  boolean NOT NULL,
    set_at   timestamptz NOT NULL DEFAULT now()
);
