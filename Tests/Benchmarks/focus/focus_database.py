"""The database part of `scripts/bench focus`: syncs, boards and the close of leagues."""

import json
import os
import random
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

from caller import time_calls
from ports import free_port
from servers import Database, Server
from service_process import settings_environment
from sign_in import sign_in
from transactions import Transactions, pgbench
from wrk import run_wrk

CONNECTIONS = 32
# From one sync of a phone to the next: a lock, 70 s later an unlock, and 20 s in the hand.
STEP = 90
# The syncs of one phone that a round may send.
SHARE = 40
WARM = 40
HERE = os.path.dirname(os.path.abspath(__file__))


def say(text):
    print(f"    {text}", file=sys.stderr, flush=True)


class Person(NamedTuple):
    id: str
    device: str
    group: str
    token: str


class Deployment:
    """A database of its own, with the service's schema, filled by a script."""

    def __init__(self, options, name, script, users):
        self.options, self.name, self.users = options, name, users
        self.script = os.path.join(HERE, script)
        url = options.database.rpartition("/")[0] + "/" + name
        subprocess.run(["psql", "-qX", "-c", f"CREATE DATABASE {name}", options.database], check=True)
        self.database = Database(url)
        folder, port = os.path.join(options.folder, name), free_port()
        self.environment = settings_environment({
            "environment": "development", "data_dir": folder, "database.url": url,
            "database.migrations_path": options.migrations, "http.port": port,
            "http.public_url": f"http://127.0.0.1:{port}", "http.admin_port": free_port(),
            # Longer than the bench takes.
            "auth.access_token_lifetime": "1d", "limits.enforce_rates": "false", "sms.kind": "console",
            "storage.kind": "filesystem", "storage.path": os.path.join(folder, "objects"),
            "photos.sweep_interval": "4m", "audit.interval": "0s", "features": "photos,focus",
        })
        self.dayly("migrate")
        self.fill()

    def fill(self):
        say(f"filling a database with {self.users:,} users ({os.path.basename(self.script)})")
        subprocess.run(
            ["psql", "-qX", f"--set=users={self.users}", f"--set=zone={evening_zone()}", f"--file={self.script}",
             self.database.url], check=True, stdout=subprocess.DEVNULL)

    def dayly(self, *arguments):
        return subprocess.run(
            ["taskset", "-c", str(self.options.cores[0]), os.path.join(self.options.products, "dayly"), *arguments],
            env=self.environment, check=True, capture_output=True, text=True).stdout


def evening_zone():
    """A zone in which most of the day is over, so that a day has room for all syncs."""
    hours = 22 - time.gmtime().tm_hour
    hours = hours if hours <= 14 else hours - 24
    # The names of these zones count the other way.
    return f"Etc/GMT{-hours:+d}" if hours else "UTC"


