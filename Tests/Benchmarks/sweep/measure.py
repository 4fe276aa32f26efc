"""Starts a private PostgreSQL and rclone's S3 server, fills them with expired photos of two objects each, and measures
`dayly sweep --once` against a client that sends bare DeleteObjects requests, 1,000 keys each, over as many connections
and to the same server; and prints the rates and their ratio. Medians of N runs in turns.

The bare client knows the keys and does what deleting takes and nothing else: it signs its requests (SigV4,
Content-MD5) and reads in the answers that each object is gone. dayly claims the same objects in PostgreSQL (with
fsync), deletes them by the same requests, and deletes their rows and those of their photos, all within its time. Client,
store and database share the machine's cores, so that the ratio says what the sweeper costs beside the store; rows with
CPU time say where it goes.

With --chaos three `dayly sweep --watch` do it, each killed with SIGKILL and started again every 5 seconds (or
--kill-every SECONDS); in the end it is looked at that the expired photos are gone from bucket and database, that the
living ones, of which there are some among them, are as they were, and that no object was counted twice.

With --steady photos expire one after the other, 100 a second (or --rate N) for a minute, while `dayly serve` runs as it
is configured by default; measured is how long after its expiry each object is gone from the bucket.
"""

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
import uuid

import raw_delete
from bench import Parser, prepared
from ports import free_port
from service_process import ServiceProcess, settings_environment

CONCURRENCY = 4  # claims that a sweeper has in flight
GOAL = 0.8
CHAOS_SECONDS = 600
LIVING = 2000
STEADY_SECONDS = 60
STEADY_GOAL = 60  # seconds from expiry to the object's end, of all but one in a hundred
MEMBERS = 5

SEED = """
TRUNCATE users, groups, stored_objects CASCADE;
CREATE TEMP TABLE seed (number integer, id uuid, living boolean);
COPY seed FROM STDIN;
{rows}\\.
CREATE TEMP TABLE person AS SELECT number, gen_random_uuid() AS id FROM seed;
CREATE TEMP TABLE family AS SELECT number, gen_random_uuid() AS id FROM seed WHERE number % {members} = 0;
INSERT INTO users (id, phone_number) SELECT id, '+4915' || (100000000 + number) FROM person;
INSERT INTO groups (id, name) SELECT id, 'Benchmark' FROM family;
INSERT INTO photos (id, group_id, sender_id, sent_on, created_at, expires_at, width, height, thumbhash, photo_key,
                    thumbnail_key, removal_logged)
SELECT seed.id, family.id, person.id, current_date, now() - interval '48 hours',
       -- They expire in the order in which they were accepted.
       CASE WHEN seed.living THEN now() + interval '40 hours' ELSE {expiry} END,
       2048, 1536, '\\x0102030405', 'photos/' || seed.id || '.jpg', 'photos/' || seed.id || '_thumbnail.jpg',
       -- As in a service, where the groups are told as soon as a photo is over.
       {told} AND NOT seed.living
FROM seed
JOIN person ON person.number = seed.number
JOIN family ON family.number = seed.number - seed.number % {members}
ORDER BY seed.number;
INSERT INTO stored_objects (key, photo_id, created_at, delete_after)
SELECT key, id, created_at, expires_at FROM photos, LATERAL (VALUES (photo_key), (thumbnail_key)) AS object (key)
ORDER BY expires_at;
ANALYZE;
CHECKPOINT;
"""

# All that a sweeper must leave as it is.
LIVING_ROWS = """
SELECT md5(string_agg(row, '' ORDER BY row)) FROM (
    SELECT photos::text AS row FROM photos WHERE expires_at > now()
    UNION ALL SELECT stored_objects::text FROM stored_objects WHERE delete_after > now()
) AS living
"""


class Photos:
    def __init__(self, expired, living=0):
        self.ids = [uuid.uuid4() for _ in range(expired + living)]
        self.living = set(random.sample(self.ids, living))

    def keys(self, ids):
        return [f"photos/{id}{suffix}.jpg" for id in ids for suffix in ("", "_thumbnail")]

    def rows(self):
        return "".join(
            f"{number}\t{id}\t{'t' if id in self.living else 'f'}\n" for number, id in enumerate(self.ids)
        )


