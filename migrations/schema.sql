-- The schema that the migrations in this folder make together. scripts/schema writes this file from a migrated database,
-- and a test compares the two (SchemaTests). It is for reading: nothing runs it, and the migrator passes it over.
-- The partitions of group_events and the migrator's own table are left out.
--
-- Triggers. Each acts beyond the statement that sets it off. That statement carries the line
-- "// Triggers: <names> (migrations/schema.sql)" in the Swift code.
--
-- blocks_record: AFTER INSERT OR DELETE ON blocks
--     writes:   erasures: the block or its end, for the journal
-- companion_settings_forget_messages: AFTER DELETE ON companion_settings
--     writes:   outbox, idempotency_keys: deletes the user's messages about Companion, and the keys of its calls
-- companion_settings_record_erasure: AFTER DELETE ON companion_settings
--     writes:   erasures: the user has left Companion, for the journal
-- focus_profiles_forget_messages: AFTER DELETE ON focus_profiles
--     writes:   outbox, idempotency_keys: deletes the messages to and about the user in Focus, and the keys of its calls
-- focus_profiles_record_erasure: AFTER DELETE ON focus_profiles
--     writes:   erasures: the user has left Focus, for the journal
-- focus_seats_free: AFTER DELETE ON focus_seats
--     writes:   focus_leagues: a seat less, and room for another user, while the league is open
--     locks:    focus_leagues: the seat's league
-- group_events_signal: AFTER INSERT ON group_events
--     notifies: the client that runs the transaction (INFO, DY001); it sends one NOTIFY after the commit
-- group_members_record_end: AFTER DELETE ON group_members
--     writes:   erasures: the end of the membership, unless the whole group goes
-- groups_record_erasure: AFTER DELETE ON groups
--     writes:   erasures: the group's deletion, for the journal
-- invites_record_end: AFTER UPDATE OF used_at, revoked_at ON invites
--     writes:   erasures: the invitation was used or revoked; nothing while a restore ends all of them
-- invites_record_erasure: AFTER DELETE ON invites
--     writes:   erasures: an open invitation was deleted, unless the whole group goes
-- photos_forget_objects: AFTER DELETE ON photos
--     writes:   stored_objects: the photo's objects become due for deletion now
--     locks:    stored_objects: the photo's rows
-- photos_log_change: BEFORE UPDATE ON photos
--     writes:   groups, group_events: photo_added or photo_removed; photos.removal_logged in the same row
--     locks:    groups: the photo's group
--     notifies: through group_events_signal
-- photos_log_removal: AFTER DELETE ON photos
--     writes:   groups, group_events: photo_removed, unless the whole group goes
--     locks:    groups: the photo's group
--     notifies: through group_events_signal
-- photos_record_early_end: AFTER UPDATE OF expires_at ON photos
--     writes:   erasures: the photo ended before its time, for the journal
-- photos_record_erasure: AFTER DELETE ON photos
--     writes:   erasures: the photo was deleted before its time, for the journal
-- sessions_forget_devices: AFTER UPDATE OF ended_at ON sessions
--     writes:   devices: deletes those of the session
--     locks:    devices: those of the session
-- sessions_record_end: AFTER UPDATE OF ended_at ON sessions
--     writes:   erasures: the end of the session; nothing while a restore ends all of them
-- sms_opt_outs_record: AFTER INSERT ON sms_opt_outs
--     writes:   erasures: the STOP, for the journal
-- sms_opt_outs_record_end: AFTER DELETE ON sms_opt_outs
--     writes:   erasures: the end of the STOP, for the journal
-- users_record_erasure: AFTER DELETE ON users
--     writes:   erasures: the account's deletion, for the journal
--
-- A DELETE removes the rows of these tables too, and sets their triggers off:
-- companion_days      companion_bypasses, companion_diary
-- companion_settings  companion_bypasses, companion_cosmetics, companion_days, companion_devices, companion_diary, companion_ledger, companion_memorials, companion_pets, companion_purchases, companion_recoveries, companion_wallets
-- focus_leagues       focus_seats
-- focus_profiles      focus_breaks, focus_days, focus_devices, focus_due, focus_event_days, focus_feed, focus_follows, focus_freezes, focus_intentions, focus_ledger, focus_partners, focus_results, focus_schedules, focus_seats, focus_sessions, focus_temptations, focus_transactions, focus_weeks
-- groups              focus_results, former_members, group_events, group_members, invites, photo_slots, photos, upload_keys
-- sessions            devices
-- users               blocks, companion_settings, contact_checks, devices, focus_profiles, former_members, group_members, idempotency_keys, outbox, photo_slots, photos, sessions, upload_keys

CREATE TABLE analytics_additions (
    id bigint NOT NULL,
    day date NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT analytics_additions_count CHECK ((count > 0)),
    CONSTRAINT analytics_additions_name CHECK ((name = ANY (ARRAY['photo_sent'::text, 'group_created'::text, 'app_opened'::text, 'invite_sent'::text, 'companion_food'::text, 'companion_cure'::text, 'companion_revive'::text, 'companion_restart'::text, 'companion_purchase'::text, 'companion_refund'::text, 'companion_healthy'::text, 'companion_sick'::text, 'companion_dead'::text])))
);
ALTER TABLE ONLY analytics_additions
    ADD CONSTRAINT analytics_additions_pkey PRIMARY KEY (id);

ALTER TABLE analytics_additions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME analytics_additions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE analytics_totals (
    day date NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT analytics_totals_count CHECK ((count > 0)),
    CONSTRAINT analytics_totals_name CHECK ((name = ANY (ARRAY['photo_sent'::text, 'group_created'::text, 'app_opened'::text, 'invite_sent'::text, 'companion_food'::text, 'companion_cure'::text, 'companion_revive'::text, 'companion_restart'::text, 'companion_purchase'::text, 'companion_refund'::text, 'companion_healthy'::text, 'companion_sick'::text, 'companion_dead'::text])))
);
ALTER TABLE ONLY analytics_totals
    ADD CONSTRAINT analytics_totals_pkey PRIMARY KEY (day, name);

CREATE TABLE audit_runs (
    name text NOT NULL,
    holder uuid,
    lease_until timestamp with time zone,
    started_at timestamp with time zone,
    last_key text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    continuation text,
    report text,
    finished_at timestamp with time zone,
    next_run_at timestamp with time zone
);
ALTER TABLE ONLY audit_runs
    ADD CONSTRAINT audit_runs_pkey PRIMARY KEY (name);

CREATE TABLE backups (
    method text NOT NULL,
    finished_at timestamp with time zone NOT NULL,
    oldest_at timestamp with time zone NOT NULL,
    CONSTRAINT backups_in_order CHECK ((oldest_at <= finished_at))
);
ALTER TABLE ONLY backups
    ADD CONSTRAINT backups_pkey PRIMARY KEY (method);

CREATE TABLE blocks (
    blocker_id uuid NOT NULL,
    number_hmac bytea NOT NULL,
    blocked_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT blocks_not_oneself CHECK ((blocker_id <> blocked_id))
);
ALTER TABLE ONLY blocks
    ADD CONSTRAINT blocks_pkey PRIMARY KEY (blocker_id, number_hmac);
