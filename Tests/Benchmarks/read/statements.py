"""Runs the SQL of a call by itself, as the least that its answer costs PostgreSQL."""

import os
import re
import subprocess
import time

CLIENTS = 8


class Statements:
    """The statements that the service sends for a call, read from PostgreSQL's log, and run again by pgbench."""

    def __init__(self, database, server_log, options):
        self.database = database
        self.server_log = server_log
        self.options = options
        self.scripts = {}
        self.start_cost = None

    def record(self, call, send):
        """Takes the statements of one request, with their values, for `run`."""
        self.log_all("all")
        position = os.path.getsize(self.server_log)
        send()
        self.log_all("none")
        with open(self.server_log, errors="replace") as log:
            log.seek(position)
            found = self.executed(log.read(), call.users[0])
        path = os.path.join(self.options.folder, call.name + ".sql")
        with open(path, "w") as file:
            file.write("".join(text + ";\n" for text, _ in found))
        values = [f"-D{name}={value}" for _, values in found for name, value in values.items()]
        self.scripts[call.name] = ["-f", path, *values]
        return len(found)

    def log_all(self, kinds):
        self.database.run(f"ALTER SYSTEM SET log_statement = '{kinds}';")
        self.database.run("SELECT pg_reload_conf();")
        # The server's processes read the setting when they are signalled.
        time.sleep(0.3)

    @staticmethod
    def executed(log, user):
        """The statements about the user, without those of background jobs: their texts and named values."""
        # A statement's further lines begin with a tab.
        entries = re.findall(
            r"LOG:  execute [^:]*: (.*(?:\n\t.*)*)\n[^\t].* DETAIL:  parameters: (.*(?:\n\t.*)*)", log)
        found = []
        for text, parameters in entries:
            if not any(name in parameters for name in (user.id, *user.groups)):
                continue
            values = re.findall(r"\$(\d+) = (?:NULL|'((?:[^']|'')*)')", parameters)
            nulls = set(re.findall(r"\$(\d+) = NULL", parameters))

            def named(match):
                return "NULL" if match[1] in nulls else f":s{len(found)}p{match[1]}"

            found.append((re.sub(r"\$(\d+)", named, text), {
                f"s{len(found)}p{number}": value.replace("''", "'") for number, value in values
                if number not in nulls}))
        return found

    def run(self, name):
        """The seconds of PostgreSQL's CPU time for each run of the call's statements."""
        if self.start_cost is None:
            self.start_cost = sorted(self.pgbench(name, "-t1")[0] for _ in range(3))[1]
        spent, count = self.pgbench(name, "-T1")
        return max(0.0, spent - self.start_cost) / count

    def pgbench(self, name, length):
        before = self.database.cpu()
        output = subprocess.run(
            ["pgbench", "-n", "-M", "prepared", f"-c{CLIENTS}", length, *self.scripts[name], self.database.url],
            check=True, capture_output=True, text=True).stdout
        time.sleep(0.05)
        count = int(re.search(r"actually processed: (\d+)", output).group(1))
        return self.database.cpu() - before, count
