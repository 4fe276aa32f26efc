"""Starts PostgreSQL, an S3 server, the service, and a FastAPI service with Pillow that does the same with the same database and
bucket (Tests/Benchmarks/peer), sends both a JPEG of 12 megapixels again and again, two at a time, and prints the CPU time
that an upload costs: the server, its photo workers and PostgreSQL, and all of them beside the peer. The peer makes no
ThumbHash and keeps no event, no notification and no idempotency key. Both take turns. Servers and PostgreSQL have one core,
the client has another.
"""

import concurrent.futures
import os
import statistics
import sys
import time
import uuid
from typing import NamedTuple

from bench import Parser, draw, prepared
from report import report
from servers import Database, s3_environment, start_peer, start_service
from sign_in import sign_in

USERS = 8
# Uploads at a time: one is decoded on the servers' core while another one arrives.
AT_ONCE = 2
# The goals of --check: shares of the photo worker's CPU time, and the peer's CPU time over the service's.
SERVICE_SHARE, DATABASE_SHARE, PEER_TIMES = 0.14, 0.046, 3


class Cost(NamedTuple):
    """The milliseconds of CPU time of one upload, and uploads per second."""

    server: float
    workers: float
    database: float
    rate: float

    @property
    def total(self):
        return self.server + self.workers + self.database


class Bench:
    def __init__(self, options):
        self.options = options
        self.database = Database(options.database)
        environment = s3_environment(options)
        self.service = start_service(options, environment)
        with open(options.picture, "rb") as file:
            self.picture = file.read()
        self.places = list(self.make_places())
        self.peer = start_peer(options, environment)
        self.rounds = []

    def make_places(self):
        """A token and a group for each upload of the bench: nobody sends two photos a day to one group."""
        rows = []
        with open(self.service.log, errors="replace") as log:
            users = [sign_in(self.service, log, f"+4915112{index:06}", first_name=f"Name {index}",
                             time_zone="Europe/Berlin") for index in range(USERS)]
        for number in range((self.options.rounds + 1) * self.options.uploads):
            user, group = users[number % USERS], uuid.uuid4()
            rows.append(f"INSERT INTO groups (id, name) VALUES ('{group}', 'Breakfast');"
                        f"INSERT INTO group_members (group_id, user_id) VALUES ('{group}', '{user['user']['id']}');")
            yield user["access_token"], group
        self.database.run("BEGIN;" + "\n".join(rows) + "COMMIT; VACUUM ANALYZE;")

    def measure(self, server, number):
        start = number * self.options.uploads
        places = self.places[start:start + self.options.uploads]
        before = self.spent(server)
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda place: self.send(server, *place), places))
        rate = len(places) / (time.monotonic() - began)
        time.sleep(0.3)
        after = self.spent(server)
        return Cost(*(1e3 * (now - then) / len(places) for now, then in zip(after, before)), rate)

    def send(self, server, token, group):
        answer = server.call("POST", f"/v1/groups/{group}/photos", token, self.picture, "image/jpeg")
        if answer.status != 201:
            sys.exit(f"error: {server.name} answers {answer.status}: {answer.body[:200]}")

    def spent(self, server):
        """Seconds of CPU time: of the server, of its photo workers that have ended, and of PostgreSQL."""
        with open(f"/proc/{server.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        workers = sum(int(field) for field in fields[13:15]) / os.sysconf("SC_CLK_TCK")
        return server.cpu(), workers, self.database.cpu()

    def run(self):
        # The first round warms up and does not count.
        for number in range(self.options.rounds + 1):
            say(f"round {number} of {self.options.rounds}" if number else "warming up")
            figures = [self.measure(server, number) for server in (self.service, self.peer)]
            if number:
                self.rounds.append(figures)

    def results(self):
        def median(value):
            return statistics.median(value(*figures) for figures in self.rounds)

        return {
            "rounds": len(self.rounds), "uploads": self.options.uploads, "picture_bytes": len(self.picture),
            "service": {name: round(median(lambda own, _, name=name: getattr(own, name)), 2) for name in Cost._fields},
            "peer": {name: round(median(lambda _, peer, name=name: getattr(peer, name)), 2) for name in Cost._fields},
            "service_share": round(median(lambda own, _: own.server / own.workers), 3),
            "database_share": round(median(lambda own, _: own.database / own.workers), 3),
            "peer_times_service": round(median(lambda own, peer: peer.total / own.total), 2),
        }


def goals(results):
    service, database, peer = (results[name] for name in ("service_share", "database_share", "peer_times_service"))
    yield f"service: {service:.3f} of the photo worker's CPU time ({SERVICE_SHARE})", service <= SERVICE_SHARE
    yield f"PostgreSQL: {database:.3f} of the photo worker's CPU time ({DATABASE_SHARE})", database <= DATABASE_SHARE
    yield f"{peer:.2f} × ahead of the peer ({PEER_TIMES})", peer >= PEER_TIMES


def show(results):
    print(f"CPU ms of one upload of {results['picture_bytes']:,} bytes; medians of {results['rounds']} rounds of "
          f"{results['uploads']}")
    print(f"{'':10}{'server':>9}{'workers':>9}{'database':>9}{'together':>9}{'/s':>7}")
    for name in ("service", "peer"):
        cost = Cost(**results[name])
        print(f"{name:10}{cost.server:9.1f}{cost.workers:9.1f}{cost.database:9.1f}{cost.total:9.1f}{cost.rate:7.1f}")


def say(text):
    print(f"    {text}", file=sys.stderr, flush=True)


def main():
    parser = Parser(__doc__)
    parser.add("--rounds", 7, "the medians of as many rounds count")
    parser.add("--uploads", 24, "uploads in a round")
    options = parser.parse_args()
    with prepared(options, ["--no-fsync"], store=True, peer=True):
        draw(options.kept, ("12mp.jpg", "jpeg", 4032, 3024, 8))
        options.picture = options.kept / "12mp.jpg"
        os.sched_setaffinity(0, {options.cores[1]})
        bench = Bench(options)
        bench.run()
        results = bench.results()
        report(options, results, show, goals(results))


if __name__ == "__main__":
    main()
