"""A database of users of Companion, and the service that runs on it."""

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


class Person(NamedTuple):
    id: str
    token: str


class World:
    def __init__(self, options, name, users, ended=False):
        self.options = options
        self.name = name
        self.users = users
        self.server = options.database.rpartition("/")[0]
        self.url = f"{self.server}/{name}"
        subprocess.run(["psql", "-qX", "-c", f"CREATE DATABASE {name}", options.database], check=True)
        self.database = Database(self.url)
        self.folder = os.path.join(options.folder, name)
        self.port = free_port()
        self.environment = settings_environment({
            "environment": "development", "data_dir": self.folder, "database.url": self.url,
            "database.migrations_path": options.migrations, "http.port": self.port, "features": "photos,companion",
            "http.public_url": f"http://127.0.0.1:{self.port}", "http.admin_port": free_port(),
            # Longer than the bench takes.
            "auth.access_token_lifetime": "1d", "limits.enforce_rates": "false", "sms.kind": "console",
            "storage.kind": "filesystem", "storage.path": os.path.join(self.folder, "objects"),
            "photos.sweep_interval": "4m", "audit.interval": "0s",
        })
        self.service = None
        self.dayly("migrate")
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run(
            ["psql", "-qX", f"--set=users={users}", f"--set=ended={int(ended)}", f"--file={here}/owners.sql", self.url],
            check=True, stdout=subprocess.DEVNULL)

    def dayly(self, *arguments):
        """Its output and wall time."""
        began = time.monotonic()
        done = subprocess.run(
            [os.path.join(self.options.products, "dayly"), *arguments], env=self.environment, text=True,
            stdout=subprocess.PIPE)
        if done.returncode != 0:
            sys.exit(f"error: dayly {' '.join(arguments)} ended with exit status {done.returncode}")
        return done.stdout, time.monotonic() - began

    def serve(self):
        self.service = Server.dayly(self.name, self.options, self.environment)

    def people(self, count):
        """Random people, signed in."""
        numbers = random.Random(1).sample(range(self.users), min(count, self.users))
        with open(self.service.log, errors="replace") as log:
            sessions = [sign_in(self.service, log, f"+491511{number:07}") for number in numbers]
        return [Person(session["user"]["id"], session["access_token"]) for session in sessions]

    def save(self):
        """A copy of the files, so that every run meets the same database."""
        self.copy(self.name, self.name + "_saved")

    def go_back(self):
        self.copy(self.name + "_saved", self.name)

    def copy(self, original, copy):
        for statement in (f"DROP DATABASE IF EXISTS {copy} WITH (FORCE)",
                          f"CREATE DATABASE {copy} TEMPLATE {original} STRATEGY file_copy", "CHECKPOINT"):
            subprocess.run(["psql", "-qX", "-c", statement, self.options.database], check=True)