class Bench:
    def __init__(self, options):
        self.options = options
        self.database = os.environ["DAYLY_DATABASE_URL"]
        prefix = "DAYLY_TEST_S3_RCLONE_"
        self.store = [os.environ[prefix + name] for name in ("URL", "KEY", "SECRET")]
        self.run("migrate", bucket="none")

    def bucket(self, name):
        return raw_delete.Bucket(self.store[0], name, self.store[1], self.store[2])

    def psql(self, sql):
        return subprocess.run(
            ["psql", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.database], input=sql, check=True, text=True,
            stdout=subprocess.PIPE).stdout.strip()

    def environment(self, bucket):
        settings = {
            "environment": "development", "data_dir": self.options.folder, "database.url": self.database,
            "database.migrations_path": self.options.migrations, "storage.kind": "s3",
            "storage.s3.endpoint": self.store[0], "storage.s3.access_key_id": self.store[1],
            "storage.s3.secret_access_key": self.store[2], "storage.s3.bucket": bucket, "sms.kind": "console",
        }
        return settings_environment(settings)

    def run(self, *arguments, bucket):
        done = subprocess.run(
            [self.options.dayly, *arguments], env=self.environment(bucket), text=True, stdout=subprocess.PIPE)
        if done.returncode != 0:
            sys.exit(f"error: dayly {' '.join(arguments)} ended with exit status {done.returncode}")
        return done.stdout

    def write_files(self, bucket, keys):
        """Straight into rclone's folder, which it has not looked into yet: much faster than 1,000 PUTs a second."""
        folder = os.path.join(self.options.buckets, bucket)
        os.makedirs(os.path.join(folder, "photos"))
        for key in keys:
            with open(os.path.join(folder, key), "wb") as file:
                file.write(b"x" * 1000)

    def seed(self, photos, told=True, expiry="now() - interval '1 minute' + seed.number * interval '1 microsecond'"):
        self.psql(SEED.format(rows=photos.rows(), members=MEMBERS, told=str(told).lower(), expiry=expiry))


class Clocks:
    """CPU seconds so far: of the store, of PostgreSQL, and of this process with those it waited for, the clients."""

    def __init__(self, bench):
        with open(os.path.join(bench.options.buckets, "..", "run", "rclone.pid")) as file:
            self.store = int(file.read())
        with open(os.path.join(bench.psql("SHOW data_directory"), "postmaster.pid")) as file:
            self.postmaster = int(file.readline())

    def read(self):
        with open(f"/proc/{self.postmaster}/task/{self.postmaster}/children") as file:
            backends = [int(number) for number in file.read().split()]
        mine = os.times()
        return {
            "store": self.of(self.store), "database": sum(self.of(pid) for pid in [self.postmaster, *backends]),
            "client": mine.user + mine.system + mine.children_user + mine.children_system,
        }

    @staticmethod
    def of(pid):
        """With its children that have ended."""
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except FileNotFoundError:
            return 0
        return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")

    def spent(self, body):
        before = self.read()
        value = body()
        return {name: seconds - before[name] for name, seconds in self.read().items()}, value


def measure_rates(bench):
    options = bench.options
    photos = {f"{kind}-{run}": Photos(options.photos) for run in range(options.runs) for kind in ("raw", "dayly")}
    for bucket, some in photos.items():
        bench.write_files(bucket, some.keys(some.ids))
    objects = 2 * options.photos
    rates = {"raw": [], "dayly": []}
    cpu = {"raw": [], "dayly": []}
    clocks = Clocks(bench)
    bench.seed(Photos(0))
    idle = min(timed(lambda: bench.run("sweep", "--once", "--json", bucket="raw-0"))[0] for _ in range(3))
    for run in range(options.runs):
        bucket = f"raw-{run}"
        keys = photos[bucket].keys(photos[bucket].ids)
        spent, seconds = clocks.spent(lambda: raw_delete.delete_all(bench.bucket(bucket), keys, CONCURRENCY))
        rates["raw"].append(objects / seconds)
        cpu["raw"].append(spent)

        bucket = f"dayly-{run}"
        bench.seed(photos[bucket])
        spent, (seconds, output) = clocks.spent(
            lambda: timed(lambda: bench.run("sweep", "--once", "--json", bucket=bucket)))
        cpu["dayly"].append(spent)
        report = json.loads(output)
        if report["deleted_objects"] != objects or report["deleted_photos"] != options.photos:
            sys.exit(f"error: the sweep did not delete everything: {output}")
        if bench.bucket(bucket).keys():
            sys.exit("error: objects are left in the bucket")
        rates["dayly"].append(objects / (seconds - idle))
    medians = {kind: statistics.median(values) for kind, values in rates.items()}
    # The time of a thousand objects, in milliseconds.
    cpu = {
        kind: {name: round(statistics.median(spent[name] for spent in runs) * 1e6 / objects, 1) for name in runs[0]}
        for kind, runs in cpu.items()
    }
    result = {
        "objects": objects, "concurrency": CONCURRENCY, "idle_seconds": round(idle, 3),
        "objects_per_second": {kind: round(value) for kind, value in medians.items()},
        "ratio": round(medians["dayly"] / medians["raw"], 3), "cpu_ms_per_1000_objects": cpu,
        "runs": {kind: [round(value) for value in values] for kind, values in rates.items()},
    }
    if options.json:
        print(json.dumps(result))
    else:
        print(f"{objects:,} objects a run, {CONCURRENCY} requests of 1,000 keys in flight, medians of {options.runs} runs")
        print(f"  bare DeleteObjects   {medians['raw']:>9,.0f} objects/s")
        print(f"  dayly sweep          {medians['dayly']:>9,.0f} objects/s, rows too (less {idle:.2f} s for an empty one)")
        print(f"  ratio                {result['ratio']:>9.2f}  (goal: {GOAL} or more)")
        print(f"  CPU time of 1,000 objects, {os.cpu_count()} cores for all:")
        for kind, name in (("raw", "bare DeleteObjects"), ("dayly", "dayly sweep")):
            print(f"    {name:<18} " + ", ".join(f"{part} {spent:.1f} ms" for part, spent in cpu[kind].items()))
    return result["ratio"] >= GOAL


