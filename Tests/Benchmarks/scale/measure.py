"""Fills a database of one PostgreSQL for each size, starts a service for each, and prints what a call costs at each size:
the shared buffers that its statements touch, and the median and 99th percentile of its time.

  feed, feed-304       the feed of a group with ten photos, and the same with If-None-Match
  groups, groups-304   the list of the caller's four groups of eight, and the same with If-None-Match
  me                   the caller's profile
  ticket               the decision about an upload, by POST /v1/groups/{id}/upload-tickets
  sign-in              a code and its verification
  sweep                `dayly sweep --once` with 300 expired photos
  backlog              buffers only: the same with up to 20,000 expired photos, for 300 of them

The calls are sent for random people, one after the other, and the sizes take turns in each round. Before that, PostgreSQL's
auto_explain logs the plans of all statements as they are carried out for the service. Below the figures stand the
statements with the nodes of their plans.
"""

import os
import statistics
import sys
import time
from typing import Callable, NamedTuple

from bench import Parser, numbers, prepared
from caller import time_calls
from filled import Filled
from plans import Plans
from report import report

SIGN_INS = 40  # in a round, at each size
RECORDED = 12  # calls whose plans are read
BATCH = 300  # expired photos for a sweep
BACKLOG = 20_000  # expired photos after an outage, at most; one in ten where there are fewer
LARGE = 64  # pages of a table that no call may read from beginning to end
BUFFERS_GOAL = 1.5
# Rows beyond 1.5 times those at the smallest size. A claim rejects the objects of the sweeper's other three claims, each
# of which has a thousand at most.
REJECTED_GOAL = 4000
P99_GOAL = 1.2


class Call(NamedTuple):
    name: str
    path: Callable = None
    status: int = 200
    is_tagged: bool = False
    body: str | None = None


def feed(person):
    return f"/v1/groups/{person.group}/photos"


CALLS = [
    Call("feed", feed),
    Call("feed-304", feed, 304, is_tagged=True),
    Call("groups", lambda _: "/v1/groups"),
    Call("groups-304", lambda _: "/v1/groups", 304, is_tagged=True),
    Call("me", lambda _: "/v1/users/me"),
    Call("ticket", lambda person: f"/v1/groups/{person.group}/upload-tickets", 201,
         body='{"idempotency_key": "0190a5f2-6c1e-7d3b-9a44-5be0c1d2e3f4"}'),
    Call("sign-in"),
    Call("sweep"),
    Call("backlog"),
]
TIMED = [call for call in CALLS if call.name != "backlog"]