CREATE INDEX blocks_blocked_id ON blocks USING btree (blocked_id);
CREATE INDEX blocks_number_hmac ON blocks USING btree (number_hmac);
CREATE TRIGGER blocks_record AFTER INSERT OR DELETE ON blocks FOR EACH ROW EXECUTE FUNCTION record_block();
ALTER TABLE ONLY blocks
    ADD CONSTRAINT blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE ONLY blocks
    ADD CONSTRAINT blocks_blocker_id_fkey FOREIGN KEY (blocker_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE closed_prefixes (
    prefix bytea NOT NULL,
    closed_until timestamp with time zone NOT NULL,
    last_send_id bigint NOT NULL
);
ALTER TABLE ONLY closed_prefixes
    ADD CONSTRAINT closed_prefixes_pkey PRIMARY KEY (prefix);
CREATE INDEX closed_prefixes_closed_until ON closed_prefixes USING btree (closed_until);

CREATE TABLE code_sends (
    id bigint NOT NULL,
    prefix bytea NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL,
    verified boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY code_sends
    ADD CONSTRAINT code_sends_pkey PRIMARY KEY (id);
CREATE INDEX code_sends_prefix ON code_sends USING btree (prefix, id DESC);
CREATE INDEX code_sends_sent_at ON code_sends USING btree (sent_at);

ALTER TABLE code_sends ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME code_sends_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE companion_beats (
    the_only boolean DEFAULT true NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT companion_beats_the_only_check CHECK (the_only)
);
ALTER TABLE ONLY companion_beats
    ADD CONSTRAINT companion_beats_pkey PRIMARY KEY (the_only);

CREATE TABLE companion_bypasses (
    user_id uuid NOT NULL,
    day date NOT NULL,
    number smallint NOT NULL,
    device_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    closes_at timestamp with time zone,
    CONSTRAINT companion_bypasses_closes_at CHECK ((closes_at >= at)),
    CONSTRAINT companion_bypasses_number CHECK (((number >= 1) AND (number <= 20)))
);
ALTER TABLE ONLY companion_bypasses
    ADD CONSTRAINT companion_bypasses_pkey PRIMARY KEY (user_id, day, number);
ALTER TABLE ONLY companion_bypasses
    ADD CONSTRAINT companion_bypasses_user_id_day_fkey FOREIGN KEY (user_id, day) REFERENCES companion_days(user_id, day) ON DELETE CASCADE;
ALTER TABLE ONLY companion_bypasses
    ADD CONSTRAINT companion_bypasses_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_catalogs (
    id uuid NOT NULL,
    version integer,
    content text NOT NULL,
    proposed_by text NOT NULL,
    proposed_at timestamp with time zone DEFAULT now() NOT NULL,
    approved_by text,
    approved_at timestamp with time zone,
    CONSTRAINT companion_catalogs_approval CHECK ((((version IS NULL) = (approved_by IS NULL)) AND ((version IS NULL) = (approved_at IS NULL)))),
    CONSTRAINT companion_catalogs_people CHECK ((lower(approved_by) <> lower(proposed_by))),
    CONSTRAINT companion_catalogs_version CHECK ((version > 0))
);
ALTER TABLE ONLY companion_catalogs
    ADD CONSTRAINT companion_catalogs_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX companion_catalogs_proposal_key ON companion_catalogs USING btree (((version IS NULL))) WHERE (version IS NULL);
CREATE UNIQUE INDEX companion_catalogs_version_key ON companion_catalogs USING btree (version);

CREATE TABLE companion_claims (
    digest bytea NOT NULL,
    is_refused boolean NOT NULL
);
ALTER TABLE ONLY companion_claims
    ADD CONSTRAINT companion_claims_pkey PRIMARY KEY (digest);

CREATE TABLE companion_cosmetics (
    user_id uuid NOT NULL,
    id text NOT NULL,
    currency text NOT NULL,
    price integer NOT NULL,
    place bigint DEFAULT nextval('companion_shop_places'::regclass) NOT NULL,
    bought_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT companion_cosmetics_currency CHECK ((currency = ANY (ARRAY['energy'::text, 'gems'::text]))),
    CONSTRAINT companion_cosmetics_price CHECK ((price > 0))
);
ALTER TABLE ONLY companion_cosmetics
    ADD CONSTRAINT companion_cosmetics_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY companion_cosmetics
    ADD CONSTRAINT companion_cosmetics_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    begins_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    limit_minutes smallint NOT NULL,
    bypasses smallint DEFAULT 0 NOT NULL,
    first_use_at timestamp with time zone,
    last_use_at timestamp with time zone,
    open_seconds integer DEFAULT 0 NOT NULL,
    reported_minutes smallint,
    has_events boolean DEFAULT false NOT NULL,
    has_welcome boolean DEFAULT false NOT NULL,
    has_summary boolean DEFAULT false NOT NULL,
    terminal_at timestamp with time zone,
    closed_at timestamp with time zone,
    energy integer,
    summary_open boolean DEFAULT true NOT NULL,
    nightly_open boolean DEFAULT true NOT NULL,
    CONSTRAINT companion_days_bypasses CHECK (((bypasses >= 0) AND (bypasses <= 20))),
    CONSTRAINT companion_days_closed CHECK (((energy IS NULL) OR (closed_at IS NOT NULL)))
)
WITH (fillfactor='80');
ALTER TABLE ONLY companion_days
    ADD CONSTRAINT companion_days_pkey PRIMARY KEY (user_id, day);
CREATE INDEX companion_days_ends_at ON companion_days USING btree (ends_at);
CREATE INDEX companion_days_nightly ON companion_days USING btree (ends_at) WHERE (nightly_open AND has_events);
CREATE INDEX companion_days_summaries ON companion_days USING btree (ends_at) WHERE (summary_open AND has_events AND (NOT has_summary));
ALTER TABLE ONLY companion_days
    ADD CONSTRAINT companion_days_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_devices (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    synced_at timestamp with time zone NOT NULL,
    last_seq bigint DEFAULT 0 NOT NULL,
    last_event_at timestamp with time zone,
    events_on date NOT NULL,
    events_count integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE ONLY companion_devices
    ADD CONSTRAINT companion_devices_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY companion_devices
    ADD CONSTRAINT companion_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_diary (
    user_id uuid NOT NULL,
    ordinal integer NOT NULL,
    id uuid NOT NULL,
    day date NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    band smallint,
    pool text NOT NULL,
    hp smallint NOT NULL,
    number smallint NOT NULL,
    text_en text NOT NULL,
    text_de text NOT NULL,
    CONSTRAINT companion_diary_band CHECK ((band = ANY (ARRAY[0, 10, 20, 40, 60, 80]))),
    CONSTRAINT companion_diary_banded CHECK (((kind = ANY (ARRAY['band'::text, 'terminal'::text])) = (band IS NOT NULL))),
    CONSTRAINT companion_diary_hp CHECK (((hp >= 0) AND (hp <= 100))),
    CONSTRAINT companion_diary_kind CHECK ((kind = ANY (ARRAY['welcome'::text, 'band'::text, 'terminal'::text, 'nightly'::text])))
);
ALTER TABLE ONLY companion_diary
    ADD CONSTRAINT companion_diary_pkey PRIMARY KEY (user_id, ordinal);
CREATE INDEX companion_diary_at ON companion_diary USING btree (user_id, at, id);
CREATE UNIQUE INDEX companion_diary_once ON companion_diary USING btree (user_id, day, (
CASE kind
    WHEN 'terminal'::text THEN 'summary'::text
    WHEN 'nightly'::text THEN 'summary'::text
    ELSE (kind || COALESCE((band)::text, ''::text))
END));
ALTER TABLE ONLY companion_diary
    ADD CONSTRAINT companion_diary_user_id_day_fkey FOREIGN KEY (user_id, day) REFERENCES companion_days(user_id, day) ON DELETE CASCADE;
ALTER TABLE ONLY companion_diary
    ADD CONSTRAINT companion_diary_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_flags (
    key text NOT NULL,
    enabled boolean NOT NULL,
    set_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY companion_flags
    ADD CONSTRAINT companion_flags_pkey PRIMARY KEY (key);

CREATE TABLE companion_gaps (
    begins_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT companion_gaps_order CHECK ((begins_at < ends_at))
);
ALTER TABLE ONLY companion_gaps
    ADD CONSTRAINT companion_gaps_pkey PRIMARY KEY (begins_at);

CREATE TABLE companion_ledger (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    balance bigint NOT NULL,
    kind text NOT NULL,
    ref text NOT NULL,
    CONSTRAINT companion_ledger_amount CHECK ((amount <> 0)),
    CONSTRAINT companion_ledger_currency CHECK ((currency = ANY (ARRAY['energy'::text, 'gems'::text]))),
    CONSTRAINT companion_ledger_kind CHECK ((kind = ANY (ARRAY['award'::text, 'food'::text, 'cosmetic'::text, 'cure'::text, 'revive'::text, 'restart'::text, 'purchase'::text, 'refund'::text, 'rollback'::text])))
);
ALTER TABLE ONLY companion_ledger
    ADD CONSTRAINT companion_ledger_pkey PRIMARY KEY (user_id, id);
CREATE UNIQUE INDEX companion_ledger_once ON companion_ledger USING btree (user_id, kind, ref) WHERE (kind = ANY (ARRAY['award'::text, 'purchase'::text, 'refund'::text]));
ALTER TABLE ONLY companion_ledger
    ADD CONSTRAINT companion_ledger_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_memorials (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    species text NOT NULL,
    growth integer NOT NULL,
    born_on date NOT NULL,
    died_on date NOT NULL,
    outfit text[] NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY companion_memorials
    ADD CONSTRAINT companion_memorials_pkey PRIMARY KEY (user_id, id);
CREATE INDEX companion_memorials_created_at ON companion_memorials USING btree (user_id, created_at, id);
ALTER TABLE ONLY companion_memorials
    ADD CONSTRAINT companion_memorials_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_pets (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    species text NOT NULL,
    name text NOT NULL,
    health text NOT NULL,
    changed_on date,
    unfed_days integer NOT NULL,
    last_fed smallint NOT NULL,
    growth integer NOT NULL,
    fullness smallint NOT NULL,
    mood smallint NOT NULL,
    food_energy integer NOT NULL,
    food_buff integer NOT NULL,
    fragile_until timestamp with time zone,
    born_on date NOT NULL,
    died_on date,
    died_at timestamp with time zone,
    reset_on date NOT NULL,
    outfit text[] NOT NULL,
    CONSTRAINT companion_pets_death CHECK ((num_nulls(died_on, died_at) =
CASE
    WHEN (health = 'dead'::text) THEN 0
    ELSE 2
END)),
    CONSTRAINT companion_pets_fullness CHECK (((fullness >= 0) AND (fullness <= 100))),
    CONSTRAINT companion_pets_health CHECK ((health = ANY (ARRAY['healthy'::text, 'sick'::text, 'dead'::text]))),
    CONSTRAINT companion_pets_last_fed CHECK (((last_fed >= 0) AND (last_fed <= 7))),
    CONSTRAINT companion_pets_mood CHECK (((mood >= 0) AND (mood <= 10))),
    CONSTRAINT companion_pets_species CHECK ((species = ANY (ARRAY['cat'::text, 'dog'::text])))
)
WITH (fillfactor='80');
ALTER TABLE ONLY companion_pets
    ADD CONSTRAINT companion_pets_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY companion_pets
    ADD CONSTRAINT companion_pets_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_purchases (
    transaction_id text NOT NULL,
    user_id uuid NOT NULL,
    product_id text NOT NULL,
    quantity bigint NOT NULL,
    gems bigint NOT NULL,
    place bigint DEFAULT nextval('companion_shop_places'::regclass) NOT NULL,
    credited_at timestamp with time zone DEFAULT now() NOT NULL,
    refunded_at timestamp with time zone,
    CONSTRAINT companion_purchases_gems CHECK ((gems > 0)),
    CONSTRAINT companion_purchases_quantity CHECK ((quantity > 0))
);
ALTER TABLE ONLY companion_purchases
    ADD CONSTRAINT companion_purchases_pkey PRIMARY KEY (transaction_id);
CREATE INDEX companion_purchases_user_id_idx ON companion_purchases USING btree (user_id);
ALTER TABLE ONLY companion_purchases
    ADD CONSTRAINT companion_purchases_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_recoveries (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    pet_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT companion_recoveries_kind CHECK ((kind = ANY (ARRAY['cure'::text, 'revive'::text, 'restart'::text])))
);
ALTER TABLE ONLY companion_recoveries
    ADD CONSTRAINT companion_recoveries_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY companion_recoveries
    ADD CONSTRAINT companion_recoveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE companion_settings (
    user_id uuid NOT NULL,
    joining uuid DEFAULT gen_random_uuid() NOT NULL,
    consent text NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    limit_minutes smallint NOT NULL,
    limit_minutes_today smallint NOT NULL,
    cooldown_minutes smallint NOT NULL,
    schedule_from smallint,
    schedule_to smallint,
    schedule_weekdays smallint[],
    nightly boolean NOT NULL,
    day date NOT NULL,
    begins_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    has_pet boolean DEFAULT false NOT NULL,
    CONSTRAINT companion_settings_cooldown CHECK ((cooldown_minutes = ANY (ARRAY[10, 20, 30, 45, 60]))),
    CONSTRAINT companion_settings_ends_at CHECK ((ends_at >= begins_at)),
    CONSTRAINT companion_settings_limit CHECK (((limit_minutes >= 15) AND (limit_minutes <= 960))),
    CONSTRAINT companion_settings_schedule CHECK (((num_nulls(schedule_from, schedule_to, schedule_weekdays) = ANY (ARRAY[0, 3])) AND ((schedule_from >= 0) AND (schedule_from <= 1439)) AND ((schedule_to >= 0) AND (schedule_to <= 1439)))),
    CONSTRAINT companion_settings_today CHECK (((limit_minutes_today >= 15) AND (limit_minutes_today <= limit_minutes)))
)
WITH (fillfactor='80');
ALTER TABLE ONLY companion_settings
    ADD CONSTRAINT companion_settings_pkey PRIMARY KEY (user_id);
CREATE INDEX companion_settings_pets ON companion_settings USING btree (ends_at) WHERE has_pet;
CREATE TRIGGER companion_settings_forget_messages AFTER DELETE ON companion_settings FOR EACH ROW EXECUTE FUNCTION forget_companion_messages();
CREATE TRIGGER companion_settings_record_erasure AFTER DELETE ON companion_settings FOR EACH ROW EXECUTE FUNCTION record_companion_leaving();
ALTER TABLE ONLY companion_settings
    ADD CONSTRAINT companion_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE SEQUENCE companion_shop_places
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE companion_wallets (
    user_id uuid NOT NULL,
    energy bigint NOT NULL,
    gems bigint NOT NULL,
    entries bigint NOT NULL,
    entry_at timestamp with time zone NOT NULL,
    CONSTRAINT companion_wallets_energy CHECK ((energy >= 0))
)
WITH (fillfactor='80');
ALTER TABLE ONLY companion_wallets
    ADD CONSTRAINT companion_wallets_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY companion_wallets
    ADD CONSTRAINT companion_wallets_user_id_fkey FOREIGN KEY (user_id) REFERENCES companion_settings(user_id) ON DELETE CASCADE;

CREATE TABLE contact_checks (
    user_id uuid NOT NULL,
    asked bytea NOT NULL,
    ends_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY contact_checks
    ADD CONSTRAINT contact_checks_pkey PRIMARY KEY (user_id);
CREATE INDEX contact_checks_ends_at ON contact_checks USING btree (ends_at);
ALTER TABLE ONLY contact_checks
    ADD CONSTRAINT contact_checks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE devices (
    id uuid NOT NULL,
    digest bytea NOT NULL,
    token text NOT NULL,
    platform text NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registered_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT devices_platform CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text, 'web'::text]))),
    CONSTRAINT devices_token_length CHECK (((char_length(token) >= 1) AND (char_length(token) <= 4096)))
);
ALTER TABLE ONLY devices
    ADD CONSTRAINT devices_digest_key UNIQUE (digest);
ALTER TABLE ONLY devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);
CREATE INDEX devices_session_id ON devices USING btree (session_id);
CREATE INDEX devices_user_id ON devices USING btree (user_id);
ALTER TABLE ONLY devices
    ADD CONSTRAINT devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY devices
    ADD CONSTRAINT devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE erasures (
    id bigint NOT NULL,
    kind text NOT NULL,
    subject bytea,
    payload bytea
);
ALTER TABLE ONLY erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (id);