def timed(body):
    began = time.monotonic()
    value = body()
    return time.monotonic() - began, value


def steady(bench):
    """Photos expire one after the other while `dayly serve` runs as it is configured by default."""
    options = bench.options
    photos = Photos(round(options.rate * STEADY_SECONDS))
    bench.write_files("steady", photos.keys(photos.ids))
    # Time for the service to start.
    expiry = f"now() + interval '15 seconds' + seed.number * interval '1 second' / {options.rate}"
    bench.seed(photos, told=False, expiry=expiry)
    due = dict(line.rsplit("|", 1) for line in bench.psql(
        "SELECT key, EXTRACT(EPOCH FROM delete_after) FROM stored_objects").splitlines())
    due = {os.path.basename(key): float(seconds) for key, seconds in due.items()}
    folder = os.path.join(options.buckets, "steady", "photos")
    environment = bench.environment("steady") | {
        "DAYLY_HTTP_PORT": str(free_port()), "DAYLY_HTTP_ADMIN_PORT": str(free_port()),
    }
    late, early, stored = [], 0, set(due)
    service = ServiceProcess(
        [options.dayly, "serve"], environment["DAYLY_HTTP_PORT"], environment, os.path.join(options.folder, "serve.log")).start()
    try:
        deadline = max(due.values()) + STEADY_GOAL * 2
        while stored and time.time() < deadline:
            service.require_running()
            # rclone removes a folder with its last file.
            gone = stored - set(os.listdir(folder) if os.path.isdir(folder) else ())
            now = time.time()
            early += sum(1 for key in gone if now < due[key])
            late += [max(0, now - due[key]) for key in gone]
            stored -= gone
            time.sleep(0.1)
    finally:
        service.stop(seconds=30)
    late = sorted(late + [STEADY_GOAL * 2] * len(stored))
    result = {
        "photos_per_second": options.rate, "objects": len(due), "left": len(stored), "early": early,
        "lateness_seconds": {
            name: round(late[min(len(late) - 1, int(len(late) * share))], 2)
            for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1))
        },
    }
    if options.json:
        print(json.dumps(result))
    else:
        times = result["lateness_seconds"]
        print(f"{options.rate:g} photos expire a second, for {STEADY_SECONDS} s; `dayly serve` as configured by default")
        print(f"  from expiry to the object's end: p50 {times['p50']:.1f} s, p99 {times['p99']:.1f} s, "
              f"max {times['max']:.1f} s  (goal: p99 of {STEADY_GOAL} s or less)")
        if stored or early:
            print(f"  FAULT: {len(stored):,} objects were left, and {early:,} went early")
    return not stored and not early and result["lateness_seconds"]["p99"] <= STEADY_GOAL


