"""Measures a running service under too much load; called by `bench`, which says what it prints."""

import argparse
import json
import os
import shutil
import sys

from holdings import part_memory, part_pipelining, part_vanish
from load_bench import Bench
from neighbours import part_renames, part_slow
from overload import part_reads, part_sigterm, part_uploads
from servers import Database
from slow_servers import part_backlog, part_hang

# They run in this order.
PARTS = {
    "reads": part_reads, "uploads": part_uploads, "slow": part_slow, "renames": part_renames, "vanish": part_vanish,
    "pipelining": part_pipelining, "memory": part_memory, "hang": part_hang, "backlog": part_backlog,
    "sigterm": part_sigterm,
}


def main():
    parser = argparse.ArgumentParser()
    for name in ("folder", "products", "migrations", "database"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--cores", nargs=2, type=int, required=True)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    parts = options.only.split(",")
    if set(parts) - set(PARTS):
        sys.exit(2)
    os.sched_setaffinity(0, {options.cores[1]})
    for name in ("psql",):
        if not any(os.access(os.path.join(folder, name), os.X_OK) for folder in os.environ["PATH"].split(":")):
            sys.exit(f"there is no {name}")
    Database(options.database).run("DROP SCHEMA public CASCADE; CREATE SCHEMA public;")
    # Objects of another database: the service would refuse them.
    shutil.rmtree(os.path.join(options.folder, "data"), ignore_errors=True)
    bench = Bench(options)
    try:
        for name, part in PARTS.items():
            if name in parts:
                print(name, flush=True)
                part(bench)
    finally:
        bench.service.stop()
    if options.json:
        print(json.dumps(bench.figures, indent=2))
    missed = [text for text, met in bench.goals if not met]
    print(f"{len(bench.goals) - len(missed)} of {len(bench.goals)} goals are met")
    for text in missed:
        print(f"  missed: {text}")
    sys.exit(1 if missed and options.check else 0)


if __name__ == "__main__":
    main()
