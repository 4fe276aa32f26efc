"""Runs the fold of streaks beside a bare loop of logarithms, several times, and prints the medians."""

import argparse
import json
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
from report import report  # noqa: E402

LEAST = 0.5
TITLES = {
    "logs": "logarithms",
    "events": "events of one phone",
    "events_of_three_phones": "events of three phones",
    "events_with_points": "events of one phone, with the points of the days",
}


def show(results):
    logs = results["logs"]
    for name, title in TITLES.items():
        print(f"{title:<50} {results[name] / 1e6:8.1f} million a second   {results[name] / logs:5.2f}")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--fold", required=True)
    parser.add_argument("--events", default="2000")
    parser.add_argument("--runs", type=int, default=5)
    for name in ("--json", "--check"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args()
    runs = [json.loads(subprocess.check_output([options.fold, options.events])) for _ in range(options.runs)]
    results = {name: statistics.median(run[name] for run in runs) for name in TITLES}
    ratio = results["events"] / results["logs"]
    report(options, results, show, [(f"{ratio:.2f} events for each logarithm, at least {LEAST}", ratio >= LEAST)])


main()
