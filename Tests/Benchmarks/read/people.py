"""The users, groups and photos of the read bench."""

import concurrent.futures
import struct
import sys
import uuid
import zlib
from typing import NamedTuple

from sign_in import sign_in


# 20,000 other users in groups of eight: PostgreSQL plans for small tables in another way than for those of a service.
CROWD = """
CREATE TEMP TABLE crowd AS SELECT n, gen_random_uuid() AS id FROM generate_series(0, 19999) AS n;
CREATE TEMP TABLE circle AS SELECT n, gen_random_uuid() AS id FROM generate_series(0, 2499) AS n;
INSERT INTO users (id, phone_number, first_name, time_zone, last_active_on)
SELECT id, '+4916' || (100000000 + n), 'Name ' || n, 'Europe/Berlin', current_date FROM crowd;
INSERT INTO sessions (id, user_id, refresh_nonce, expires_at)
SELECT gen_random_uuid(), id, sha256(id::text::bytea), now() + interval '60 days' FROM crowd;
INSERT INTO groups (id, name) SELECT id, 'Supper' FROM circle;
INSERT INTO group_members (group_id, user_id)
SELECT circle.id, crowd.id FROM crowd JOIN circle ON circle.n = crowd.n / 8;
INSERT INTO photo_slots (group_id, sender_id, last_sent_on)
SELECT group_id, user_id, current_date - 1 FROM group_members;
"""


class User(NamedTuple):
    id: str
    token: str
    groups: list


def picture():
    """A PNG of 64 by 48 pixels."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + bytes((x * y + x) % 256 for x in range(64 * 3)) for y in range(48))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class People:
    """`eights`: 96 users in twelve groups of eight. `twelves`: 60 users, twelve at a time in the same five groups.

    Each user has sent a photo to each of their groups today.
    """

    def __init__(self, service, database):
        self.service = service
        database.run(CROWD)
        with open(service.log, errors="replace") as log:
            users = [self.sign_in(log, index) for index in range(96 + 60)]
        self.eights, self.twelves = users[:96], users[96:]
        rows = self.make_groups(self.eights, 8, 1) + self.make_groups(self.twelves, 12, 5)
        database.run("BEGIN;" + "\n".join(rows) + "COMMIT;")
        self.send_photos(users)
        database.run("VACUUM ANALYZE;")

    def sign_in(self, log, index):
        session = sign_in(
            self.service, log, f"+4915112{index:06}", first_name=f"Name {index}", time_zone="Europe/Berlin")
        return User(session["user"]["id"], session["access_token"], [])

    @staticmethod
    def make_groups(users, size, count):
        """Puts each `size` users into `count` groups of their own."""
        rows = []
        for start in range(0, len(users), size):
            for _ in range(count):
                group = str(uuid.uuid4())
                rows.append(f"INSERT INTO groups (id, name) VALUES ('{group}', 'Breakfast');")
                for user in users[start:start + size]:
                    user.groups.append(group)
                    rows.append(f"INSERT INTO group_members (group_id, user_id) VALUES ('{group}', '{user.id}');")
        return rows

    def send_photos(self, users):
        image = picture()

        def send(user):
            for group in user.groups:
                answer = self.service.call("POST", f"/v1/groups/{group}/photos", user.token, image, "image/png")
                if answer.status != 201:
                    sys.exit(f"error: cannot send a photo: {answer.status} {answer.body[:200]}")

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(send, users))