ALTER TABLE erasures ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME erasures_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE focus_breaks (
    user_id uuid NOT NULL,
    day date NOT NULL,
    intention_id uuid NOT NULL,
    streak integer NOT NULL
);
ALTER TABLE ONLY focus_breaks
    ADD CONSTRAINT focus_breaks_pkey PRIMARY KEY (user_id, day, intention_id);
CREATE INDEX focus_breaks_day_idx ON focus_breaks USING btree (day);
ALTER TABLE ONLY focus_breaks
    ADD CONSTRAINT focus_breaks_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_closes (
    week date NOT NULL,
    leagues_done boolean DEFAULT false NOT NULL,
    groups_after uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
    seats_after uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    feed_after uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
    closed_at timestamp with time zone
);
ALTER TABLE ONLY focus_closes
    ADD CONSTRAINT focus_closes_pkey PRIMARY KEY (week);
CREATE INDEX focus_closes_open ON focus_closes USING btree (week) WHERE (closed_at IS NULL);

CREATE TABLE focus_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    streak_count integer DEFAULT 0 NOT NULL,
    longest_streak integer DEFAULT 0 NOT NULL,
    estimated boolean DEFAULT false NOT NULL,
    streaks bytea,
    minutes smallint,
    rating smallint,
    CONSTRAINT focus_days_rating CHECK ((rating = ANY (ARRAY['-1'::integer, 1])))
)
PARTITION BY RANGE (day);
ALTER TABLE ONLY focus_days
    ADD CONSTRAINT focus_days_pkey PRIMARY KEY (user_id, day);
CREATE INDEX focus_days_day ON ONLY focus_days USING btree (day);
ALTER TABLE focus_days
    ADD CONSTRAINT focus_days_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_devices (
    user_id uuid NOT NULL,
    number integer NOT NULL,
    id uuid NOT NULL,
    platform text NOT NULL,
    setup text DEFAULT 'not_started'::text NOT NULL,
    reason text,
    window_at timestamp with time zone,
    window_open boolean DEFAULT false NOT NULL,
    verified_at timestamp with time zone,
    counts_from bigint,
    status text DEFAULT 'pending'::text NOT NULL,
    issue text DEFAULT 'never_verified'::text,
    issue_hours integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    synced_at timestamp with time zone,
    deleted_at timestamp with time zone,
    last_seq bigint DEFAULT 0 NOT NULL,
    kept_seq bigint DEFAULT 0 NOT NULL,
    last_event_at timestamp with time zone,
    last_unlock_at timestamp with time zone,
    events_on date,
    events_count smallint DEFAULT 0 NOT NULL,
    CONSTRAINT focus_devices_issue CHECK ((issue = ANY (ARRAY['never_verified'::text, 'no_recent_unlocks'::text, 'app_open_without_recent_unlock'::text]))),
    CONSTRAINT focus_devices_platform CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text]))),
    CONSTRAINT focus_devices_reason CHECK ((reason = ANY (ARRAY['automation_not_created'::text, 'unknown'::text, 'no_event_received'::text]))),
    CONSTRAINT focus_devices_setup CHECK ((setup = ANY (ARRAY['not_started'::text, 'in_progress'::text, 'awaiting_verification'::text, 'verified'::text, 'failed'::text]))),
    CONSTRAINT focus_devices_status CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'broken'::text])))
)
WITH (fillfactor='80');
ALTER TABLE ONLY focus_devices
    ADD CONSTRAINT focus_devices_pkey PRIMARY KEY (user_id, number);
CREATE INDEX focus_devices_deleted_at ON focus_devices USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX focus_devices_id_key ON focus_devices USING btree (user_id, id) WHERE (deleted_at IS NULL);
ALTER TABLE ONLY focus_devices
    ADD CONSTRAINT focus_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_due (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    since timestamp with time zone,
    number integer DEFAULT 0 NOT NULL,
    day date,
    CONSTRAINT focus_due_kind CHECK ((kind = ANY (ARRAY['temptation'::text, 'results'::text, 'review'::text, 'morning'::text, 'partner_prompt'::text])))
)
WITH (fillfactor='80');
ALTER TABLE ONLY focus_due
    ADD CONSTRAINT focus_due_pkey PRIMARY KEY (user_id, kind);
CREATE INDEX focus_due_due_at ON focus_due USING btree (due_at);
ALTER TABLE ONLY focus_due
    ADD CONSTRAINT focus_due_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_event_days (
    user_id uuid NOT NULL,
    device integer NOT NULL,
    day date NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    events bytea NOT NULL,
    intentions uuid[] DEFAULT '{}'::uuid[] NOT NULL
)
PARTITION BY RANGE (day);
ALTER TABLE ONLY focus_event_days
    ADD CONSTRAINT focus_event_days_pkey PRIMARY KEY (user_id, device, day);
