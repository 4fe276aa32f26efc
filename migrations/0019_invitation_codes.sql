-- dayly: breaking
-- An older program names the constraint that goes when it makes an invitation.

-- An invitation's code need only differ from the others of its number: it is looked up by both. Unique in all, the codes
-- would run out: there are 2^30 of them, and each is kept for 37 days.
-- Written by Sources/Features/Groups only.
ALTER TABLE invites ADD CONSTRAINT invites_number_and_code UNIQUE (phone_number, code);
ALTER TABLE invites DROP CONSTRAINT invites_code_key;

-- The index of the new constraint serves look-ups by number too.
DROP INDEX invites_phone_number;
