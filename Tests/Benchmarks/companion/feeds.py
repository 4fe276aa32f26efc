"""Feeds pets by the service, and by pgbench with the statements that the service sends."""

import json
import os
import re
import subprocess
import sys
import time

CLIENTS = 8
SECONDS = 5


class Feeds:
    def __init__(self, options, world, people):
        self.options = options
        self.world = world
        self.people = people
        self.runs = 0
        self.tokens = os.path.join(options.folder, "people")
        with open(self.tokens, "w") as file:
            file.writelines(f"Bearer {person.token}\n" for person in people)
        self.scripts = list(self.written(self.recorded()))

    # The service

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

    # pgbench

    def bare(self):
        """Runs of the same statements a second."""
        files = [part for path in self.scripts for part in ("-f", path)]
        output = subprocess.run(
            ["taskset", "-c", str(self.options.cores[1]), "pgbench", "-n", "-M", "prepared", f"-c{CLIENTS}",
             f"-T{SECONDS}", *files, self.world.url],
            check=True, capture_output=True, text=True).stdout
        if int(re.search(r"number of failed transactions: (\d+)", output)[1]):
            sys.exit(f"error: statements of a feed fail in pgbench:\n{output}")
        return float(re.search(r"tps = ([0-9.]+)", output)[1])

    def recorded(self):
        """The statements of one feed with their values, from PostgreSQL's log."""
        person = self.people[0]
        # The first call prepares statements and reads the catalogue.
        for number in range(2):
            if number == 1:
                self.log_all("all")
                position = os.path.getsize(self.options.server_log)
            answer = self.world.service.call(
                "POST", "/v1/companion/pet/feed", person.token, {"item_id": "dinner"},
                headers={"Idempotency-Key": f"recorded-{number}"})
            if answer.status != 200:
                sys.exit(f"error: a feed is answered with {answer.status}: {answer.body[:200]}")
        self.log_all("none")
        with open(self.options.server_log, errors="replace") as log:
            log.seek(position)
            found = self.transaction(log.read())
        if not any("companion_pets" in text for text, _ in found):
            sys.exit("error: PostgreSQL's log has no statement of a feed")
        return found

    def log_all(self, kinds):
        self.world.database.run(f"ALTER SYSTEM SET log_statement = '{kinds}';")
        self.world.database.run("SELECT pg_reload_conf();")
        # The server's processes read the setting when they are signalled.
        time.sleep(0.3)

    @staticmethod
    def transaction(log):
        """The statements of the connection that claimed the key, from its BEGIN to its COMMIT."""
        entries = re.findall(
            r"\[(\d+)\].*?LOG:  (?:execute [^:]*|statement): (.*(?:\n\t.*)*)"
            r"(?:\n[^\t].* DETAIL:  [Pp]arameters: (.*(?:\n\t.*)*))?", log)
        process = next((entry[0] for entry in entries if "INTO idempotency_keys" in entry[1]), None)
        found = []
        for owner, text, parameters in entries:
            if owner != process:
                continue
            if text.upper().startswith("BEGIN"):
                found = []
            elif text.upper().startswith("COMMIT"):
                if any("INTO idempotency_keys" in statement for statement, _ in found):
                    return found
            else:
                found.append((text, parameters))
        return found

    def written(self, statements):
        """A script for each person, with a new key each time."""
        for number, person in enumerate(self.people[:100]):
            lines = [r"\set key random(1, 1000000000000000)", "BEGIN;"]
            lines += [self.filled(text, parameters, person.id) + ";" for text, parameters in statements]
            path = os.path.join(self.options.folder, f"feed-{number}.sql")
            with open(path, "w") as file:
                file.write("\n".join([*lines, "COMMIT;"]) + "\n")
            yield path

    def filled(self, text, parameters, user):
        values = {
            match[1]: None if match[2] else match[3].replace("''", "'")
            for match in re.finditer(r"\$(\d+) = (?:(NULL)|'((?:[^']|'')*)')", parameters)}

        def value(match):
            found = values[match[1]]
            if found is None:
                return "NULL"
            if found == "recorded-1":
                return ":key"
            # A colon would begin a variable of pgbench.
            quoted = found.replace(self.people[0].id, user).replace("'", "''")
            return "'" + quoted + "'"

        return re.sub(r"\$(\d+)", value, text).replace("\n\t", "\n")
