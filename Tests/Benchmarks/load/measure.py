"""Starts a PostgreSQL and a service on one core and clients on another, and prints

  reads       the most answers a second (groups and feeds), the share of them under ten times as many requests in an
              open loop, the cost of a refusal, and the time until the service is well again
  uploads     the same for 12-megapixel pictures
  slow        the 99th percentile of everybody else's answers while 500 clients drip
  renames     the 99th percentile of everybody else's answers while 128 clients of one account rename a group
  vanish      memory, descriptors and threads before and after 10,000 clients that go away midway
  pipelining  the memory of 10,000 connections without a token that send requests and read nothing, beside idle ones
  memory      the memory of server and decoders while 64 pictures of 10 MB come at once
  hang        the 99th percentile of everybody else's answers while object store and SMS gateway answer, and while they
              hang; and when the uploads get their 503
  backlog     statements for each push message to a provider that takes a second, and the 99th percentile of everybody
              else's answers beside 5,000 such messages
  sigterm     requests without an answer when the service is ended under load
"""

import json
import os
import resource
import sys

from bench import Parser, compile_c, draw, parts_of, prepared
from holdings import part_memory, part_pipelining, part_vanish
from load_bench import Bench
from neighbours import part_renames, part_slow
from overload import part_reads, part_sigterm, part_uploads
from slow_servers import part_backlog, part_hang

# They run in this order.
PARTS = {
    "reads": part_reads, "uploads": part_uploads, "slow": part_slow, "renames": part_renames, "vanish": part_vanish,
    "pipelining": part_pipelining, "memory": part_memory, "hang": part_hang, "backlog": part_backlog,
    "sigterm": part_sigterm,
}


def main():
    parser = Parser(__doc__)
    parser.add("--only", list(PARTS), "comma-separated", parts_of(PARTS))
    options = parser.parse_args()
    # Service and clients have 10,000 connections each.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with prepared(options, ["--no-fsync", "shared_preload_libraries=pg_stat_statements"], packages=["openssl"]):
        compile_c(options.folder / "generator", "Tests/Benchmarks/load/generator.c")
        draw(options.kept, ("12mp.jpg", "jpeg", 4032, 3024, 8), ("10mb.jpg", "jpeg", 4032, 3024, 40))
        for name in ("12mp.jpg", "10mb.jpg"):
            os.symlink(options.kept / name, options.folder / name)
        # Exactly 10 MB: what follows a JPEG's end is not looked at.
        os.truncate(options.kept / "10mb.jpg", 10_000_000)
        os.sched_setaffinity(0, {options.cores[1]})
        bench = Bench(options)
        try:
            for name, part in PARTS.items():
                if name in options.only:
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
