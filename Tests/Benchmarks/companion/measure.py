"""Starts a private PostgreSQL, fills it with users of Companion that have a pet each, and measures three things:

  resets  `dayly companion run` after the end of a day that all pets share, beside one bare statement that changes the same
          columns and makes the same rows
  feeds   POST /v1/companion/pet/feed for random people over eight connections, beside pgbench that runs the statements of
          such a call, as PostgreSQL's log has them, over as many
  reads   GET /v1/companion/day and /pet for random people, one after the other, in databases of several sizes that take
          turns

It prints rates and their ratios as medians of N runs in turns, and the 99th percentiles of the reads.
"""

import json
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scale"))

from bench import Parser, numbers, prepared  # noqa: E402
from caller import time_calls  # noqa: E402
from feeds import Feeds  # noqa: E402
from world import World  # noqa: E402

RESET_GOAL = 0.5
RESETS, RESET_SECONDS = 300_000, 300
FEED_GOAL = 0.5
READ_GOAL = 1.2
READS = ("day", "pet")

# One statement that changes the same columns and makes the same rows as the end of a day. It applies no rule.
BARE = """
WITH days AS (
    INSERT INTO companion_days (user_id, day, begins_at, ends_at, limit_minutes, summary_open)
    SELECT user_id, day + 1, ends_at, ends_at + interval '1 day', limit_minutes, true FROM companion_settings
), settings AS (
    UPDATE companion_settings
    SET day = day + 1, begins_at = ends_at, ends_at = ends_at + interval '1 day', limit_minutes_today = limit_minutes
)
UPDATE companion_pets
SET health = 'healthy', unfed_days = unfed_days + 1, last_fed = last_fed * 2 % 8, growth = growth + 100,
    fullness = greatest(fullness - 30, 0), mood = greatest(mood - 1, 0), food_energy = 0, food_buff = 0,
    changed_on = NULL, died_on = NULL, died_at = NULL, reset_on = reset_on + 1
"""


def say(text):
    print(f"{text} …", file=sys.stderr)


def measure_resets(options):
    say(f"making {options.pets:,} pets whose day has ended")
    world = World(options, "resets", options.pets, ended=True)
    world.save()
    runs = []
    for _ in range(options.runs):
        world.go_back()
        began = time.monotonic()
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", world.url], input=BARE, text=True, check=True)
        bare = options.pets / (time.monotonic() - began)
        world.go_back()
        output, seconds = world.dayly("companion", "run", "--json")
        reset = json.loads(output)["companion_roll"]["accounts"]
        if reset != options.pets:
            sys.exit(f"error: the day of {options.pets} pets had ended, and {reset} were reset")
        runs.append((bare, options.pets / seconds))
    return {
        "pets": options.pets, "per_second": round(statistics.median(run[1] for run in runs)),
        "bare_per_second": round(statistics.median(run[0] for run in runs)),
        "ratio": round(statistics.median(run[1] / run[0] for run in runs), 2),
    }


def pin_server(world, core):
    """Keeps PostgreSQL's processes that start from now on to one core. The clients have the other one."""
    with open(os.path.join(world.database.value("SHOW data_directory"), "postmaster.pid")) as file:
        os.sched_setaffinity(int(file.readline()), {int(core)})


def measure_feeds(options, world, people):
    feeds = Feeds(options, world, people)
    runs = [(feeds.bare(), feeds.served()) for _ in range(options.runs)]
    return {
        "per_second": round(statistics.median(run[1] for run in runs)),
        "bare_per_second": round(statistics.median(run[0] for run in runs)),
        "ratio": round(statistics.median(run[1] / run[0] for run in runs), 2),
    }


def measure_reads(options, worlds):
    """The 99th percentile in milliseconds of each read at each size."""
    times = {read: {world.users: [] for world in worlds} for read in READS}
    for _ in range(options.runs):
        for read in READS:
            for world in worlds:
                requests = [(f"/v1/companion/{read}", "Bearer " + person.token, None, None)
                            for person in world.readers]
                found = time_calls(world.port, requests, 200, seconds=3)
                if not found:
                    sys.exit(f"error: a read fails: see {world.service.log}")
                times[read][world.users].append(found[len(found) * 99 // 100])
    return {
        read: {str(users): round(statistics.median(found), 3) for users, found in sizes.items()}
        for read, sizes in times.items()}


def missed_goals(result):
    resets, feeds = result["resets"], result["feeds"]
    if resets["ratio"] < RESET_GOAL:
        yield f"resets: {resets['ratio']} times the bare statement, wanted {RESET_GOAL}"
    if resets["per_second"] * RESET_SECONDS < RESETS:
        yield f"resets: {resets['per_second']} a second, wanted {RESETS // RESET_SECONDS}"
    if feeds["ratio"] < FEED_GOAL:
        yield f"feeds: {feeds['ratio']} times pgbench, wanted {FEED_GOAL}"
    for read, sizes in result["reads_p99_ms"].items():
        ratio = max(sizes.values()) / min(sizes.values())
        if ratio > READ_GOAL:
            yield f"{read}: the 99th percentiles differ {ratio:.2f} times, wanted {READ_GOAL}"


def show(result):
    for name in ("resets", "feeds"):
        found = result[name]
        print(f"{name:<8} {found['per_second']:>8} a second, bare {found['bare_per_second']:>8}, {found['ratio']} times")
    for read, sizes in result["reads_p99_ms"].items():
        print(f"{read:<8} " + ", ".join(f"{int(users):,} users: p99 {found} ms" for users, found in sizes.items()))
    for line in result["missed"]:
        print(f"missed: {line}")


def main():
    parser = Parser(__doc__)
    parser.add("--pets", 300_000, "pets whose day ends")
    parser.add("--sizes", [10_000, 1_000_000], "users of the databases of the reads", numbers)
    parser.add("--runs", 5, "the medians of as many runs count")
    parser.add("--people", 200, "people who feed and read")
    options = parser.parse_args()
    # With fsync, as in production. The measured databases change by our own VACUUM only.
    with prepared(options, ["autovacuum=off", "max_wal_size=8GB", "shared_buffers=1GB"], packages=["wrk"], on_core=False):
        result = {"resets": measure_resets(options)}
        worlds = []
        for size in options.sizes:
            say(f"filling a database with {size:,} users")
            worlds.append(World(options, f"users_{size}", size))
            pin_server(worlds[-1], options.cores[0])
            worlds[-1].serve()
            worlds[-1].readers = worlds[-1].people(options.people)
        say("reading")
        result["reads_p99_ms"] = measure_reads(options, worlds)
        say("feeding")
        result["feeds"] = measure_feeds(options, worlds[0], worlds[0].readers)
    result["missed"] = list(missed_goals(result))
    if options.json:
        print(json.dumps(result))
    else:
        show(result)
    sys.exit(1 if options.check and result["missed"] else 0)


main()