ALTER TABLE focus_event_days
    ADD CONSTRAINT focus_event_days_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_feed (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    seconds integer,
    week date,
    points integer,
    streak_count integer,
    CONSTRAINT focus_feed_kind CHECK ((num_nonnulls(week, points, streak_count) =
CASE
    WHEN (seconds IS NULL) THEN 3
    ELSE 0
END))
);
ALTER TABLE ONLY focus_feed
    ADD CONSTRAINT focus_feed_pkey PRIMARY KEY (user_id, id);
CREATE INDEX focus_feed_ended_at ON focus_feed USING btree (ended_at);
CREATE UNIQUE INDEX focus_feed_streak ON focus_feed USING btree (user_id, ended_at) WHERE (seconds IS NOT NULL);
CREATE UNIQUE INDEX focus_feed_week ON focus_feed USING btree (user_id, week) WHERE (week IS NOT NULL);
ALTER TABLE ONLY focus_feed
    ADD CONSTRAINT focus_feed_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_follows (
    follower_id uuid NOT NULL,
    followed_id uuid NOT NULL,
    since timestamp with time zone DEFAULT date_trunc('second'::text, now(), 'UTC'::text) NOT NULL,
    CONSTRAINT focus_follows_not_oneself CHECK ((follower_id <> followed_id))
);
ALTER TABLE ONLY focus_follows
    ADD CONSTRAINT focus_follows_pkey PRIMARY KEY (follower_id, followed_id);
CREATE INDEX focus_follows_followed_id ON focus_follows USING btree (followed_id, since DESC, follower_id DESC);
ALTER TABLE ONLY focus_follows
    ADD CONSTRAINT focus_follows_followed_id_fkey FOREIGN KEY (followed_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY focus_follows
    ADD CONSTRAINT focus_follows_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_forgotten (
    the_only boolean DEFAULT true NOT NULL,
    streaks_before date NOT NULL,
    CONSTRAINT focus_forgotten_the_only_check CHECK (the_only)
);
ALTER TABLE ONLY focus_forgotten
    ADD CONSTRAINT focus_forgotten_pkey PRIMARY KEY (the_only);

CREATE TABLE focus_freezes (
    user_id uuid NOT NULL,
    week date NOT NULL,
    day date NOT NULL,
    id uuid NOT NULL
);
ALTER TABLE ONLY focus_freezes
    ADD CONSTRAINT focus_freezes_pkey PRIMARY KEY (user_id, week);
ALTER TABLE ONLY focus_freezes
    ADD CONSTRAINT focus_freezes_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_intentions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    label text NOT NULL,
    opens smallint NOT NULL,
    next_opens smallint,
    next_opens_on date,
    minutes smallint NOT NULL,
    day date NOT NULL,
    used integer DEFAULT 0 NOT NULL,
    is_exceeded boolean DEFAULT false NOT NULL,
    streak integer DEFAULT 0 NOT NULL,
    best integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT focus_intentions_next CHECK (((next_opens IS NULL) = (next_opens_on IS NULL)))
);
ALTER TABLE ONLY focus_intentions
    ADD CONSTRAINT focus_intentions_pkey PRIMARY KEY (id);
CREATE INDEX focus_intentions_user_id_idx ON focus_intentions USING btree (user_id, created_at, id);
ALTER TABLE ONLY focus_intentions
    ADD CONSTRAINT focus_intentions_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_leagues (
    week date NOT NULL,
    tier smallint NOT NULL,
    number integer NOT NULL,
    seats integer DEFAULT 0 NOT NULL,
    has_room boolean DEFAULT true NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT focus_leagues_tier CHECK (((tier >= 0) AND (tier <= 4)))
);
ALTER TABLE ONLY focus_leagues
    ADD CONSTRAINT focus_leagues_pkey PRIMARY KEY (week, tier, number);
CREATE INDEX focus_leagues_open ON focus_leagues USING btree (week, tier, number) WHERE (closed_at IS NULL);
CREATE INDEX focus_leagues_with_room ON focus_leagues USING btree (week, tier, number) WHERE (has_room AND (closed_at IS NULL));

CREATE TABLE focus_ledger (
    user_id uuid NOT NULL,
    cause text NOT NULL,
    xp integer NOT NULL,
    coins integer NOT NULL,
    earned_on date NOT NULL,
    earned_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY focus_ledger
    ADD CONSTRAINT focus_ledger_pkey PRIMARY KEY (user_id, cause);
CREATE INDEX focus_ledger_user_id_earned_on_idx ON focus_ledger USING btree (user_id, earned_on);
ALTER TABLE ONLY focus_ledger
    ADD CONSTRAINT focus_ledger_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_partners (
    user_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    accepted_at timestamp with time zone,
    CONSTRAINT focus_partners_others CHECK ((user_id <> partner_id))
);
ALTER TABLE ONLY focus_partners
    ADD CONSTRAINT focus_partners_pkey PRIMARY KEY (user_id, partner_id);
CREATE INDEX focus_partners_partner_id_idx ON focus_partners USING btree (partner_id);
ALTER TABLE ONLY focus_partners
    ADD CONSTRAINT focus_partners_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY focus_partners
    ADD CONSTRAINT focus_partners_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_profiles (
    user_id uuid NOT NULL,
    consent text NOT NULL,
    nickname text,
    nickname_set_at timestamp with time zone,
    boards boolean DEFAULT true NOT NULL,
    leagues boolean DEFAULT false NOT NULL,
    feed boolean DEFAULT false NOT NULL,
    morning boolean DEFAULT false NOT NULL,
    joined_at timestamp with time zone DEFAULT now() NOT NULL,
    joined_on date NOT NULL,
    last_device_number integer DEFAULT 0 NOT NULL,
    tier smallint DEFAULT 0 NOT NULL,
    pro_until timestamp with time zone,
    pro_granted_until timestamp with time zone,
    goal_minutes smallint,
    next_goal_minutes smallint,
    next_goal_on date,
    goal_streak integer DEFAULT 0 NOT NULL,
    lives smallint DEFAULT 1 NOT NULL,
    judged_on date,
    xp bigint DEFAULT 0 NOT NULL,
    coins bigint DEFAULT 0 NOT NULL,
    record_on date,
    record_seconds integer DEFAULT 0 NOT NULL,
    usage_on date,
    usage_minutes smallint,
    closed_on date,
    streaks bytea,
    reached_on date,
    synced_at timestamp with time zone,
    sync_minute_at timestamp with time zone,
    sync_minute_count smallint DEFAULT 0 NOT NULL,
    sync_day_at timestamp with time zone,
    sync_day_count smallint DEFAULT 0 NOT NULL,
    CONSTRAINT focus_profiles_goal CHECK (((goal_minutes >= 15) AND (goal_minutes <= 960))),
    CONSTRAINT focus_profiles_lives CHECK (((lives >= 0) AND (lives <= 3))),
    CONSTRAINT focus_profiles_next_goal CHECK (((next_goal_minutes >= 15) AND (next_goal_minutes <= 960))),
    CONSTRAINT focus_profiles_nickname CHECK ((nickname ~ '^[A-Za-z0-9_.]{3,30}$'::text)),
    CONSTRAINT focus_profiles_tier CHECK (((tier >= 0) AND (tier <= 4)))
)
WITH (fillfactor='80');
ALTER TABLE ONLY focus_profiles
    ADD CONSTRAINT focus_profiles_pkey PRIMARY KEY (user_id);
CREATE INDEX focus_profiles_joined_at ON focus_profiles USING btree (joined_at);
CREATE UNIQUE INDEX focus_profiles_nickname_key ON focus_profiles USING btree (lower(nickname));
CREATE TRIGGER focus_profiles_forget_messages AFTER DELETE ON focus_profiles FOR EACH ROW EXECUTE FUNCTION forget_focus_messages();
CREATE TRIGGER focus_profiles_record_erasure AFTER DELETE ON focus_profiles FOR EACH ROW EXECUTE FUNCTION record_focus_leaving();
ALTER TABLE ONLY focus_profiles
    ADD CONSTRAINT focus_profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE focus_refunds (
    digest bytea NOT NULL,
    noted_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT focus_refunds_digest CHECK ((octet_length(digest) = 32))
);
ALTER TABLE ONLY focus_refunds
    ADD CONSTRAINT focus_refunds_pkey PRIMARY KEY (digest);

CREATE TABLE focus_results (
    group_id uuid NOT NULL,
    week date NOT NULL,
    user_id uuid NOT NULL,
    rank integer NOT NULL,
    points integer NOT NULL,
    streak_count integer NOT NULL,
    longest_streak integer NOT NULL,
    estimated boolean NOT NULL,
    status text NOT NULL
);
ALTER TABLE ONLY focus_results
    ADD CONSTRAINT focus_results_pkey PRIMARY KEY (group_id, week, user_id);
CREATE INDEX focus_results_user_id ON focus_results USING btree (user_id);
CREATE INDEX focus_results_week ON focus_results USING btree (week);
ALTER TABLE ONLY focus_results
    ADD CONSTRAINT focus_results_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY focus_results
    ADD CONSTRAINT focus_results_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_schedules (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text,
    emoji text,
    from_time time without time zone NOT NULL,
    to_time time without time zone NOT NULL,
    weekdays smallint[] NOT NULL,
    mode text NOT NULL,
    beast_mode boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT focus_schedules_mode CHECK ((mode = ANY (ARRAY['allow_list'::text, 'block_list'::text])))
);
ALTER TABLE ONLY focus_schedules
    ADD CONSTRAINT focus_schedules_pkey PRIMARY KEY (id);
CREATE INDEX focus_schedules_user_id_idx ON focus_schedules USING btree (user_id, created_at, id);
ALTER TABLE ONLY focus_schedules
    ADD CONSTRAINT focus_schedules_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_seats (
    week date NOT NULL,
    user_id uuid NOT NULL,
    tier smallint NOT NULL,
    number integer NOT NULL,
    seated_at timestamp with time zone DEFAULT now() NOT NULL,
    place integer,
    points integer,
    xp integer,
    next_tier smallint
);
ALTER TABLE ONLY focus_seats
    ADD CONSTRAINT focus_seats_pkey PRIMARY KEY (week, user_id);
CREATE INDEX focus_seats_league ON focus_seats USING btree (week, tier, number);
CREATE INDEX focus_seats_user_id ON focus_seats USING btree (user_id, week);
CREATE TRIGGER focus_seats_free AFTER DELETE ON focus_seats FOR EACH ROW EXECUTE FUNCTION free_focus_seat();
ALTER TABLE ONLY focus_seats
    ADD CONSTRAINT focus_seats_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY focus_seats
    ADD CONSTRAINT focus_seats_week_tier_number_fkey FOREIGN KEY (week, tier, number) REFERENCES focus_leagues(week, tier, number) ON DELETE CASCADE;

CREATE TABLE focus_sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text,
    emoji text,
    goal_minutes integer NOT NULL,
    mode text NOT NULL,
    beast_mode boolean NOT NULL,
    schedule_id uuid,
    date date,
    state text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    ended_on date,
    xp integer,
    CONSTRAINT focus_sessions_date CHECK (((schedule_id IS NULL) = (date IS NULL))),
    CONSTRAINT focus_sessions_end CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['running'::text, 'lost'::text])))),
    CONSTRAINT focus_sessions_ended_on CHECK (((ended_on IS NULL) = (ended_at IS NULL))),
    CONSTRAINT focus_sessions_mode CHECK ((mode = ANY (ARRAY['allow_list'::text, 'block_list'::text]))),
    CONSTRAINT focus_sessions_state CHECK ((state = ANY (ARRAY['running'::text, 'completed'::text, 'gave_up'::text, 'canceled'::text, 'lost'::text]))),
    CONSTRAINT focus_sessions_xp CHECK (((xp IS NULL) = (state = 'running'::text)))
);
ALTER TABLE ONLY focus_sessions
    ADD CONSTRAINT focus_sessions_pkey PRIMARY KEY (id);
