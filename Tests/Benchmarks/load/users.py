"""The users of the bench: their sessions, groups and photos, and their rows in the database."""

import subprocess
import sys
import uuid

from png import png
from servers import Database
from sign_in import sign_in

USERS = 96
GROUP_SIZE = 8
UPLOAD_GROUPS = 40


class People:
    """Users who are signed in, and their groups."""

    def __init__(self, service, options):
        self.service = service
        self.options = options
        self.database = Database(options.database)
        self.resets = 0

    def sql(self, text):
        """Shows the errors of psql, which `Database.run` leaves out."""
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", self.options.database], input=text.encode(),
                       check=True, stdout=subprocess.DEVNULL)

    def sign_in(self):
        self.users = []
        with open(self.service.log, errors="replace") as log:
            for index in range(USERS):
                number = f"+4915112{index:06}"
                session = sign_in(self.service, log, number, first_name=f"U{index}")
                self.users.append((session["user"]["id"], session["access_token"]))

    def make_groups(self):
        """Groups of eight with eight photos each; and for each user forty groups to send to."""
        rows, self.groups, self.pairs = [], [], []
        for index, (user, _) in enumerate(self.users):
            if index % GROUP_SIZE == 0:
                self.groups.append(str(uuid.uuid4()))
                rows.append(f"INSERT INTO groups (id, name) VALUES ('{self.groups[-1]}', 'Breakfast');")
            rows.append(f"INSERT INTO group_members (group_id, user_id) VALUES ('{self.groups[-1]}', '{user}');")
        for _ in range(UPLOAD_GROUPS):
            for index, (user, _) in enumerate(self.users):
                group = str(uuid.uuid4())
                rows.append(f"INSERT INTO groups (id, name) VALUES ('{group}', 'Mine');"
                            f"INSERT INTO group_members (group_id, user_id) VALUES ('{group}', '{user}');")
                self.pairs.append((index, group))
        self.sql("BEGIN;" + "\n".join(rows) + "COMMIT; ANALYZE;")
        picture = png()
        for index, (_, token) in enumerate(self.users):
            group = self.groups[index // GROUP_SIZE]
            answer = self.service.call("POST", f"/v1/groups/{group}/photos", token, picture, "image/png")
            if answer.status != 201:
                sys.exit(f"cannot send a photo: {answer.status} {answer.body[:200]}")

    def new_day(self):
        """As if everybody's photos were of an earlier day."""
        self.resets += 1
        self.sql(f"""UPDATE photos SET sent_on = sent_on - {1000 + self.resets} WHERE sent_on > current_date - 5;
                     UPDATE photo_slots SET last_sent_on = last_sent_on - {1000 + self.resets}
                     WHERE last_sent_on > current_date - 5;""")

    def statements(self):
        """How many statements clients have sent so far, BEGIN and COMMIT included."""
        return int(self.database.value("SELECT sum(calls) FROM pg_stat_statements"))

    def notify(self, count):
        """A device for each user, and so many messages to them about today's photos of others, due in an hour."""
        self.sql(f"""CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
            UPDATE photos SET sent_on = current_date, expires_at = now() + interval '1 day'
            WHERE id IN (SELECT DISTINCT ON (group_id, sender_id) id FROM photos
                         WHERE expires_at > now() ORDER BY group_id, sender_id, created_at DESC);
            INSERT INTO devices (id, digest, token, platform, user_id, session_id)
            SELECT gen_random_uuid(), sha256(s.id::text::bytea), replace(s.id::text, '-', ''), 'android', s.user_id,
                   s.id
            FROM sessions s WHERE s.ended_at IS NULL;
            INSERT INTO outbox (id, topic, key, user_id, payload, due_at, expires_at, keep_until, lanes)
            SELECT gen_random_uuid(), 'notice', 'bench ' || n, pair.reader,
                   jsonb_build_object('kind', 'photo', 'group', pair.group_id, 'subject', pair.photo,
                       'day', current_date::text, 'finishedDevices', '[]'::jsonb, 'isDelivered', false, 'isLate', false),
                   now() + interval '1 hour', now() + interval '12 hours', now() + interval '12 hours', '{{android}}'
            FROM (SELECT m.user_id AS reader, p.group_id, p.id AS photo,
                         row_number() OVER () AS place, count(*) OVER () AS places
                  FROM photos p JOIN group_members m ON m.group_id = p.group_id AND m.user_id <> p.sender_id
                  WHERE p.expires_at > now() AND p.lease_until IS NULL) AS pair
            JOIN generate_series(1, {count}) AS n ON n % pair.places = pair.place - 1;""")
