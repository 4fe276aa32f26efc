"""Prints the schema of a migrated database for a reader: a table of the triggers, then each table with its own parts.

usage: schema.py URL
"""

import re
import subprocess
import sys

# The effect of each trigger beyond the statement that sets it off. The program ends with 1 when this list and the database
# disagree. `writes` and `locks` name tables; `notifies` names the receiver of a signal.
EFFECTS = {
    "blocks_record": {
        "writes": "erasures: the block or its end, for the journal",
    },
    "companion_settings_forget_messages": {
        "writes": "outbox, idempotency_keys: deletes the user's messages about Companion, and the keys of its calls",
    },
    "companion_settings_record_erasure": {
        "writes": "erasures: the user has left Companion, for the journal",
    },
    "group_events_signal": {
        "notifies": "the client that runs the transaction (INFO, DY001); it sends one NOTIFY after the commit",
    },
    "group_members_record_end": {
        "writes": "erasures: the end of the membership, unless the whole group goes",
    },
    "groups_record_erasure": {
        "writes": "erasures: the group's deletion, for the journal",
    },
    "invites_record_end": {
        "writes": "erasures: the invitation was used or revoked; nothing while a restore ends all of them",
    },
    "focus_profiles_forget_messages": {
        "writes": "outbox, idempotency_keys: deletes the messages to and about the user in Focus, and the keys of its calls",
    },
    "focus_profiles_record_erasure": {
        "writes": "erasures: the user has left Focus, for the journal",
    },
    "focus_seats_free": {
        "writes": "focus_leagues: a seat less, and room for another user, while the league is open",
        "locks": "focus_leagues: the seat's league",
    },
    "invites_record_erasure": {
        "writes": "erasures: an open invitation was deleted, unless the whole group goes",
    },
    "photos_forget_objects": {
        "writes": "stored_objects: the photo's objects become due for deletion now",
        "locks": "stored_objects: the photo's rows",
    },
    "photos_log_change": {
        "writes": "groups, group_events: photo_added or photo_removed; photos.removal_logged in the same row",
        "locks": "groups: the photo's group",
        "notifies": "through group_events_signal",
    },
    "photos_log_removal": {
        "writes": "groups, group_events: photo_removed, unless the whole group goes",
        "locks": "groups: the photo's group",
        "notifies": "through group_events_signal",
    },
    "photos_record_early_end": {
        "writes": "erasures: the photo ended before its time, for the journal",
    },
    "photos_record_erasure": {
        "writes": "erasures: the photo was deleted before its time, for the journal",
    },
    "sessions_forget_devices": {
        "writes": "devices: deletes those of the session",
        "locks": "devices: those of the session",
    },
    "sessions_record_end": {
        "writes": "erasures: the end of the session; nothing while a restore ends all of them",
    },
    "sms_opt_outs_record": {
        "writes": "erasures: the STOP, for the journal",
    },
    "sms_opt_outs_record_end": {
        "writes": "erasures: the end of the STOP, for the journal",
    },
    "users_record_erasure": {
        "writes": "erasures: the account's deletion, for the journal",
    },
}

TRIGGERS = """
    SELECT c.relname, t.tgname, pg_get_triggerdef(t.oid)
    FROM pg_trigger t
    JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    ORDER BY c.relname COLLATE "C", t.tgname COLLATE "C"
"""

CASCADES = """
    SELECT p.relname, string_agg(DISTINCT c.relname::text, ', ' ORDER BY c.relname::text)
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_class p ON p.oid = k.confrelid
    WHERE k.contype = 'f' AND k.confdeltype = 'c' AND NOT c.relispartition AND NOT p.relispartition
    GROUP BY p.relname
    ORDER BY p.relname COLLATE "C"
"""

HEAD = """\
-- The schema that the migrations in this folder make together. scripts/schema writes this file from a migrated database,
-- and a test compares the two (SchemaTests). It is for reading: nothing runs it, and the migrator passes it over.
-- The partitions of group_events and the migrator's own table are left out.
--
-- Triggers. Each acts beyond the statement that sets it off. That statement carries the line
-- "// Triggers: <names> (migrations/schema.sql)" in the Swift code.
--"""


def query(url, statement):
    output = subprocess.run(
        ["psql", "--no-psqlrc", "--tuples-only", "--no-align", "--field-separator=\x1f", "--record-separator=\x1e",
         "--command", statement, url],
        check=True, capture_output=True, text=True).stdout
    return [record.strip("\n").split("\x1f") for record in output.split("\x1e") if record.strip()]


def trigger_table(url):
    rows = query(url, TRIGGERS)
    names = {name for _, name, _ in rows}
    for name in sorted(names - EFFECTS.keys()):
        sys.exit(f"schema.py: say in EFFECTS what the trigger {name} does")
    for name in sorted(EFFECTS.keys() - names):
        sys.exit(f"schema.py: EFFECTS describes {name}, which is not a trigger of this schema")
    lines = []
    for table, name, definition in rows:
        event = re.search(r" (BEFORE|AFTER|INSTEAD OF) (.*?) ON ", definition)
        lines.append(f"-- {name}: {event[1]} {event[2]} ON {table}")
        lines += [f"--     {key + ':':<10}{EFFECTS[name][key]}"
                  for key in ("writes", "locks", "notifies") if key in EFFECTS[name]]
    return lines


def cascades(url):
    rows = query(url, CASCADES)
    width = max(len(table) for table, _ in rows)
    lines = ["--", "-- A DELETE removes the rows of these tables too, and sets their triggers off:"]
    return lines + [f"-- {table:<{width}}  {others}" for table, others in rows]


def sections(dump):
    """The dump's parts: (kind, table or own name, text)."""
    parts = re.split(r"(?m)^--\n-- Name: (.*?); Type: (.*?); Schema: .*\n--\n", dump)[1:]
    for name, kind, text in zip(parts[::3], parts[1::3], parts[2::3]):
        text = re.sub(r"(?m)^(SET |SELECT pg_catalog|--|\\(un)?restrict).*\n", "", text)
        text = re.sub(r"\bpublic\.", "", text).strip("\n")
        if kind == "INDEX":
            owner = re.search(r" ON (?:ONLY )?(\w+)", text)[1]
        else:
            owner = re.match(r"\w+", name)[0]
        yield kind, owner, re.sub(r"\n{2,}", "\n", text)


def body(url):
    dump = subprocess.run(
        ["pg_dump", "--schema-only", "--no-owner", "--no-privileges", "--exclude-table=schema_migrations",
         "--exclude-table=group_events_[0-9]", url],
        check=True, capture_output=True, text=True).stdout
    tables, functions, others = {}, [], []
    for kind, owner, text in sections(dump):
        if kind == "FUNCTION":
            functions.append(text)
        elif kind == "TABLE":
            tables.setdefault(owner, []).insert(0, text)
        elif kind in ("CONSTRAINT", "FK CONSTRAINT", "INDEX", "TRIGGER", "DEFAULT", "SEQUENCE"):
            tables.setdefault(owner, []).append(text)
        else:
            others.append(text)
    blocks = [text for text in others if text]
    blocks += ["\n".join(tables[name]) for name in sorted(tables)]
    return blocks + sorted(functions)


def main():
    url = sys.argv[1]
    print("\n".join([HEAD] + trigger_table(url) + cascades(url)))
    for block in body(url):
        print(f"\n{block}")


main()