CREATE INDEX focus_sessions_completed_idx ON focus_sessions USING btree (user_id, ended_on) WHERE (state = 'completed'::text);
CREATE UNIQUE INDEX focus_sessions_running_key ON focus_sessions USING btree (user_id) WHERE (state = 'running'::text);
CREATE INDEX focus_sessions_running_started_at_idx ON focus_sessions USING btree (started_at) WHERE (state = 'running'::text);
CREATE UNIQUE INDEX focus_sessions_schedule_key ON focus_sessions USING btree (schedule_id, date);
CREATE INDEX focus_sessions_started_at_idx ON focus_sessions USING btree (started_at);
CREATE INDEX focus_sessions_user_id_started_at_idx ON focus_sessions USING btree (user_id, started_at, id);
ALTER TABLE ONLY focus_sessions
    ADD CONSTRAINT focus_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_temptations (
    user_id uuid NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    intensity text DEFAULT 'medium'::text NOT NULL,
    quiet_from text DEFAULT '22:00'::text,
    quiet_to text DEFAULT '07:00'::text,
    last_key text,
    last_type text,
    last_number smallint,
    settled_sent integer DEFAULT 0 NOT NULL,
    settled_resisted integer DEFAULT 0 NOT NULL,
    sent_at bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    unlocked_at bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    CONSTRAINT focus_temptations_intensity CHECK ((intensity = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
    CONSTRAINT focus_temptations_quiet CHECK ((((quiet_from IS NULL) = (quiet_to IS NULL)) AND (quiet_from <> quiet_to))),
    CONSTRAINT focus_temptations_recent CHECK ((cardinality(sent_at) = cardinality(unlocked_at)))
);
ALTER TABLE ONLY focus_temptations
    ADD CONSTRAINT focus_temptations_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY focus_temptations
    ADD CONSTRAINT focus_temptations_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_transactions (
    id text NOT NULL,
    user_id uuid NOT NULL,
    product_id text NOT NULL,
    original_id text,
    expires_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone
);
ALTER TABLE ONLY focus_transactions
    ADD CONSTRAINT focus_transactions_pkey PRIMARY KEY (id);
CREATE INDEX focus_transactions_user_id_idx ON focus_transactions USING btree (user_id);
ALTER TABLE ONLY focus_transactions
    ADD CONSTRAINT focus_transactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE focus_weeks (
    user_id uuid NOT NULL,
    week date NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    streak_count integer DEFAULT 0 NOT NULL,
    longest_streak integer DEFAULT 0 NOT NULL,
    estimated boolean DEFAULT false NOT NULL,
    xp integer DEFAULT 0 NOT NULL,
    usage_points integer DEFAULT 0 NOT NULL
)
PARTITION BY RANGE (week);
ALTER TABLE ONLY focus_weeks
    ADD CONSTRAINT focus_weeks_pkey PRIMARY KEY (user_id, week);
ALTER TABLE focus_weeks
    ADD CONSTRAINT focus_weeks_user_id_fkey FOREIGN KEY (user_id) REFERENCES focus_profiles(user_id) ON DELETE CASCADE;

CREATE TABLE former_members (
    group_id uuid NOT NULL,
    user_id uuid NOT NULL,
    left_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY former_members
    ADD CONSTRAINT former_members_pkey PRIMARY KEY (group_id, user_id);
CREATE INDEX former_members_left_at ON former_members USING btree (left_at);
CREATE INDEX former_members_user_id ON former_members USING btree (user_id);
ALTER TABLE ONLY former_members
    ADD CONSTRAINT former_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY former_members
    ADD CONSTRAINT former_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE group_events (
    group_id uuid NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    user_id uuid,
    photo_id uuid,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    previous_at timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    partition smallint DEFAULT event_partition(clock_timestamp()) NOT NULL,
    CONSTRAINT group_events_kind CHECK ((kind = ANY (ARRAY['member_joined'::text, 'member_left'::text, 'member_renamed'::text, 'group_renamed'::text, 'photo_added'::text, 'photo_removed'::text]))),
    CONSTRAINT group_events_photo CHECK (((photo_id IS NOT NULL) = (kind = ANY (ARRAY['photo_added'::text, 'photo_removed'::text]))))
)
PARTITION BY LIST (partition);
ALTER TABLE ONLY group_events
    ADD CONSTRAINT group_events_pkey PRIMARY KEY (group_id, number, partition);
CREATE INDEX group_events_at ON ONLY group_events USING btree (at);
CREATE INDEX group_events_user_id ON ONLY group_events USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE TRIGGER group_events_signal AFTER INSERT ON group_events FOR EACH ROW EXECUTE FUNCTION signal_group_event();
ALTER TABLE group_events
    ADD CONSTRAINT group_events_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;
ALTER TABLE group_events
    ADD CONSTRAINT group_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL;

CREATE TABLE group_members (
    group_id uuid NOT NULL,
    user_id uuid NOT NULL,
    joined_at timestamp with time zone DEFAULT now() NOT NULL,
    muted_until timestamp with time zone
);
ALTER TABLE ONLY group_members
    ADD CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id);
CREATE INDEX group_members_user_id ON group_members USING btree (user_id);
CREATE TRIGGER group_members_record_end AFTER DELETE ON group_members FOR EACH ROW EXECUTE FUNCTION record_membership_end();
ALTER TABLE ONLY group_members
    ADD CONSTRAINT group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY group_members
    ADD CONSTRAINT group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE groups (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_event bigint DEFAULT 0 NOT NULL,
    last_event_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT groups_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50)))
);
ALTER TABLE ONLY groups
    ADD CONSTRAINT groups_pkey PRIMARY KEY (id);
CREATE TRIGGER groups_record_erasure AFTER DELETE ON groups FOR EACH ROW EXECUTE FUNCTION record_erasure('group');

CREATE TABLE idempotency_keys (
    user_id uuid NOT NULL,
    path text NOT NULL,
    key text NOT NULL,
    digest bytea NOT NULL,
    resource_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, path, key);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING btree (created_at);
ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE invites (
    id uuid NOT NULL,
    code text NOT NULL,
    group_id uuid NOT NULL,
    phone_number text NOT NULL,
    invited_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    used_by uuid,
    revoked_at timestamp with time zone,
    CONSTRAINT invites_code_alphabet CHECK ((code ~ '^[ABCDEFGHJKLMNPQRSTUVWXYZ23456789]{6}$'::text))
);
ALTER TABLE ONLY invites
    ADD CONSTRAINT invites_number_and_code UNIQUE (phone_number, code);
ALTER TABLE ONLY invites
    ADD CONSTRAINT invites_pkey PRIMARY KEY (id);
