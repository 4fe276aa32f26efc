"""Prints the figures of a bench and says whether they reach its goals."""

import json
import sys


def report(options, results, show, goals):
    """Ends with 1 when `--check` is asked for and a goal is missed. Each goal is its text and whether it is met."""
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
    goals = list(goals)
    for text, is_met in goals:
        print(f"{'ok  ' if is_met else 'MISS'}  {text}", file=sys.stderr if options.json else sys.stdout)
    sys.exit(1 if options.check and not all(is_met for _, is_met in goals) else 0)
