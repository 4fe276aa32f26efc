"""Measures the rules of Focus and its database; called by `bench`, which says what it prints."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

import focus_database
from report import report
from servers import Server

LEAST = 0.5
TITLES = {
    "logs": "logarithms",
    "events": "events of one phone",
    "events_of_three_phones": "events of three phones",
    "events_with_points": "events of one phone, with the points of the days",
}


def measure_fold(options):
    runs = [json.loads(subprocess.check_output([options.fold, options.events])) for _ in range(options.rounds)]
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


def sizes_of(text):
    sizes = [int(part) for part in text.split(",")]
    if sizes != sorted(set(sizes)) or any(size < 1000 or size % 1000 for size in sizes):
        raise argparse.ArgumentTypeError("thousands, in ascending order")
    return sizes


def read_options():
    parser = argparse.ArgumentParser()
    for name in ("folder", "products", "migrations", "database", "server-log", "fold"):
        parser.add_argument("--" + name, default="")
    parser.add_argument("--cores", nargs=2, type=int, required=True)
    parser.add_argument("--only", default="fold,database")
    parser.add_argument("--events", default="2000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--sizes", type=sizes_of, default=[10_000, 1_000_000])
    parser.add_argument("--people", type=int, default=400)
    parser.add_argument("--seats", type=int, default=1_000_000)
    for name in ("--json", "--check"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args()
    if set(options.only.split(",")) - {"fold", "database"} or options.rounds < 1:
        sys.exit(2)
    return options


def main():
    options = read_options()
    results, goals = {}, []
    if "fold" in options.only:
        results["fold"], met = measure_fold(options)
        goals += met
    if "database" in options.only:
        os.sched_setaffinity(0, {options.cores[1]})
        shutil.rmtree(options.folder, ignore_errors=True)
        os.makedirs(options.folder)
        try:
            results["database"], met = focus_database.measure(options)
        finally:
            for server in Server.running:
                server.stop()
        goals += met
    report(options, results, show, goals)


if __name__ == "__main__":
    main()