class Side:
    """The calls at one size."""

    def __init__(self, options, photos):
        self.options = options
        say(f"filling a database with {photos:,} photos")
        self.filled = Filled(options, photos)
        say(f"{self.filled.bytes / 1e9:.2f} GB in {self.filled.filling_seconds:.0f} s")
        self.people = self.filled.people(RECORDED if options.buffers_only else options.people)
        self.next_number = 0
        self.backlog = min(photos // 10, BACKLOG)
        self.times = {call.name: [] for call in CALLS}
        self.statements = {}

    # Plans

    def record(self, plans):
        for call in CALLS:
            run, arguments = self.recorded(call)
            self.statements[call.name] = plans.record(self.filled.database, run, arguments)
            if not self.statements[call.name]:
                sys.exit(f"error: PostgreSQL's log has no statement of {call.name}")

    def recorded(self, call):
        if call.name == "sign-in":
            return self.filled.sign_in, [person.number for person in self.people[:RECORDED]]
        if call.name == "sweep":
            # Expired before, so that the log has the sweep's statements only.
            return lambda _: self.filled.sweep(), self.expired(BATCH, times=3)
        if call.name == "backlog":
            return lambda _: self.filled.sweep(), self.expired(self.backlog, is_logged=True)
        return lambda request: self.send(call, request), list(self.requests(call))[:RECORDED]

    def expired(self, count, times=1, is_logged=False):
        """Lets photos expire before each item."""
        for number in range(times):
            self.filled.expire(count, is_logged)
            yield number

    def requests(self, call):
        for person in self.people:
            path = call.path(person)
            tag = self.filled.service.get(path, person.token).headers["ETag"] if call.is_tagged else None
            yield path, "Bearer " + person.token, tag, call.body

    def send(self, call, request):
        path, authorization, tag, body = request

        def ask(tag):
            return self.filled.service.call(
                "POST" if body else "GET", path, authorization.removeprefix("Bearer "), body,
                headers={"If-None-Match": tag} if tag else {})

        answer = ask(tag)
        if tag and answer.status == 200:
            # The window of the photos' URLs has turned since the tag was given.
            answer = ask(answer.headers["ETag"])
        if answer.status != call.status:
            sys.exit(f"error: {call.name} is answered with {answer.status}: see {self.filled.service.log}")

    # Times

    def measure(self, call):
        if call.name == "sign-in":
            self.times[call.name] += [milliseconds(lambda: self.filled.sign_in(number)) for number in self.numbers()]
        elif call.name == "sweep":
            self.filled.expire(BATCH, is_logged=False)
            self.times[call.name].append(milliseconds(self.filled.sweep))
        else:
            self.times[call.name].append(self.load(call))

    def numbers(self):
        start = self.next_number
        self.next_number += SIGN_INS
        return [self.people[number % len(self.people)].number for number in range(start, self.next_number)]

    def load(self, call):
        for _ in range(3):
            # The tags change with the window of the photos' URLs. Requests around that instant do not count.
            times = time_calls(self.filled.service.port, self.requests(call), call.status)
            if times:
                return statistics.median(times), percentile99(times)
        sys.exit(f"error: the service does not answer {call.name} with {call.status}: see {self.filled.service.log}")

    def result(self, call):
        statements = self.statements[call.name]
        buffers = sum(found.buffers for found in statements if not found.is_nested)
        result = {
            "buffers": round(buffers * BATCH / self.backlog) if call.name == "backlog" else buffers,
            "statements": [found._asdict() for found in statements],
        }
        times = self.times[call.name]
        if times and isinstance(times[0], tuple):
            p50, p99 = (statistics.median(part) for part in zip(*times))
        elif times:
            p50, p99 = statistics.median(times), percentile99(sorted(times))
        else:
            return result
        return result | {"p50_ms": round(p50, 2), "p99_ms": round(p99, 2)}

    def large_tables(self):
        rows = self.filled.database.value(
            f"SELECT relname FROM pg_class WHERE relkind = 'r' AND relpages > {LARGE}"
            " AND relnamespace = 'public'::regnamespace")
        return set(rows.splitlines())


def percentile99(ordered):
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]


def milliseconds(run):
    began = time.monotonic()
    run()
    return 1e3 * (time.monotonic() - began)


def goals(results, sizes, large):
    """(text, whether it is met) for each call, between the smallest and the largest size."""
    small, big = str(sizes[0]), str(sizes[-1])
    for call in CALLS:
        before, after = results[small][call.name], results[big][call.name]
        ratio = after["buffers"] / before["buffers"]
        yield f"{call.name}: {ratio:.2f} times the buffers, at most {BUFFERS_GOAL}", ratio <= BUFFERS_GOAL
        scanned = sorted(large.intersection(*[set().union(*(found["scanned"] for found in after["statements"]))]))
        yield f"{call.name}: reads no large table from beginning to end {' '.join(scanned)}".strip(), not scanned
        for text, was, now in rejections(before, after):
            is_met = now <= 1.5 * was + REJECTED_GOAL
            if not is_met:
                yield f"{call.name}: reads {now} rows in vain, {was} at {sizes[0]:,} photos: {text[:70]}", is_met
        # A round has one sweep only, so its 99th percentile would be its slowest run.
        figure = "p50_ms" if call.name == "sweep" else "p99_ms"
        if figure in after:
            ratio = after[figure] / before[figure]
            yield f"{call.name}: {ratio:.2f} times the {figure[:3]}, at most {P99_GOAL}", ratio <= P99_GOAL