CREATE INDEX invites_expires_at ON invites USING btree (expires_at);
CREATE INDEX invites_group_id ON invites USING btree (group_id);
CREATE INDEX invites_invited_by ON invites USING btree (invited_by);
CREATE INDEX invites_used_by ON invites USING btree (used_by);
CREATE TRIGGER invites_record_end AFTER UPDATE OF used_at, revoked_at ON invites FOR EACH ROW WHEN (((old.used_at IS NULL) AND (old.revoked_at IS NULL) AND ((new.used_at IS NOT NULL) OR (new.revoked_at IS NOT NULL)) AND (NOT is_restoring()))) EXECUTE FUNCTION record_end('invite');
CREATE TRIGGER invites_record_erasure AFTER DELETE ON invites FOR EACH ROW WHEN (((old.used_at IS NULL) AND (old.revoked_at IS NULL) AND (old.expires_at > now()))) EXECUTE FUNCTION record_invite_erasure();
ALTER TABLE ONLY invites
    ADD CONSTRAINT invites_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY invites
    ADD CONSTRAINT invites_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE ONLY invites
    ADD CONSTRAINT invites_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id) ON DELETE SET NULL;

CREATE TABLE job_leases (
    name text NOT NULL,
    holder uuid NOT NULL,
    held_until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY job_leases
    ADD CONSTRAINT job_leases_pkey PRIMARY KEY (name);

CREATE TABLE journal_steps (
    epoch bigint NOT NULL,
    token text NOT NULL,
    content text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    is_written boolean DEFAULT false NOT NULL,
    adopted_by bigint,
    gone_at timestamp with time zone
);
ALTER TABLE ONLY journal_steps
    ADD CONSTRAINT journal_steps_pkey PRIMARY KEY (epoch, token);

CREATE TABLE message_ceiling (
    the_only boolean DEFAULT true NOT NULL,
    CONSTRAINT message_ceiling_the_only_check CHECK (the_only)
);
ALTER TABLE ONLY message_ceiling
    ADD CONSTRAINT message_ceiling_pkey PRIMARY KEY (the_only);

CREATE TABLE message_parts (
    unit text NOT NULL,
    bucket timestamp with time zone NOT NULL,
    part text NOT NULL,
    calling_code integer NOT NULL,
    sent integer NOT NULL,
    CONSTRAINT message_parts_part_check CHECK ((part = ANY (ARRAY['stranger'::text, 'invitation'::text]))),
    CONSTRAINT message_parts_unit_check CHECK ((unit = ANY (ARRAY['second'::text, 'minute'::text])))
);
ALTER TABLE ONLY message_parts
    ADD CONSTRAINT message_parts_pkey PRIMARY KEY (unit, bucket, part, calling_code);

CREATE TABLE message_tally (
    unit text NOT NULL,
    bucket timestamp with time zone NOT NULL,
    sent integer NOT NULL,
    CONSTRAINT message_tally_unit_check CHECK ((unit = ANY (ARRAY['second'::text, 'minute'::text])))
);
ALTER TABLE ONLY message_tally
    ADD CONSTRAINT message_tally_pkey PRIMARY KEY (unit, bucket);

CREATE TABLE orphan_sightings (
    key text NOT NULL COLLATE pg_catalog."C",
    seen_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY orphan_sightings
    ADD CONSTRAINT orphan_sightings_pkey PRIMARY KEY (key);
CREATE INDEX orphan_sightings_seen_at ON orphan_sightings USING btree (seen_at);

CREATE TABLE outbox (
    id uuid NOT NULL,
    topic text NOT NULL,
    key text,
    user_id uuid,
    payload jsonb NOT NULL,
    lanes text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    keep_until timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    lease uuid,
    done_at timestamp with time zone
);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_key UNIQUE (topic, key);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
CREATE INDEX outbox_expires_at ON outbox USING btree (expires_at) WHERE (done_at IS NULL);
CREATE INDEX outbox_keep_until ON outbox USING btree (keep_until) WHERE (done_at IS NOT NULL);
CREATE INDEX outbox_lanes_due_at ON outbox USING btree (lanes, due_at) WHERE (done_at IS NULL);
CREATE INDEX outbox_partner_subject ON outbox USING btree (((payload #>> '{personal,subject}'::text[]))) WHERE ((topic = 'personal'::text) AND (key ~~ 'partner\_%'::text));
CREATE INDEX outbox_user_id ON outbox USING btree (user_id);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE photo_slots (
    group_id uuid NOT NULL,
    sender_id uuid NOT NULL,
    last_sent_on date
);
ALTER TABLE ONLY photo_slots
    ADD CONSTRAINT photo_slots_pkey PRIMARY KEY (group_id, sender_id);
CREATE INDEX photo_slots_sender_id ON photo_slots USING btree (sender_id);
ALTER TABLE ONLY photo_slots
    ADD CONSTRAINT photo_slots_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY photo_slots
    ADD CONSTRAINT photo_slots_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE photos (
    id uuid NOT NULL,
    group_id uuid NOT NULL,
    sender_id uuid NOT NULL,
    sent_on date NOT NULL,
    lease_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    removal_logged boolean DEFAULT false NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    thumbhash bytea NOT NULL,
    photo_key text NOT NULL,
    thumbnail_key text NOT NULL,
    fingerprint bytea,
    CONSTRAINT photos_height_check CHECK (((height >= 1) AND (height <= 2048))),
    CONSTRAINT photos_pending_or_live CHECK (((lease_until IS NULL) <> (expires_at IS NULL))),
    CONSTRAINT photos_thumbhash_check CHECK ((octet_length(thumbhash) <= 25)),
    CONSTRAINT photos_width_check CHECK (((width >= 1) AND (width <= 2048)))
);
ALTER TABLE ONLY photos
    ADD CONSTRAINT photos_one_per_day UNIQUE (group_id, sender_id, sent_on);
ALTER TABLE ONLY photos
    ADD CONSTRAINT photos_pkey PRIMARY KEY (id);
CREATE INDEX photos_expires_at ON photos USING btree (expires_at);
CREATE INDEX photos_lease_until ON photos USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX photos_sender_id ON photos USING btree (sender_id);
CREATE TRIGGER photos_forget_objects AFTER DELETE ON photos FOR EACH ROW WHEN (((old.expires_at IS NULL) OR (old.expires_at > now()))) EXECUTE FUNCTION forget_photo_objects();
CREATE TRIGGER photos_log_change BEFORE UPDATE ON photos FOR EACH ROW WHEN ((((old.expires_at IS NULL) AND (new.expires_at IS NOT NULL)) OR ((old.expires_at IS NOT NULL) AND (new.expires_at <= now()) AND (NOT old.removal_logged)))) EXECUTE FUNCTION log_photo_change();
CREATE TRIGGER photos_log_removal AFTER DELETE ON photos FOR EACH ROW WHEN (((old.expires_at IS NOT NULL) AND (NOT old.removal_logged))) EXECUTE FUNCTION log_photo_change();
CREATE TRIGGER photos_record_early_end AFTER UPDATE OF expires_at ON photos FOR EACH ROW WHEN ((new.expires_at < old.expires_at)) EXECUTE FUNCTION record_erasure('photo');
CREATE TRIGGER photos_record_erasure AFTER DELETE ON photos FOR EACH ROW WHEN ((old.expires_at > now())) EXECUTE FUNCTION record_erasure('photo');
ALTER TABLE ONLY photos
    ADD CONSTRAINT photos_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY photos
    ADD CONSTRAINT photos_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE push_faults (
    platform text NOT NULL,
    reason text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY push_faults
    ADD CONSTRAINT push_faults_pkey PRIMARY KEY (platform);

CREATE TABLE rate_counters (
    scope text NOT NULL,
    subject bytea NOT NULL,
    used integer NOT NULL,
    window_ends_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY rate_counters
    ADD CONSTRAINT rate_counters_pkey PRIMARY KEY (scope, subject);
CREATE INDEX rate_counters_window_ends_at ON rate_counters USING btree (window_ends_at);

CREATE TABLE restore_guard (
    the_only boolean DEFAULT true NOT NULL,
    database_id uuid DEFAULT gen_random_uuid() NOT NULL,
    epoch bigint DEFAULT 0 NOT NULL,
    marked_epoch bigint DEFAULT 0 NOT NULL,
    beat_at timestamp with time zone DEFAULT now() NOT NULL,
    hole_at timestamp with time zone,
    tidied_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    CONSTRAINT restore_guard_the_only_check CHECK (the_only)
);
ALTER TABLE ONLY restore_guard
    ADD CONSTRAINT restore_guard_pkey PRIMARY KEY (the_only);

CREATE TABLE restore_progress (
    run text NOT NULL,
    part text NOT NULL,
    last uuid NOT NULL,
    changed bigint NOT NULL
);
ALTER TABLE ONLY restore_progress
    ADD CONSTRAINT restore_progress_pkey PRIMARY KEY (run, part);

CREATE TABLE secret_check (
    the_only boolean DEFAULT true NOT NULL,
    code bytea NOT NULL,
    CONSTRAINT secret_check_the_only_check CHECK (the_only)
);
ALTER TABLE ONLY secret_check
    ADD CONSTRAINT secret_check_pkey PRIMARY KEY (the_only);

CREATE TABLE sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    device_name text,
    refresh_nonce bytea NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    rotated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
CREATE INDEX sessions_ended_at ON sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at);
CREATE INDEX sessions_user_id ON sessions USING btree (user_id);
CREATE TRIGGER sessions_forget_devices AFTER UPDATE OF ended_at ON sessions FOR EACH ROW WHEN ((new.ended_at IS NOT NULL)) EXECUTE FUNCTION forget_session_devices();
CREATE TRIGGER sessions_record_end AFTER UPDATE OF ended_at ON sessions FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL) AND (NOT is_restoring()))) EXECUTE FUNCTION record_end('session');
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE sms_opt_outs (
    number_hmac bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY sms_opt_outs
    ADD CONSTRAINT sms_opt_outs_pkey PRIMARY KEY (number_hmac);
CREATE TRIGGER sms_opt_outs_record AFTER INSERT ON sms_opt_outs FOR EACH ROW EXECUTE FUNCTION record_stop('stop');
CREATE TRIGGER sms_opt_outs_record_end AFTER DELETE ON sms_opt_outs FOR EACH ROW EXECUTE FUNCTION record_stop('allow');

CREATE TABLE stored_objects (
    key text NOT NULL COLLATE pg_catalog."C",
    photo_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    delete_after timestamp with time zone NOT NULL,
    passes smallint DEFAULT 1 NOT NULL,
    deleted_once boolean DEFAULT false NOT NULL,
    claimed_by uuid,
    claimed_until timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='40');
ALTER TABLE ONLY stored_objects
    ADD CONSTRAINT stored_objects_pkey PRIMARY KEY (key);
CREATE INDEX stored_objects_created_at ON stored_objects USING btree (created_at);
CREATE INDEX stored_objects_delete_after ON stored_objects USING btree (delete_after);
CREATE INDEX stored_objects_photo_id ON stored_objects USING btree (photo_id);

CREATE TABLE upload_keys (
    group_id uuid NOT NULL,
    sender_id uuid NOT NULL,
    key text NOT NULL,
    photo_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT upload_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 64)))
);
ALTER TABLE ONLY upload_keys
    ADD CONSTRAINT upload_keys_pkey PRIMARY KEY (group_id, sender_id, key);
CREATE INDEX upload_keys_created_at ON upload_keys USING btree (created_at);
CREATE INDEX upload_keys_sender_id ON upload_keys USING btree (sender_id);
ALTER TABLE ONLY upload_keys
    ADD CONSTRAINT upload_keys_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY upload_keys
    ADD CONSTRAINT upload_keys_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE users (
    id uuid NOT NULL,
    phone_number text NOT NULL,
    first_name text,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    time_zone_changed_at timestamp with time zone,
    quiet_from text,
    quiet_to text,
    discoverable boolean DEFAULT true NOT NULL,
    last_active_on date,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT users_first_name_length CHECK (((char_length(first_name) >= 1) AND (char_length(first_name) <= 50))),
    CONSTRAINT users_phone_number_is_e164 CHECK ((phone_number ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT users_quiet_hours CHECK ((((quiet_from IS NULL) = (quiet_to IS NULL)) AND (quiet_from <> quiet_to) AND (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text) AND (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text)))
);
ALTER TABLE ONLY users
    ADD CONSTRAINT users_phone_number_key UNIQUE (phone_number);
ALTER TABLE ONLY users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX users_last_active_on ON users USING btree (COALESCE(last_active_on, ((created_at AT TIME ZONE 'UTC'::text))::date));
CREATE TRIGGER users_record_erasure AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION record_erasure('user');

CREATE TABLE verifications (
    id uuid NOT NULL,
    phone_number text NOT NULL,
    code_hmac bytea NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    send_id bigint,
    is_trusted boolean DEFAULT false NOT NULL,
    is_review boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);
ALTER TABLE ONLY verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (id);
CREATE INDEX verifications_expires_at ON verifications USING btree (expires_at);
CREATE INDEX verifications_phone_number ON verifications USING btree (phone_number);

CREATE TABLE verified_addresses (
    number bytea NOT NULL,
    address bytea NOT NULL,
    verified_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY verified_addresses
    ADD CONSTRAINT verified_addresses_pkey PRIMARY KEY (number, address);
CREATE INDEX verified_addresses_verified_at ON verified_addresses USING btree (verified_at);

CREATE FUNCTION companion_entry_id(at timestamp with time zone, ordinal integer) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN ((((lpad(to_hex(((EXTRACT(epoch FROM at) * (1000)::numeric))::bigint), 12, '0'::text) || '7'::text) || lpad(to_hex((ordinal % 4096)), 3, '0'::text)) || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 17)))::uuid;

CREATE FUNCTION companion_ledger_id(at timestamp with time zone, number bigint) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN (((((lpad(to_hex(((EXTRACT(epoch FROM at) * (1000)::numeric))::bigint), 12, '0'::text) || '7'::text) || lpad(to_hex(((number >> 14) & (4095)::bigint)), 3, '0'::text)) || to_hex(((number & (16383)::bigint) + 32768))) || "right"((gen_random_uuid())::text, 12)))::uuid;

CREATE FUNCTION companion_missed(day_end timestamp with time zone) RETURNS interval
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT COALESCE(sum((LEAST(gap.ends_at, companion_missed.day_end) - GREATEST(gap.begins_at, (companion_missed.day_end - '24:00:00'::interval)))), '00:00:00'::interval) AS "coalesce" FROM (SELECT companion_gaps.begins_at, companion_gaps.ends_at FROM companion_gaps UNION ALL SELECT companion_beats.at, now() AS now FROM companion_beats WHERE (companion_beats.at < (now() - '00:10:00'::interval))) gap WHERE ((gap.begins_at < companion_missed.day_end) AND (gap.ends_at > (companion_missed.day_end - '24:00:00'::interval))));

CREATE FUNCTION end_of_clock_gap(wanted timestamp without time zone, zone text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (WITH RECURSIVE search(before, reached) AS (SELECT ((end_of_clock_gap.wanted AT TIME ZONE zone_named(end_of_clock_gap.zone)) - '1 day'::interval) AS "?column?", (end_of_clock_gap.wanted AT TIME ZONE zone_named(end_of_clock_gap.zone)) AS timezone UNION ALL SELECT CASE WHEN comparison.is_before THEN halving.middle ELSE search_1.before END AS before, CASE WHEN comparison.is_before THEN search_1.reached ELSE halving.middle END AS middle FROM ((search search_1 CROSS JOIN LATERAL (SELECT date_trunc('second'::text, (search_1.before + ((search_1.reached - search_1.before) / (2)::double precision))) AS middle) halving) CROSS JOIN LATERAL (SELECT ((halving.middle AT TIME ZONE zone_named(end_of_clock_gap.zone)) < end_of_clock_gap.wanted) AS is_before) comparison) WHERE ((search_1.reached - search_1.before) > '00:00:01'::interval)) SELECT min(search.reached) AS min FROM search);

CREATE FUNCTION end_of_local_day(day date, zone text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN is_plain_midnight(((day + 1))::timestamp without time zone, zone_named(zone)) THEN (((day + 1))::timestamp without time zone AT TIME ZONE zone_named(zone)) ELSE search_end_of_local_day(day, zone) END;

CREATE FUNCTION erasure_digest(kind text, name text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN sha256(convert_to(((kind || ' '::text) || name), 'UTF8'::name));

CREATE FUNCTION event_partition(at timestamp with time zone) RETURNS smallint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (((floor((EXTRACT(epoch FROM at) / (86400)::numeric)))::bigint % (6)::bigint))::smallint;

CREATE FUNCTION focus_closes_at(week date) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((week + 7) + '17:00:00'::time without time zone) AT TIME ZONE 'UTC'::text);

CREATE FUNCTION focus_feed_id(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN (((lpad(to_hex(((EXTRACT(epoch FROM date_trunc('hour'::text, at, 'UTC'::text)) * (1000)::numeric))::bigint), 12, '0'::text) || '7'::text) || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 14)))::uuid;

CREATE FUNCTION focus_profile_digest(user_id uuid, joined_at timestamp with time zone) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN erasure_digest('focus'::text, (((user_id)::text || ' '::text) || (((EXTRACT(epoch FROM joined_at) * (1000000)::numeric))::bigint)::text));

CREATE FUNCTION focus_reminder_at(kind text, day date, zone text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE kind WHEN 'results'::text THEN GREATEST(local_instant(day, '17:00:00'::time without time zone, zone), ((day + '17:00:00'::time without time zone) AT TIME ZONE 'UTC'::text)) WHEN 'review'::text THEN local_instant(day, '09:00:00'::time without time zone, zone) WHEN 'morning'::text THEN local_instant(day, '19:00:00'::time without time zone, zone) WHEN 'partner_prompt'::text THEN local_instant(day, '17:00:00'::time without time zone, zone) ELSE NULL::timestamp with time zone END;

CREATE FUNCTION focus_reminder_day(kind text, first date) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE kind WHEN 'results'::text THEN (first + ((8 - (EXTRACT(isodow FROM first))::integer) % 7)) WHEN 'partner_prompt'::text THEN (first + LEAST(((9 - (EXTRACT(isodow FROM first))::integer) % 7), ((12 - (EXTRACT(isodow FROM first))::integer) % 7))) ELSE first END;

CREATE FUNCTION forget_companion_messages() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM outbox
    WHERE user_id = OLD.user_id AND topic = 'personal' AND key LIKE 'companion\_%';
    DELETE FROM idempotency_keys WHERE user_id = OLD.user_id AND path LIKE '/v1/companion/%';
    RETURN NULL;
END
$$;

CREATE FUNCTION forget_focus_messages() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM outbox
    WHERE topic = 'personal' AND key LIKE 'partner\_%' AND payload #>> '{personal,subject}' = OLD.user_id::text;
    DELETE FROM outbox
    WHERE user_id = OLD.user_id AND topic = 'personal' AND key NOT LIKE 'companion\_%';
    DELETE FROM idempotency_keys WHERE user_id = OLD.user_id AND path LIKE '/v1/focus/%';
    RETURN NULL;
END
$$;

CREATE FUNCTION forget_photo_objects() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE stored_objects
    SET delete_after = LEAST(delete_after, now()),
        passes = CASE WHEN OLD.lease_until IS NULL THEN passes ELSE 2 END
    WHERE photo_id = OLD.id;
    RETURN NULL;
END
$$;

CREATE FUNCTION forget_session_devices() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM devices WHERE session_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE FUNCTION free_focus_seat() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE focus_leagues SET seats = seats - 1, has_room = true
    WHERE week = OLD.week AND tier = OLD.tier AND number = OLD.number AND closed_at IS NULL;
    RETURN NULL;
END
$$;

CREATE FUNCTION is_plain_midnight(midnight timestamp without time zone, zone text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((((midnight AT TIME ZONE zone) AT TIME ZONE zone) = midnight) AND ((((midnight AT TIME ZONE zone) - '03:00:00'::interval) AT TIME ZONE zone) = (midnight - '03:00:00'::interval)));

CREATE FUNCTION is_restoring() RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (COALESCE(current_setting('dayly.is_restoring'::text, true), ''::text) = 'on'::text);

CREATE FUNCTION local_day(at timestamp with time zone, zone text) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((at AT TIME ZONE zone_named(zone)))::date;

CREATE FUNCTION local_instant(day date, at time without time zone, zone text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT COALESCE(min(tried.instant) FILTER (WHERE ((tried.instant AT TIME ZONE zone_named(local_instant.zone)) = wanted."time")), end_of_clock_gap(wanted."time", local_instant.zone)) AS "coalesce" FROM (((SELECT (local_instant.day + local_instant.at) AS "time") wanted CROSS JOIN LATERAL (SELECT (wanted."time" AT TIME ZONE zone_named(local_instant.zone)) AS instant) shown) CROSS JOIN LATERAL (SELECT shown.instant UNION ALL SELECT ((wanted."time" - ((near.near AT TIME ZONE zone_named(local_instant.zone)) - (near.near AT TIME ZONE 'UTC'::text))) AT TIME ZONE 'UTC'::text) AS timezone FROM unnest(ARRAY[(shown.instant - '1 day'::interval), (shown.instant + '1 day'::interval)]) near(near)) tried(instant)) GROUP BY wanted."time");

CREATE FUNCTION log_photo_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        -- If the group is deleted too, nothing is written, because there is no row to take a number from.
        PERFORM log_photo_event(OLD.group_id, OLD.id, 'photo_removed');
        RETURN NULL;
    ELSIF OLD.expires_at IS NULL THEN
        PERFORM log_photo_event(NEW.group_id, NEW.id, 'photo_added');
    ELSE
        PERFORM log_photo_event(NEW.group_id, NEW.id, 'photo_removed');
        NEW.removal_logged := true;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION log_photo_event(of_group uuid, photo uuid, event text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH numbered AS (
        UPDATE groups g SET last_event = g.last_event + 1, last_event_at = clock_timestamp()
        FROM (SELECT id, last_event_at FROM groups WHERE id = of_group FOR NO KEY UPDATE) AS before
        WHERE g.id = before.id
        RETURNING g.last_event, g.last_event_at, before.last_event_at AS previous_at
    )
    INSERT INTO group_events (group_id, number, kind, photo_id, at, previous_at)
    SELECT of_group, last_event, event, photo, last_event_at, ARRAY[previous_at] FROM numbered;
END
$$;

CREATE FUNCTION make_focus_partitions(first date, last date) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    made integer := 0;
    parts record;
BEGIN
    -- Two processes may need the same partition at once.
    PERFORM pg_advisory_xact_lock(7305800911027306543);
    FOR parts IN
        SELECT 'focus_event_days' AS parent, d::date AS begins, d::date + 1 AS ends,
            'focus_event_days_' || to_char(d, 'YYYYMMDD') AS name
        FROM generate_series(first::timestamp, last::timestamp, interval '1 day') d
        UNION ALL
        SELECT 'focus_days', d::date, (d + interval '1 month')::date, 'focus_days_' || to_char(d, 'YYYYMM')
        FROM generate_series(date_trunc('month', first::timestamp), last::timestamp, interval '1 month') d
        UNION ALL
        SELECT 'focus_weeks', d::date, d::date + 7, 'focus_weeks_' || to_char(d, 'YYYYMMDD')
        FROM generate_series(date_trunc('week', first::timestamp), last::timestamp, interval '1 week') d
    LOOP
        IF to_regclass(quote_ident(parts.name)) IS NULL THEN
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                parts.name, parts.parent, parts.begins, parts.ends);
            -- A row grows with every sync and is updated in place.
            EXECUTE format('ALTER TABLE %I SET (fillfactor = 70)', parts.name);
            made := made + 1;
        END IF;
    END LOOP;
    RETURN made;
END
$$;

CREATE FUNCTION membership_digest(group_id uuid, user_id uuid, joined_at timestamp with time zone) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN erasure_digest('member'::text, (((((group_id)::text || ' '::text) || (user_id)::text) || ' '::text) || (((EXTRACT(epoch FROM joined_at) * (1000000)::numeric))::bigint)::text));

CREATE FUNCTION newest_moments(moments timestamp with time zone[]) RETURNS timestamp with time zone[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (moments)[GREATEST((cardinality(moments) - 31), 1):];

CREATE FUNCTION quiet_until(at timestamp with time zone, zone text, quiet_from text, quiet_to text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT CASE WHEN (((clock.begins < clock.ends) AND ((clock.here)::time without time zone >= clock.begins) AND ((clock.here)::time without time zone < clock.ends)) OR ((clock.begins > clock.ends) AND (((clock.here)::time without time zone >= clock.begins) OR ((clock.here)::time without time zone < clock.ends)))) THEN GREATEST(((((clock.here)::date + CASE WHEN ((clock.here)::time without time zone < clock.ends) THEN 0 ELSE 1 END) + clock.ends) AT TIME ZONE zone_named(quiet_until.zone)), (quiet_until.at + '00:00:01'::interval)) ELSE NULL::timestamp with time zone END AS "case" FROM (SELECT (quiet_until.at AT TIME ZONE zone_named(quiet_until.zone)) AS here, (quiet_until.quiet_from)::time without time zone AS begins, (quiet_until.quiet_to)::time without time zone AS ends) clock);

CREATE FUNCTION record_block() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO erasures (kind, subject, payload)
        VALUES ('unblock', erasure_digest('user', OLD.blocker_id::text), OLD.number_hmac);
    ELSE
        INSERT INTO erasures (kind, subject, payload)
        VALUES ('block', erasure_digest('user', NEW.blocker_id::text), NEW.number_hmac);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION record_companion_leaving() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF EXISTS (SELECT FROM users WHERE id = OLD.user_id) THEN
        INSERT INTO erasures (kind, subject) VALUES ('companion', erasure_digest('companion', OLD.joining::text));
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION record_end() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO erasures (kind, subject) VALUES (TG_ARGV[0], erasure_digest(TG_ARGV[0], OLD.id::text));
    RETURN NULL;
END
$$;

CREATE FUNCTION record_erasure() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO erasures (kind, subject) VALUES (TG_ARGV[0], erasure_digest(TG_ARGV[0], OLD.id::text));
    RETURN NULL;
END
$$;

CREATE FUNCTION record_focus_leaving() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF EXISTS (SELECT FROM users WHERE id = OLD.user_id) THEN
        INSERT INTO erasures (kind, subject) VALUES ('focus', focus_profile_digest(OLD.user_id, OLD.joined_at));
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION record_invite_erasure() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF EXISTS (SELECT FROM groups WHERE id = OLD.group_id) THEN
        INSERT INTO erasures (kind, subject) VALUES ('invite', erasure_digest('invite', OLD.id::text));
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION record_membership_end() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF EXISTS (SELECT FROM groups WHERE id = OLD.group_id) THEN
        INSERT INTO erasures (kind, subject)
        VALUES ('member', membership_digest(OLD.group_id, OLD.user_id, OLD.joined_at));
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION record_stop() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO erasures (kind, payload)
    VALUES (TG_ARGV[0], CASE WHEN TG_OP = 'DELETE' THEN OLD.number_hmac ELSE NEW.number_hmac END);
    RETURN NULL;
END
$$;

CREATE FUNCTION search_end_of_local_day(day date, zone text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT min(candidates.candidate) AS min FROM (SELECT ((((search_end_of_local_day.day + 1))::timestamp without time zone AT TIME ZONE zone_named(search_end_of_local_day.zone)) - ((step.step)::double precision * '00:15:00'::interval)) AS candidate FROM generate_series(0, 12) step(step)) candidates WHERE (local_day(candidates.candidate, search_end_of_local_day.zone) > search_end_of_local_day.day));

CREATE FUNCTION signal_group_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE INFO USING
        ERRCODE = 'DY001',
        MESSAGE = 'dayly_group_events ' || NEW.group_id || ' ' || NEW.number
            || CASE NEW.kind WHEN 'member_joined' THEN ' +' ELSE '' END;
    RETURN NULL;
END
$$;

CREATE FUNCTION zone_named(zone text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE zone WHEN 'CET'::text THEN 'Europe/Brussels'::text WHEN 'MET'::text THEN 'Europe/Brussels'::text WHEN 'EET'::text THEN 'Europe/Athens'::text WHEN 'WET'::text THEN 'Europe/Lisbon'::text ELSE zone END;
