"""Two parts:

  fold      how many events of phones the fold of streaks takes in a second, beside a bare loop of logarithms, which is the
            least that the points of as many streaks could cost. Both run in turns, on one thread, in the release build.
  database  in databases of the given numbers of users: the syncs a second that the service takes, beside pgbench with the
            same statements, and beside pgbench with a row for each event and the week recalculated at each sync; the boards
            a second beside pgbench with the same statements, and their time at each size; and the time in which the seats
            of a week's leagues close, beside one bare UPDATE of as many seats with rank().
"""

import json
import os
import statistics
import subprocess

import focus_database
from bench import Parser, numbers, parts_of, prepared, swift_package
from report import report

LEAST = 0.5
TITLES = {
    "logs": "logarithms",
    "events": "events of one phone",
    "events_of_three_phones": "events of three phones",
    "events_with_points": "events of one phone, with the points of the days",
}


def measure_fold(options):
    runs = [json.loads(subprocess.check_output([options.fold, str(options.events)])) for _ in range(options.rounds)]
    results = {name: statistics.median(run[name] for run in runs) for name in TITLES}
    ratio = results["events"] / results["logs"]
    return results, [(f"{ratio:.2f} events for each logarithm, at least {LEAST}", ratio >= LEAST)]


def show(results):
    if "fold" in results:
        logs = results["fold"]["logs"]
        for name, title in TITLES.items():
            rate = results["fold"][name]
            print(f"{title:<50} {rate / 1e6:8.1f} million a second   {rate / logs:5.2f}")
    if "database" in results:
        show_database(results["database"])


def show_database(figures):
    for name, title in (("syncs", "syncs"), ("sync_statements", "the same statements by pgbench"),
                        ("plain", "syncs with a row for each event, by pgbench"), ("boards", "boards"),
                        ("board_statements", "the same statements by pgbench")):
        print(f"{title:<50} {figures[name]:8} a second")
    for users, times in figures["boards_by_users"].items():
        print(f"{f'a board of {users:,} users':<50} {times['p50_ms']:8.2f} ms, 99th percentile {times['p99_ms']:.2f} ms")
    print(f"{figures['seats']:,} seats closed in {figures['close_seconds']} s, "
          f"a bare UPDATE with rank() in {figures['bare_update_seconds']} s")


def main():
    parser = Parser(__doc__)
    parser.add("--only", ["fold", "database"], "comma-separated", parts_of(["fold", "database"]))
    parser.add("--sizes", [10_000, 1_000_000], "users, in thousands", numbers)
    parser.add("--people", 400, "people whose phones sync, at most one of a thousand users where there are 100,000")
    parser.add("--seats", 1_000_000, "seats of the week's leagues")
    parser.add("--seconds", 3, "seconds of each measurement in a round")
    parser.add("--events", 2000, "the events of one fold: twenty days of a user")
    parser.add("--rounds", 5, "the median counts")
    options = parser.parse_args()
    if any(size % 1000 for size in options.sizes):
        parser.error("--sizes: thousands")
    has_database = "database" in options.only
    settings = ["--no-fsync", "autovacuum=off", "wal_level=minimal", "max_wal_senders=0", "max_wal_size=4GB", "shared_buffers=1GB"]
    results, goals = {}, []
    with prepared(options, settings if has_database else None, packages=["wrk"] if has_database else [],
                  products=["dayly", "photo-worker"] if has_database else []):
        if "fold" in options.only:
            scratch = options.kept / "fold"
            swift_package("Tests/Benchmarks/focus/fold", scratch)
            options.fold = scratch / "release/fold"
            results["fold"], met = measure_fold(options)
            goals += met
        if has_database:
            os.sched_setaffinity(0, {options.cores[1]})
            results["database"], met = focus_database.measure(options)
            goals += met
        report(options, results, show, goals)


if __name__ == "__main__":
    main()