class Sweeper:
    """`dayly sweep --watch`, started again after every kill."""

    def __init__(self, bench, bucket, number):
        self.bench, self.bucket = bench, bucket
        self.output = os.path.join(bench.options.folder, f"sweeper-{number}.jsonl")
        self.errors = os.path.join(bench.options.folder, f"sweeper-{number}.log")
        self.process, self.kills = None, 0

    def start(self):
        with open(self.output, "ab") as output, open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(
                [self.bench.options.dayly, "sweep", "--watch", "--json"], stdout=output, stderr=errors,
                env=self.bench.environment(self.bucket))

    def kill(self):
        if self.process.poll() is not None:
            sys.exit(f"error: a sweeper ended by itself with exit status {self.process.returncode}; see {self.errors}")
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1

    def reported(self):
        """The objects that its sweeps said they deleted. A sweep that was killed says nothing."""
        total = 0
        with open(self.output) as file:
            for line in file:
                if line.endswith("}\n"):
                    total += json.loads(line)["deleted_objects"]
        return total


# Guard: objects that failed before are claimed apart, in small batches (`SweepFlow`,
# `ForgettingStore.claimDueObjects`)
def chaos(bench):
    options = bench.options
    photos = Photos(options.photos, LIVING)
    bench.write_files("chaos", photos.keys(photos.ids))
    bench.seed(photos, told=False)
    before = bench.psql(LIVING_ROWS)
    sweepers = [Sweeper(bench, "chaos", number) for number in range(3)]
    began = time.monotonic()
    # Not all in the same moment.
    due = [began + options.kill_every * (1 + number / 3) for number in range(3)]
    left, told = None, began
    try:
        for sweeper in sweepers:
            sweeper.start()
        while time.monotonic() - began < CHAOS_SECONDS:
            for number, sweeper in enumerate(sweepers):
                if time.monotonic() >= due[number]:
                    sweeper.kill()
                    sweeper.start()
                    due[number] += options.kill_every
            left = int(bench.psql(
                "SELECT (SELECT count(*) FROM stored_objects WHERE delete_after <= now())"
                " + (SELECT count(*) FROM photos WHERE expires_at <= now())"))
            if left == 0:
                break
            if time.monotonic() - told >= 5:
                told = time.monotonic()
                print(f"    {left:,} rows left after {told - began:.0f} s", file=sys.stderr)
            time.sleep(0.1)
        seconds = time.monotonic() - began
    finally:
        for sweeper in sweepers:
            if sweeper.process and sweeper.process.poll() is None:
                sweeper.process.kill()
                sweeper.process.wait()
    in_bucket = set(bench.bucket("chaos").keys())
    faults = []
    if left:
        faults.append(f"{left:,} rows were left after {CHAOS_SECONDS} s")
    if in_bucket - set(photos.keys(photos.living)):
        faults.append("expired objects are left in the bucket")
    if set(photos.keys(photos.living)) - in_bucket:
        faults.append("objects of living photos are gone")
    if bench.psql(LIVING_ROWS) != before:
        faults.append("rows of living photos were touched")
    reported = sum(sweeper.reported() for sweeper in sweepers)
    if reported > 2 * options.photos:
        faults.append(f"the sweepers counted {reported:,} objects, and there were {2 * options.photos:,}")
    result = {
        "photos": options.photos, "objects": 2 * options.photos, "living_photos": LIVING, "seconds": round(seconds, 1),
        "kills": sum(sweeper.kills for sweeper in sweepers), "kill_every": options.kill_every, "faults": faults,
    }
    if options.json:
        print(json.dumps(result))
    else:
        print(f"{options.photos:,} expired photos ({2 * options.photos:,} objects) among {LIVING:,} living ones; three "
              f"sweepers, each killed every {options.kill_every:g} s, {result['kills']} kills in all")
        print(f"  {'gone' if not left else 'NOT gone'} after {seconds:.1f} s (goal: {CHAOS_SECONDS} s)")
        for fault in faults:
            print(f"  FAULT: {fault}")
        if not faults:
            print("  bucket and tables hold the living photos and nothing else; none was touched, none counted twice")
    return not faults


def main():
    parser = Parser(__doc__)
    parser.add("--photos", None, "50,000 unless given, since batches grow at first; 100,000 with --chaos")
    parser.add("--runs", 3, "the medians of as many runs count")
    parser.add_argument("--chaos", action="store_true", help="while sweepers are killed")
    parser.add("--kill-every", 5, "seconds between the kills of a sweeper", float)
    parser.add_argument("--steady", action="store_true", help="while `dayly serve` runs")
    parser.add("--rate", 100, "photos that expire in a second", float)
    options = parser.parse_args()
    options.photos = options.photos or (100_000 if options.chaos else 50_000)
    measure = chaos if options.chaos else steady if options.steady else measure_rates
    # With fsync, as in production.
    with prepared(options, [], store=True, on_core=False):
        options.dayly = str(options.products / "dayly")
        good = measure(Bench(options))
    sys.exit(1 if options.check and not good else 0)


main()
