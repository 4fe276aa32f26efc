"""Starts PostgreSQL, an S3 server, the service, and a FastAPI service that answers the same from the same database
(Tests/Benchmarks/peer), and prints the CPU time that a request costs the service and PostgreSQL, the requests per
second, and two ratios of the CPU time of both together: to GET /healthz, and of the peer to the service.

  feed, feed-304       a group's feed of eight photos, and the same with If-None-Match
  groups, groups-304   the list of one group of eight, and the same with If-None-Match
  five-groups          the list of five groups of twelve
  me                   the caller's profile
  refused, forged      a call whose token is not a token, and one whose token has a wrong signature

32 connections of wrk send each call for a second, with the tokens of all users in rotation; then comes the next call. So
the calls take turns for N rounds, and a slow moment of the machine falls on all of them alike. Servers and PostgreSQL have
one core, wrk has another. Two limits stand beside the calls: a route of Hummingbird alone, and PostgreSQL's CPU time when
pgbench sends the call's SQL. The bench compares the answers of both services first, and ends when they differ.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from typing import Callable, NamedTuple

import answers
import purposes
from bench import ROOT, Parser, parts_of, prepared, swift_package
from people import People
from ports import free_port
from report import report
from servers import Database, Server, s3_environment, start_peer, start_service
from statements import Statements
from wrk import run_wrk

CONNECTIONS = 32


class Call(NamedTuple):
    name: str
    title: str
    users: list
    path: Callable
    status: int = 200
    token: Callable = lambda user: user.token
    is_tagged: bool = False
    has_statements: bool = True
    # At most so many times the cost of /healthz, and the peer's at least so many times the service's.
    healthz_goal: float | None = None
    peer_goal: float | None = None
    has_peer: bool = True


def forged(token):
    """The token with another signature."""
    head, _, signature = token.rpartition(".")
    return f"{head}.{signature[:8]}{'B' if signature[8] == 'A' else 'A'}{signature[9:]}"


def calls(people):
    def feed(user):
        return f"/v1/groups/{user.groups[0]}/photos"

    def groups(_):
        return "/v1/groups"

    def me(_):
        return "/v1/users/me"

    refused = {"status": 401, "has_statements": False}
    unchanged = {"status": 304, "is_tagged": True, "has_peer": False, "healthz_goal": 2.5}
    return [
        Call("feed", "feed of 8 photos", people.eights, feed, healthz_goal=6, peer_goal=8),
        Call("feed-304", "feed, 304", people.eights, feed, **unchanged),
        Call("groups", "one group of eight", people.eights, groups, healthz_goal=4, peer_goal=3.5),
        Call("groups-304", "one group, 304", people.eights, groups, **unchanged),
        Call("five-groups", "five groups of twelve", people.twelves, groups, healthz_goal=9),
        Call("me", "users/me", people.eights, me, healthz_goal=2.5),
        Call("refused", "refused: not a token", people.eights, me, token=lambda user: user.id[::-1] * 8,
             healthz_goal=1.3, **refused),
        Call("forged", "refused: forged token", people.eights, me, token=lambda user: forged(user.token), **refused),
    ]


CALLS = ["feed", "feed-304", "groups", "groups-304", "five-groups", "me", "refused", "forged"]


class Cost(NamedTuple):
    """The microseconds of CPU time of one request."""

    server: float
    database: float
    rate: float

    @property
    def total(self):
        return self.server + self.database


class Load:
    """wrk on the core of the clients."""

    def __init__(self, database, options):
        self.database = database
        self.options = options

    def run(self, server, requests, status):
        before = server.cpu(), self.database.cpu()
        result = run_wrk(self.options, server, requests, status, CONNECTIONS)
        self.settle(server)
        spent = server.cpu() - before[0], self.database.cpu() - before[1]
        if result is None:
            return None
        # The server works on what it was sent to the end, also on the last requests, whose answers wrk does not await.
        return Cost(*(1e6 * seconds / result["sent"] for seconds in spent), result["answered"] / result["seconds"])

    def settle(self, server):
        """Waits until the server has done its last requests."""
        for _ in range(40):
            used = server.cpu()
            time.sleep(0.05)
            if server.cpu() - used < 0.005:
                return


class Bench:
    def __init__(self, options):
        self.options = options
        self.database = Database(options.database)
        self.load = Load(self.database, options)
        environment = s3_environment(options)
        self.service = start_service(options, environment)
        say("signing people in and sending their photos")
        self.people = People(self.service, self.database)
        self.calls = [call for call in calls(self.people) if call.name in options.only]
        self.peer = start_peer(options, environment)
        port = free_port()
        self.bare = Server("bare", [options.bare, str(port)], port, options).start()
        self.statements = Statements(self.database, options.server_log, options)
        self.rounds = []

    def prepare(self):
        say("comparing the answers")
        answers.require_equal(self.service, self.peer, [call for call in self.calls if call.has_peer])
        for call in self.calls:
            if call.has_statements:
                request = next(self.requests(call, call.users[:1]))
                self.statements.record(call, lambda: self.load_once(request))

    def load_once(self, request):
        path, authorization, tag = request
        headers = {"Authorization": authorization} | ({"If-None-Match": tag} if tag else {})
        subprocess.run(["curl", "-sSo", "/dev/null", f"http://127.0.0.1:{self.service.port}{path}"]
                       + [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")], check=True)

    def requests(self, call, users):
        for user in users:
            path, token = call.path(user), call.token(user)
            tag = self.service.get(path, token).headers["ETag"] if call.is_tagged else None
            yield path, "Bearer " + token, tag

    def cost(self, server, call):
        for _ in range(3):
            # The tags change with the window of the photos' URLs. Requests around that instant do not count.
            cost = self.load.run(server, list(self.requests(call, call.users)), call.status)
            if cost:
                return cost
        sys.exit(f"error: {server.name} does not answer {call.name} with {call.status}: see {server.log}")

    def measure_round(self):
        figures = {
            "bare": self.load.run(self.bare, [("/healthz", None, None)], 200),
            "healthz": self.load.run(self.service, [("/healthz", None, None)], 200),
        }
        for call in self.calls:
            figures[call.name] = self.cost(self.service, call)
            if call.has_peer:
                figures[call.name, "peer"] = self.cost(self.peer, call)
            if call.has_statements:
                figures[call.name, "sql"] = 1e6 * self.statements.run(call.name)
        self.rounds.append(figures)

    def median(self, value):
        return statistics.median(value(figures) for figures in self.rounds)

    def cost_of(self, key):
        return {part: round(self.median(lambda figures: getattr(figures[key], part)), 1) for part in Cost._fields}

    def result(self, call):
        name = call.name

        def ratio(above, below):
            return round(self.median(lambda figures: figures[above].total / figures[below].total), 2)

        result = {"service": self.cost_of(name), "times_healthz": ratio(name, "healthz")}
        if call.has_peer:
            result |= {"peer": self.cost_of((name, "peer")), "peer_times_service": ratio((name, "peer"), name)}
        if call.has_statements:
            result["statements_us"] = round(self.median(lambda figures: figures[name, "sql"]), 1)
        return result

    def results(self):
        limits = {name: self.cost_of(name) for name in ("healthz", "bare")}
        return {"rounds": len(self.rounds), **limits, "calls": {call.name: self.result(call) for call in self.calls}}

    def goals(self, results):
        for call in self.calls:
            figures = results["calls"][call.name]
            if call.healthz_goal:
                times = figures["times_healthz"]
                yield f"{call.title}: {times:.2f} × /healthz ({call.healthz_goal:g})", times <= call.healthz_goal
            if call.peer_goal:
                times = figures["peer_times_service"]
                yield f"{call.title}: {times:.2f} × ahead of the peer ({call.peer_goal:g})", times >= call.peer_goal


def show(bench, results):
    print("CPU µs of one request; medians of", results["rounds"], "rounds")
    print(f"{'':24}{'service':>9}{'database':>9}{'/s':>8}{'×healthz':>9}{'SQL alone':>10}"
          f"{'peer':>8}{'database':>9}{'/s':>7}{'×peer':>7}")
    for name, title in (("bare", "bare Hummingbird"), ("healthz", "/healthz")):
        cost = results[name]
        print(f"{title:24}{cost['server']:9.0f}{cost['database']:9.0f}{cost['rate']:8.0f}")
    for call in bench.calls:
        figures = results["calls"][call.name]
        cost, peer = figures["service"], figures.get("peer")
        line = f"{call.title:24}{cost['server']:9.0f}{cost['database']:9.0f}{cost['rate']:8.0f}"
        line += f"{figures['times_healthz']:9.2f}"
        line += f"{figures['statements_us']:10.0f}" if "statements_us" in figures else f"{'':10}"
        if peer:
            line += f"{peer['server']:8.0f}{peer['database']:9.0f}{peer['rate']:7.0f}{figures['peer_times_service']:7.2f}"
        print(line)


def say(text):
    print(f"    {text}", file=sys.stderr, flush=True)


def main():
    parser = Parser(__doc__)
    parser.add("--only", list(CALLS), "comma-separated calls", parts_of(CALLS))
    parser.add("--rounds", 7, "the medians of as many rounds count")
    parser.add_argument("--profile", action="store_true",
                        help="instead of all that, what the service's CPU time of each call is spent on, by samples of perf")
    options = parser.parse_args()
    with prepared(options, ["--no-fsync"], store=True, peer=True, packages=["wrk", "curl", "linux-perf"]):
        # A program of one route, with the library versions of the service.
        bare = ROOT / "Tests/Benchmarks/read/bare"
        shutil.copy(ROOT / "Package.resolved", bare)
        swift_package(bare, options.kept / "bare", "--product bare")
        options.bare = options.kept / "bare/release/bare"
        os.sched_setaffinity(0, {options.cores[1]})
        bench = Bench(options)
        bench.prepare()
        if options.profile:
            return purposes.show(purposes.profile(bench, options.folder))
        for number in range(options.rounds):
            say(f"round {number + 1} of {options.rounds}")
            bench.measure_round()
        results = bench.results()
        report(options, results, lambda results: show(bench, results), bench.goals(results))


if __name__ == "__main__":
    main()
