"""Starts a cluster of Dayly on one machine, plays people at it, breaks it, and says whether all was kept: see scripts/cluster.

Runs as root in namespaces of its own (network, mounts, processes), which scripts/cluster makes.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

from boxes import path
from faults import Faults
from topology import CLIENTS_PORT, SERVICE, STORE, Cluster
from verdict import Verdict

STARTED = time.monotonic()


def say(text):
    print(f"{time.monotonic() - STARTED:7.1f} s  {text}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/cluster", add_help=False)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--fault-every", type=float, default=None)
    parser.add_argument("--streams", type=int, default=None)
    parser.add_argument("--rate", type=float, default=None)
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--only", choices=Faults.ALL)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--without", choices=["synchronous", "retries", "keys"])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--products", default=".build/debug")
    options = parser.parse_args()
    options.products = os.path.abspath(options.products)
    is_long = options.minutes >= 20
    options.fault_every = options.fault_every or (5 if options.quick else 10)
    options.streams = options.streams or (40 if options.quick else 500 if is_long else 120)
    # After a failover everybody's photo of that time comes at once, to a store that shares two cores with all else.
    options.rate = options.rate or (2 if is_long else 3)
    options.groups = 15 if is_long else 5
    options.lifetime = 20 if options.quick else 60 if is_long else 30
    return options


class Load:
    """The people: `fault-harness cluster`, which keeps step over its standard streams."""

    def __init__(self, cluster, options):
        self.report_file = path("report.json")
        plan = {
            "url": SERVICE, "databaseURL": cluster.postgres.url(), "storeURL": STORE,
            "bucket": "cluster", "accessKeyID": "test:tester", "secretAccessKey": cluster.store.secret,
            "messagesPort": CLIENTS_PORT, "groups": options.groups, "streams": options.streams,
            "turnsPerSecond": options.rate, "photoLifetime": options.lifetime,
            "urlLifetime": options.lifetime // 2, "retries": options.without != "retries",
            "keepsKeys": options.without != "keys"}
        with open(path("plan.json"), "w", encoding="utf-8") as file:
            json.dump(plan, file)
        program = cluster.load(options.products, path("plan.json"), self.report_file)
        with open(program.log, "ab") as log:
            self.process = subprocess.Popen(
                cluster.clients.enter(*program.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                text=True, env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": path()})
        self.log = program.log

    def expect(self, step):
        line = self.process.stdout.readline().strip()
        if line != step:
            self.process.kill()
            with open(self.log, encoding="utf-8") as file:
                raise RuntimeError(f"the load says '{line}' instead of '{step}':\n{file.read()[-3000:]}")

    def answer(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def report(self):
        if self.process.wait(120):
            raise RuntimeError("the load failed")
        with open(self.report_file, encoding="utf-8") as file:
            return json.load(file)


class Watch(threading.Thread):
    """Reads the nodes' metrics once a second, and the growth of PostgreSQL's log."""

    def __init__(self, cluster):
        super().__init__(daemon=True)
        self.cluster, self.lag, self.is_over = cluster, 0.0, False
        self.wal = -cluster.postgres.wal()

    def run(self):
        while not self.is_over:
            for node in self.cluster.nodes:
                self.lag = max(self.lag, node.metrics().get("dayly_sweeper_lag_seconds", 0.0))
            time.sleep(1)

    def stop(self):
        self.is_over = True
        self.wal += self.cluster.postgres.wal()


def play(cluster, options):
    """Load and faults, until everything is healed."""
    load = Load(cluster, options)
    load.expect("ready")
    say(f"{options.groups * 12} memberships, {options.streams} streams; seed {options.seed}")
    faults, watch = Faults(cluster, options.seed, say), Watch(cluster)
    watch.start()
    if options.quick:
        faults.play_short(options.fault_every)
    elif options.only:
        faults.play_only(options.only, options.minutes * 60, options.fault_every)
    else:
        seconds = options.minutes * 60
        faults.play(seconds, options.fault_every, primary_at=min(60, seconds / 3), primary_every=300,
                    upgrade_at=seconds / 2)
    cluster.heal()
    say("everything runs again")
    load.answer("end")
    load.expect("played")
    watch.stop()
    load.answer("rest")
    load.expect("rested")
    return load, faults, watch


def settle(cluster, load):
    """Ends the nodes, sweeps what is left, and lets the load judge."""
    surprises = [f"{program.name} ended with {status}" for program in cluster.programs()
                 for _, status in program.surprises]
    for node in cluster.nodes:
        status = node.program.end(signal.SIGTERM, within=90)
        if status:
            surprises.append(f"{node.name} ended with {status} after SIGTERM")
    load.answer("stopped")
    for _ in range(3):
        load.expect("sweep")
        swept = cluster.nodes[0].command("sweep", "--once")
        load.answer("swept" if swept.returncode == 0 else f"{swept.stdout}{swept.stderr}".replace("\n", " "))
    return surprises


def main():
    options = arguments()
    cluster = Cluster(options, os.getcwd())
    cluster.start()
    say("three nodes, three PostgreSQL and two gateways run")
    load, faults, watch = play(cluster, options)
    surprises = settle(cluster, load)
    endings = sum(node.log().count("went back in time") for node in cluster.nodes)
    verdict = Verdict(faults.done, load.report(), watch, surprises, endings)
    print(verdict, flush=True)
    say("passed" if verdict.is_passed else "FAILED")
    if options.keep:
        say("kept: end it by Ctrl-C")
        signal.pause()
    return 0 if verdict.is_passed else 1


if __name__ == "__main__":
    sys.exit(main())
