"""Feeds pets by the service, and by pgbench with the statements that the service sends."""

import json
import os
import subprocess
import sys
import time

from transactions import ONCE, Transactions

CLIENTS = 8
SECONDS = 5
PATH = "/v1/companion/pet/feed"
MEAL = {"item_id": "dinner"}


class Feeds:
    def __init__(self, options, world, people):
        self.options = options
        self.world = world
        self.runs = 0
        self.tokens = os.path.join(options.folder, "people")
        with open(self.tokens, "w") as file:
            file.writelines(f"Bearer {person.token}\n" for person in people)
        self.transactions = Transactions(world.database, options.server_log, options)
        # The first call prepares statements and reads the catalogue.
        self.feed(people[-1], "first")
        self.transactions.record("feed", people[:CLIENTS], lambda person: self.feed(person, ONCE))

    def feed(self, person, key):
        answer = self.world.service.call("POST", PATH, person.token, MEAL, headers={"Idempotency-Key": key})
        if answer.status != 200:
            sys.exit(f"error: a feed is answered with {answer.status}: {answer.body[:200]}")

    def served(self):
        """Feeds a second."""
        self.runs += 1
        output = subprocess.run(
            ["taskset", "-c", str(self.options.cores[1]), "wrk", "-t1", f"-c{CLIENTS}", f"-d{SECONDS}s", "-s",
             os.path.join(os.path.dirname(os.path.abspath(__file__)), "feeds.lua"),
             f"http://127.0.0.1:{self.world.port}", "--", self.tokens, f"{time.time_ns()}-{self.runs}"],
            check=True, capture_output=True, text=True).stdout
        result = json.loads(output.splitlines()[-1])
        if result["strays"] or result["broken"] or not result["answered"]:
            sys.exit(f"error: feeds fail: {result}; see {self.world.service.log}")
        return result["answered"] / result["seconds"]

    def bare(self):
        """Runs of the same statements a second."""
        return self.transactions.rate("feed", SECONDS)