class Side(Deployment):
    """A service over a database of one size, and the people who call it."""

    def __init__(self, options, users):
        super().__init__(options, f"focus_{users}", "users.sql", users)
        self.service = Server.dayly(self.name, options, self.environment)
        self.log = open(self.service.log, errors="replace")
        say("signing people in")
        self.people = self.find(min(options.people, users // 1000 if users >= 100_000 else users // 20))
        self.board_times = []

    def find(self, count):
        """People of whom the database has no events yet, with one of their groups."""
        numbers = random.Random(1).sample(range(0, self.users, 1000 if self.users >= 100_000 else 20), count)
        rows = self.database.value(f"""
            SELECT u.phone_number, u.id, d.id, (SELECT group_id FROM group_members m WHERE m.user_id = u.id LIMIT 1)
            FROM unnest(ARRAY{numbers}) AS number
            JOIN users u ON u.phone_number = '+491511' || lpad(number::text, 7, '0')
            JOIN focus_devices d ON d.user_id = u.id""").splitlines()
        ids = ", ".join(f"'{row.split('|')[1]}'" for row in rows)
        self.database.run("".join(
            f"DELETE FROM {table} WHERE user_id IN ({ids});" for table in ("focus_event_days", "focus_days")))
        return [Person(user, device, group, sign_in(self.service, self.log, number)["access_token"])
                for number, user, device, group in (row.split("|") for row in rows)]

    def boards(self, people):
        return [(f"/v1/focus/groups/{person.group}/board", "Bearer " + person.token, None) for person in people]

    def time_boards(self):
        times = time_calls(self.service.port, [(*request, None) for request in self.boards(self.people)], 200)
        if not times:
            sys.exit(f"error: the service does not answer boards with 200: see {self.service.log}")
        self.board_times.append((statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]))


class Syncs:
    """Syncs of the people at one size."""

    def __init__(self, side, options):
        self.side, self.options = side, options
        self.seq, self.runs = 1, 0
        # The first event of today's, an hour into the evening zone's day.
        self.began = (int(time.time()) // 3600 - 20) * 3600
        self.people = side.people
        self.path = os.path.join(options.folder, "phones")
        with open(self.path, "w") as file:
            file.writelines(f"Bearer {person.token}\t{person.device}\n" for person in self.people)

    def warm(self):
        """Six days of 100 events, and the syncs of today so far."""
        days = [(self.began - day * 86_400, 50) for day in range(6, 0, -1)]
        for person in self.people:
            seq = 1
            for half in (days[:3], days[3:]):
                events = []
                for began, count in half:
                    for turn in range(count):
                        events += pair(seq, began + turn * 900)
                        seq += 2
                self.send(person, events)
            for turn in range(WARM):
                self.send(person, pair(seq, self.began + turn * STEP))
                seq += 2
        self.seq, self.began = 601 + 2 * WARM, self.began + WARM * STEP

    def send(self, person, events):
        body = {"device_id": person.device, "client_time": stamp(time.time()), "events": events}
        answer = self.side.service.call("POST", "/v1/focus/sync", person.token, body)
        if answer.status != 200 or answer.json["rejected"]:
            sys.exit(f"error: a sync is answered with {answer.status}: {answer.body[:300]}")

    def send_next(self, person):
        self.send(person, pair(self.seq, self.began))

    def skip(self, syncs):
        self.seq, self.began = self.seq + 2 * syncs, self.began + syncs * STEP

    def rate(self, seconds):
        output = subprocess.run(
            ["taskset", "-c", str(self.options.cores[1]), "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout",
             "20s", "-s", os.path.join(HERE, "sync.lua"), f"http://127.0.0.1:{self.side.service.port}", "--", self.path,
             str(self.seq), str(self.began), str(STEP)], check=True, capture_output=True, text=True).stdout
        result = json.loads(output.splitlines()[-1])
        if result["strays"] or result["broken"] or result["sent"] > SHARE * len(self.people):
            sys.exit(f"error: syncs are not answered with 200, or there are too many: {result}: see {self.side.service.log}")
        self.skip(SHARE)
        return result["answered"] / result["seconds"]


def pair(seq, at):
    return [{"seq": seq + number, "kind": kind, "source": "automatic", "at": stamp(at + 70 * number)}
            for number, kind in enumerate(("lock", "unlock"))]


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


class Closing(Deployment):
    """The close of the leagues of a week, beside one bare UPDATE of as many seats."""

    BARE = """
        UPDATE bare b SET place = r.place FROM (
            SELECT s.week, s.user_id, rank() OVER (
                PARTITION BY s.tier, s.number ORDER BY w.xp + w.usage_points DESC, w.xp DESC) AS place
            FROM bare s JOIN focus_weeks w ON w.user_id = s.user_id AND w.week = s.week
        ) r WHERE b.week = r.week AND b.user_id = r.user_id;"""

    def __init__(self, options):
        super().__init__(options, "focus_seats", "seats.sql", options.seats)

    def measure(self):
        """The seconds of the close and of the bare UPDATE."""
        self.fill()
        bare = seconds_of(lambda: self.database.run(self.BARE))
        self.database.run("VACUUM (ANALYZE) bare; CHECKPOINT;")
        closing = seconds_of(lambda: self.dayly("focus", "run"))
        idle = seconds_of(lambda: self.dayly("focus", "run"))
        closed = self.database.value("SELECT count(*) FROM focus_seats WHERE place IS NOT NULL")
        if int(closed) != self.users:
            sys.exit(f"error: {closed} of {self.users} seats are closed")
        return closing - idle, bare


def seconds_of(run):
    began = time.monotonic()
    run()
    return time.monotonic() - began


def measure(options):
    """The figures, and the goals as texts with whether they are met."""
    sides = [Side(options, users) for users in options.sizes]
    large = sides[-1]
    syncs = Syncs(large, options)
    say("a week of events for the people")
    syncs.warm()
    asked = large.people[:CONNECTIONS]
    transactions = Transactions(large.database, options.server_log, options)
    say("recording the statements")
    transactions.record("sync", asked, syncs.send_next)
    syncs.skip(1)
    transactions.record("board", asked, lambda person: large.service.get(*large.boards([person])[0][:1], person.token))
    plain = plain_script(large, syncs.people)
    rounds = []
    for number in range(options.rounds):
        say(f"round {number + 1} of {options.rounds}")
        rounds.append(measure_round(options, large, syncs, transactions, plain))
        for side in sides:
            side.time_boards()
    for side in sides:
        side.service.stop()
    closing = Closing(options)
    closes = [closing.measure() for _ in range(min(options.rounds, 3))]
    return results(options, sides, rounds, closes)


def plain_script(side, people):
    ids = ", ".join(f"('{person.id}'::uuid)" for person in people)
    side.database.run(f"CREATE TABLE asked AS SELECT user_id FROM (VALUES {ids}) AS ids (user_id);")
    subprocess.run(["psql", "-qX", f"--file={HERE}/plain.sql", side.database.url], check=True, stdout=subprocess.DEVNULL)
    return ["-f", os.path.join(HERE, "plain.pgbench"), f"-Dpeople={len(people)}"]


def measure_round(options, side, syncs, transactions, plain):
    figures = {"syncs": syncs.rate(options.seconds)}
    # A transaction that is repeated appends its events again, so the days are put back afterwards.
    side.database.run("DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT * FROM focus_event_days e"
                      " WHERE user_id IN (SELECT user_id FROM asked);")
    figures["sync_statements"] = transactions.rate("sync", options.seconds)
    side.database.run("UPDATE focus_event_days e SET events = k.events, last_seq = k.last_seq FROM kept k"
                      " WHERE e.user_id = k.user_id AND e.device = k.device AND e.day = k.day;")
    figures["plain"] = pgbench(side.database, options, [plain], options.seconds, CONNECTIONS)
    wrk = run_wrk(options, side.service, side.boards(side.people), 200, CONNECTIONS, options.seconds)
    if wrk is None:
        sys.exit(f"error: the service does not answer boards with 200: see {side.service.log}")
    figures["boards"] = wrk["answered"] / wrk["seconds"]
    figures["board_statements"] = transactions.rate("board", options.seconds)
    return figures


def results(options, sides, rounds, closes):
    def median(value):
        return statistics.median(value(figures) for figures in rounds)

    figures = {name: round(median(lambda found: found[name])) for name in rounds[0]}
    figures["boards_by_users"] = {
        side.users: dict(zip(("p50_ms", "p99_ms"), (round(statistics.median(part), 3) for part in zip(*side.board_times))))
        for side in sides}
    close, bare = (statistics.median(part) for part in zip(*closes))
    figures |= {"seats": options.seats, "close_seconds": round(close, 2), "bare_update_seconds": round(bare, 2)}
    small, big = (figures["boards_by_users"][side.users]["p99_ms"] for side in (sides[0], sides[-1]))
    ratios = [
        ("syncs for each pgbench of the same statements", median(lambda f: f["syncs"] / f["sync_statements"]), 0.5),
        ("syncs for each sync that keeps rows and recalculates the week", median(lambda f: f["syncs"] / f["plain"]), 3),
        ("boards for each pgbench of the same statements", median(lambda f: f["boards"] / f["board_statements"]), 0.5),
        ("seats closed for each seat of a bare UPDATE with rank()",
         statistics.median(bare / close for close, bare in closes), 0.5),
    ]
    goals = [(f"{ratio:.2f} {text}, at least {least}", ratio >= least) for text, ratio, least in ratios]
    goals.append((f"{big / small:.2f} times the p99 of a board at {sides[-1].users:,} users, at most 1.2", big / small <= 1.2))
    return figures, goals
