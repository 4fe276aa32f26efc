"""A database of one size, and the service that runs on it."""

import os
import random
import subprocess
import sys
import time
from typing import NamedTuple

from ports import free_port
from servers import Database, Server
from service_process import settings_environment
from sign_in import sign_in

# Members who may send a photo now.
PEOPLE = """
SELECT u.phone_number, m.group_id
FROM unnest(ARRAY[{numbers}]) AS number
JOIN users u ON u.phone_number = '+491511' || lpad(number::text, 7, '0')
JOIN LATERAL (
    SELECT group_id FROM photo_slots
    WHERE sender_id = u.id AND last_sent_on < local_day(now(), u.time_zone)
    ORDER BY group_id LIMIT 1
) AS m ON true
"""

# The oldest photos expire, as they would a little later. The groups' logs have it, or the sweep writes it to them.
EXPIRE = """
BEGIN;
SET LOCAL session_replication_role = replica;
CREATE TEMP TABLE due AS SELECT id FROM photos WHERE expires_at > now() ORDER BY expires_at LIMIT {count};
UPDATE photos SET expires_at = now(), removal_logged = {is_logged} WHERE id IN (SELECT id FROM due);
UPDATE stored_objects SET delete_after = now() WHERE photo_id IN (SELECT id FROM due);
COMMIT;
"""


class Person(NamedTuple):
    number: str
    group: str
    token: str


class Filled:
    def __init__(self, options, photos):
        self.options = options
        self.photos = photos
        self.name = f"scale_{photos}"
        url = options.database.rpartition("/")[0] + "/" + self.name
        subprocess.run(["psql", "-qX", "-c", f"CREATE DATABASE {self.name}", options.database], check=True)
        self.database = Database(url)
        self.environment = self.settings(url)
        self.dayly("migrate")
        began = time.monotonic()
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run(
            ["psql", "-qX", f"--set=photos={photos}", f"--file={here}/filling.sql", url], check=True,
            stdout=subprocess.DEVNULL)
        self.filling_seconds = time.monotonic() - began
        self.bytes = int(self.database.value(f"SELECT pg_database_size('{self.name}')"))
        # The first sweep finds what the migrations left.
        self.dayly("sweep", "--once")
        self.service = Server.dayly(self.name, options, self.environment)
        self.log = open(self.service.log, errors="replace")

    def settings(self, url):
        folder = os.path.join(self.options.folder, self.name)
        port = free_port()
        return settings_environment({
            "environment": "development", "data_dir": folder, "database.url": url,
            "database.migrations_path": self.options.migrations, "http.port": port,
            "http.public_url": f"http://127.0.0.1:{port}", "http.admin_port": free_port(),
            # Longer than the bench takes.
            "auth.access_token_lifetime": "1d", "limits.enforce_rates": "false", "sms.kind": "console",
            "storage.kind": "filesystem", "storage.path": os.path.join(folder, "objects"),
            # The bench sweeps. As little as possible runs beside its calls.
            "photos.sweep_interval": "4m", "audit.interval": "0s",
        })

    def dayly(self, *arguments):
        subprocess.run(
            ["taskset", "-c", str(self.options.cores[0]), os.path.join(self.options.products, "dayly"), *arguments],
            env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def people(self, count):
        """Random people, signed in. Where more are asked for than there are, all of them."""
        users = self.photos // 5
        # The fourth members of groups (filling.sql), whose last photos are more than a day old.
        groups = random.Random(1).sample(range(users // 8), min(count, users // 8))
        numbers = ", ".join(str((group * 8 + 3) * 7919 % users) for group in groups)
        rows = [row.split("|") for row in self.database.value(PEOPLE.format(numbers=numbers)).splitlines()]
        if len(rows) != len(groups):
            sys.exit(f"error: only {len(rows)} of {len(groups)} people may send a photo now")
        return [Person(number, group, self.sign_in(number)["access_token"]) for number, group in rows]

    def sign_in(self, number):
        return sign_in(self.service, self.log, number)

    def expire(self, count, is_logged):
        self.database.run(EXPIRE.format(count=count, is_logged=is_logged))

    def sweep(self):
        self.dayly("sweep", "--once")