def rejections(before, after):
    """(statement, rows that it rejected at the smaller size, the same at the larger size)"""
    was = {found["text"]: found["rejected"] for found in before["statements"]}
    return [(found["text"], was.get(found["text"], 0), found["rejected"]) for found in after["statements"]]


def show(results, sizes):
    print(f"{'':12}" + "".join(f"{size:>26,}" for size in sizes))
    print(f"{'':12}" + f"{'buffers   p50 ms   p99 ms':>26}" * len(sizes))
    for call in CALLS:
        line = f"{call.name:12}"
        for size in sizes:
            result = results[str(size)][call.name]
            times = [f"{result[name]:9.2f}" if name in result else f"{'':9}" for name in ("p50_ms", "p99_ms")]
            line += f"{result['buffers']:8}" + "".join(times)
        print(line)
    print(f"\nplans at {sizes[-1]:,} photos: buffers in a call (at {sizes[0]:,}) in how many runs, statement, nodes")
    for call in CALLS:
        print(call.name)
        before = {found["text"]: found["buffers"] for found in results[str(sizes[0])][call.name]["statements"]}
        for found in results[str(sizes[-1])][call.name]["statements"]:
            was = before.get(found["text"], "-")
            nested = " in a trigger or function" if found["is_nested"] else ""
            print(f"  {found['buffers']:6} ({was:>6}) in {found['times']}{nested}  {found['text'][:100]}")
            rejected = f"; {found['rejected']} rejected" if found["rejected"] else ""
            print(f"      {', '.join(found['nodes'])}{rejected}")


def say(text):
    print(f"    {text}", file=sys.stderr, flush=True)


def measure(options):
    sides = [Side(options, photos) for photos in options.sizes]
    large = sides[-1].large_tables()
    # First, while no service has cached anything.
    say("reading the plans")
    for side in sides:
        side.record(Plans(options.server_log))
    if not options.buffers_only:
        for number in range(options.rounds):
            say(f"round {number + 1} of {options.rounds}")
            for call in TIMED:
                for side in sides:
                    side.measure(call)
    results = {str(side.filled.photos): {call.name: side.result(call) for call in CALLS} for side in sides}
    return results, list(goals(results, options.sizes, large))


def main():
    parser = Parser(__doc__)
    parser.add("--sizes", [10_000, 100_000, 1_000_000, 10_000_000], "live photos, in thousands; the last size needs 21 GB", numbers)
    parser.add_argument("--buffers-only", action="store_true",
                        help="plans and buffers, no times: takes less than a minute for --sizes 10000,100000")
    parser.add("--rounds", 21, "of the times")
    parser.add("--people", 400, "people who call")
    options = parser.parse_args()
    if len(options.sizes) < 2 or any(size % 1000 for size in options.sizes):
        parser.error("--sizes: two or more thousands")
    # auto_explain writes JSON to data/log/plans.json. Statistics change by our own VACUUM only. The shared buffers hold what the
    # asked people read at every size, as they do on a machine that somebody chose for so many photos.
    with prepared(options, [
            "--no-fsync", "session_preload_libraries=auto_explain", "logging_collector=on", "log_destination=jsonlog",
            "log_filename=plans.log", "log_rotation_age=0", "log_rotation_size=0", "autovacuum=off", "wal_level=minimal",
            "max_wal_senders=0", "max_wal_size=4GB", "shared_buffers=1GB"]):
        options.server_log = os.path.join(os.path.dirname(options.server_log), "data/log/plans.json")
        os.sched_setaffinity(0, {options.cores[1]})
        results, checked = measure(options)
        report(options, results, lambda results: show(results, options.sizes), checked)


if __name__ == "__main__":
    main()
