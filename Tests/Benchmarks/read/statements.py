"""Runs the SQL of a call by itself, as the least that its answer costs PostgreSQL."""

import re
import subprocess
import time

from transactions import Transactions

CLIENTS = 8


class Statements:
    """The statements that the service sends for a call, read from PostgreSQL's log, and run again by pgbench."""

    def __init__(self, database, server_log, options):
        self.database = database
        self.transactions = Transactions(database, server_log, options)
        self.start_cost = None

    def record(self, call, send):
        """Takes the statements of one request, with their values, for `run`."""
        self.transactions.record(
            call.name, call.users[:1], lambda _: send(), lambda user: (user.id, *user.groups))

    def run(self, name):
        """The seconds of PostgreSQL's CPU time for each run of the call's statements."""
        if self.start_cost is None:
            self.start_cost = sorted(self.pgbench(name, "-t1")[0] for _ in range(3))[1]
        spent, count = self.pgbench(name, "-T1")
        return max(0.0, spent - self.start_cost) / count

    def pgbench(self, name, length):
        before = self.database.cpu()
        [script] = self.transactions.scripts[name]
        output = subprocess.run(
            ["pgbench", "-n", "-M", "prepared", f"-c{CLIENTS}", length, *script, self.database.url],
            check=True, capture_output=True, text=True).stdout
        time.sleep(0.05)
        count = int(re.search(r"actually processed: (\d+)", output).group(1))
        return self.database.cpu() - before, count
