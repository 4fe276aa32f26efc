"""Starts a private PostgreSQL, fills it with users of one session each, and measures `dayly restore` in two cases:

  all      The bucket has lost its journal, so that every session ends. It is compared with one bare UPDATE of the same
           rows, whose triggers run, too.
  journal  The database went back by ten thousand sign-outs that the journal knows. The restore looks at every session
           and ends these only. It is compared with the same bare UPDATE of all rows.

It prints rows per second of each, as medians of N runs in turns, their ratio, the longest statement of the restore and
the largest memory that the command had.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time

from bench import Parser, prepared
from ports import free_port
from service_process import ServiceProcess, settings_environment

GOAL = 0.3
STATEMENT_GOAL = 1.0  # seconds
MEMORY_GOAL = 300  # MB
LOST = 10_000  # sign-outs that the backup does not have

# As a replica, PostgreSQL checks no foreign key and runs no trigger, which would take most of the time.
SEED = """
SET session_replication_role = replica;
-- Ids grow with time, like the service's own.
CREATE FUNCTION pg_temp.ordered_id(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN ('01900000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid;
INSERT INTO users (id, phone_number)
SELECT pg_temp.ordered_id(number), '+4915' || (100000000 + number) FROM generate_series(1, {rows}) AS number;
INSERT INTO sessions (id, user_id, refresh_nonce, expires_at)
SELECT pg_temp.ordered_id(number), pg_temp.ordered_id(number), '\\x01', now() + interval '60 days'
FROM generate_series(1, {rows}) AS number;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
VACUUM ANALYZE;
"""

# A copy of the files, so that every run meets the same database.
COPY = """
DROP DATABASE IF EXISTS {copy} WITH (FORCE);
CREATE DATABASE {copy} TEMPLATE {original} STRATEGY file_copy;
"""

BARE = """
SET dayly.is_restoring = 'on';
UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL;
"""


class Bench:
    def __init__(self, options):
        self.options = options
        self.database = os.environ["DAYLY_DATABASE_URL"]
        self.name = self.database.rpartition("/")[2]
        self.journal = os.path.join(options.folder, "objects", "objects", "dayly", "journal")
        settings = {
            "environment": "development", "data_dir": options.folder, "database.url": self.database,
            "database.migrations_path": options.migrations, "storage.kind": "filesystem",
            "storage.path": os.path.join(options.folder, "objects"), "sms.kind": "console",
            "restore.beat_interval": "1s", "http.port": str(free_port()), "http.admin_port": "0",
        }
        self.environment = settings_environment(settings)
        self.dayly("migrate")
        # The first start: the bucket knows the database from then on.
        self.dayly("restore")
        print(f"Making {options.rows} sessions …", file=sys.stderr)
        self.psql(SEED.format(rows=options.rows))
        self.copy(self.name, "saved")

    def psql(self, sql, database=None):
        done = subprocess.run(
            ["psql", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", database or self.database], input=sql, text=True,
            stdout=subprocess.PIPE)
        if done.returncode != 0:
            sys.exit("error: psql failed, see above")
        return done.stdout.strip()

    def copy(self, original, copy):
        server = self.database.rpartition("/")[0]
        self.psql(COPY.format(original=original, copy=copy), f"{server}/postgres")

    def go_back(self):
        """Takes the database back to the time at which it was saved."""
        self.copy("saved", self.name)

    def dayly(self, *arguments):
        """Its output, wall time and largest memory in MB."""
        began = time.monotonic()
        process = subprocess.Popen(
            [self.options.dayly, *arguments], env=self.environment, text=True, stdout=subprocess.PIPE)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"error: dayly {' '.join(arguments)} ended with exit status {process.returncode}")
        return output, time.monotonic() - began, usage.ru_maxrss / 1024

    def longest_statement(self):
        """In seconds."""
        return float(self.psql(
            "SELECT coalesce(max(max_exec_time), 0) / 1000 FROM pg_stat_statements WHERE query LIKE '%page%'"))

    def lose_sign_outs(self):
        """Ends sessions, lets a service write them to the journal, and keeps the journal."""
        self.psql(f"UPDATE sessions SET ended_at = now() WHERE id IN (SELECT id FROM sessions LIMIT {LOST})")
        service = ServiceProcess(
            [self.options.dayly, "serve"], self.environment["DAYLY_HTTP_PORT"], self.environment,
            os.path.join(self.options.folder, "serve.log")).start()
        deadline = time.monotonic() + 120
        while int(self.psql("SELECT count(*) FROM erasures")) > 0:
            service.require_running()
            if time.monotonic() > deadline:
                sys.exit("error: the service does not write the journal")
            time.sleep(0.2)
        service.stop(signal.SIGKILL)
        shutil.copytree(self.journal, self.journal + ".kept")

    def measure_bare(self):
        self.go_back()
        began = time.monotonic()
        self.psql(BARE)
        return self.options.rows / (time.monotonic() - began)

    def measure_all(self):
        self.go_back()
        shutil.rmtree(self.journal, ignore_errors=True)
        return self.measure("sessions", self.options.rows)

    def measure_journal(self):
        self.go_back()
        shutil.rmtree(self.journal, ignore_errors=True)
        shutil.copytree(self.journal + ".kept", self.journal)
        return self.measure("sessions", min(LOST, self.options.rows))

    def measure(self, member, expected):
        self.psql("SELECT pg_stat_statements_reset()")
        output, seconds, memory = self.dayly("restore", "--accept-bucket", "--json")
        report = json.loads(output)
        if report[member] != expected:
            sys.exit(f"error: {expected} {member} had to end, and {report[member]} did")
        return self.options.rows / seconds, memory, self.longest_statement()


def main():
    parser = Parser(__doc__)
    parser.add("--rows", 200_000, "sessions")
    parser.add("--runs", 3, "the medians of as many runs count")
    options = parser.parse_args()
    runs = []
    # With fsync, as in production.
    with prepared(options, ["shared_preload_libraries=pg_stat_statements"], on_core=False):
        options.dayly = str(options.products / "dayly")
        bench = Bench(options)
        bench.lose_sign_outs()
        for _ in range(options.runs):
            runs.append((bench.measure_bare(), bench.measure_all(), bench.measure_journal()))
    bare = statistics.median(run[0] for run in runs)
    result = {"rows": options.rows, "bare_rows_per_second": round(bare)}
    missed = []
    for place, name in [(1, "all"), (2, "journal")]:
        rate = statistics.median(run[place][0] for run in runs)
        memory = max(run[place][1] for run in runs)
        longest = max(run[place][2] for run in runs)
        result[name] = {
            "rows_per_second": round(rate), "ratio": round(rate / bare, 2), "memory_mb": round(memory),
            "longest_statement_seconds": round(longest, 3),
        }
        if rate / bare < GOAL:
            missed.append(f"{name}: {rate / bare:.2f} times the bare UPDATE, wanted {GOAL}")
        if memory > MEMORY_GOAL:
            missed.append(f"{name}: {memory:.0f} MB, wanted {MEMORY_GOAL}")
        if longest > STATEMENT_GOAL:
            missed.append(f"{name}: a statement took {longest:.1f} s, wanted {STATEMENT_GOAL}")
    if options.json:
        print(json.dumps(result | {"missed": missed}))
    else:
        print(f"{'bare UPDATE':<12} {result['bare_rows_per_second']:>9} rows/s")
        for name in ["all", "journal"]:
            found = result[name]
            print(
                f"{name:<12} {found['rows_per_second']:>9} rows/s, {found['ratio']} times, "
                f"{found['memory_mb']} MB, longest statement {found['longest_statement_seconds']} s")
        for line in missed:
            print(f"missed: {line}")
    sys.exit(1 if options.check and missed else 0)


main()
