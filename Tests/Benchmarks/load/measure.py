"""Measures a running service under too much load; called by `bench`, which says what it prints."""

import argparse
import hashlib
import http.client
import http.server
import json
import os
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid
import zlib

USERS = 96
GROUP_SIZE = 8
UPLOAD_GROUPS = 40


def say(text):
    print(f"    {text}", file=sys.stderr, flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def png(width=64, height=48):
    """A small picture, as large as its pixels."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + bytes((x * y + x) % 256 for x in range(width * 3)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


class Process:
    """A `dayly serve`."""

    running = []

    def __init__(self, options, name, **settings):
        self.options = options
        self.port = free_port()
        self.admin_port = free_port()
        self.log = os.path.join(options.folder, name + ".log")
        folder = os.path.join(options.folder, "data")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("DAYLY_")}
        values = {
            "environment": "development", "data_dir": folder, "database.url": options.database,
            "database.migrations_path": options.migrations, "http.port": self.port,
            "http.public_url": "http://127.0.0.1:8080", "http.admin_port": self.admin_port,
            "limits.enforce_rates": "false", "log.format": "json",
            "storage.path": os.path.join(folder, "objects"),
        }
        values.update({key.replace("__", "."): value for key, value in settings.items()})
        for key, value in values.items():
            self.environment["DAYLY_" + key.upper().replace(".", "_")] = str(value)
        self.binary = os.path.join(options.products, "dayly")
        self.child = None

    def run(self, *arguments):
        subprocess.run([self.binary, *arguments], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def start(self):
        log = open(self.log, "wb")
        self.child = subprocess.Popen(
            ["taskset", "-c", str(self.options.cores[0]), self.binary, "serve"], env=self.environment,
            stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.child.poll() is not None:
                break
            try:
                if self.call("GET", "/healthz")[0] == 200:
                    Process.running.append(self)
                    return self
            except OSError:
                time.sleep(0.1)
        sys.exit(f"the service does not start: see {self.log}")

    def stop(self, how=signal.SIGTERM, seconds=90):
        if self.child and self.child.poll() is None:
            self.child.send_signal(how)
            try:
                return self.child.wait(seconds)
            except subprocess.TimeoutExpired:
                self.child.kill()
        return self.child.wait() if self.child else None

    def call(self, method, path, token=None, body=None, kind="application/json", port=None):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=60)
        headers = {"Content-Type": kind} if body is not None else {}
        if token:
            headers["Authorization"] = "Bearer " + token
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def metric(self, name):
        """The sum of a metric's series."""
        text = self.call("GET", "/metrics", port=self.admin_port)[1].decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
                   if re.match(re.escape(name) + r"[ {]", line))

    @property
    def pid(self):
        return self.child.pid

    def cpu(self):
        """Seconds of CPU time, of the decoders that have ended too."""
        fields = open(f"/proc/{self.pid}/stat").read().rsplit(")", 1)[1].split()
        return sum(int(fields[index]) for index in (11, 12)) / os.sysconf("SC_CLK_TCK")

    def held(self):
        status = open(f"/proc/{self.pid}/status").read()
        rss = int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
        threads = int(re.search(r"Threads:\s+(\d+)", status).group(1))
        return {"rss_mib": rss, "threads": threads, "descriptors": len(os.listdir(f"/proc/{self.pid}/fd"))}


class People:
    """Users who are signed in, their groups, and requests as bytes."""

    def __init__(self, service, options):
        self.service = service
        self.options = options
        self.folder = options.folder
        self.resets = 0

    def sql(self, text):
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", self.options.database], input=text.encode(),
                       check=True, stdout=subprocess.DEVNULL)

    def sign_in(self):
        self.users = []
        with open(self.service.log, errors="replace") as log:
            for index in range(USERS):
                number = f"+4915112{index:06}"
                _, body = self.service.call("POST", "/v1/auth/request-verification", body={"phone_number": number})
                verification = json.loads(body)["verification_id"]
                code = self.code(log, number)
                status, body = self.service.call("POST", "/v1/auth/verify", body={
                    "verification_id": verification, "code": code, "first_name": f"U{index}"})
                if status != 200:
                    sys.exit(f"cannot sign in: {status} {body[:200]}")
                answer = json.loads(body)
                self.users.append((answer["user"]["id"], answer["access_token"]))

    def code(self, log, number):
        deadline = time.monotonic() + 20
        text = ""
        while time.monotonic() < deadline:
            text += log.read()
            found = re.findall(re.escape(number) + r"\D.*?code is: (\d{6})", text)
            if found:
                return found[-1]
            time.sleep(0.01)
        sys.exit("the log has no code")

    def make_groups(self):
        """Groups of eight with eight photos each; and for each user forty groups to send to."""
        rows, self.groups, self.pairs = [], [], []
        for index, (user, _) in enumerate(self.users):
            if index % GROUP_SIZE == 0:
                self.groups.append(str(uuid.uuid4()))
                rows.append(f"INSERT INTO groups (id, name) VALUES ('{self.groups[-1]}', 'Breakfast');")
            rows.append(f"INSERT INTO group_members (group_id, user_id) VALUES ('{self.groups[-1]}', '{user}');")
        for _ in range(UPLOAD_GROUPS):
            for index, (user, _) in enumerate(self.users):
                group = str(uuid.uuid4())
                rows.append(f"INSERT INTO groups (id, name) VALUES ('{group}', 'Mine');"
                            f"INSERT INTO group_members (group_id, user_id) VALUES ('{group}', '{user}');")
                self.pairs.append((index, group))
        self.sql("BEGIN;" + "\n".join(rows) + "COMMIT; ANALYZE;")
        picture = png()
        for index, (_, token) in enumerate(self.users):
            group = self.groups[index // GROUP_SIZE]
            status, body = self.service.call("POST", f"/v1/groups/{group}/photos", token, picture, "image/png")
            if status != 201:
                sys.exit(f"cannot send a photo: {status} {body[:200]}")

    def new_day(self):
        """As if everybody's photos were of an earlier day."""
        self.resets += 1
        self.sql(f"""UPDATE photos SET sent_on = sent_on - {1000 + self.resets} WHERE sent_on > current_date - 5;
                     UPDATE photo_slots SET last_sent_on = last_sent_on - {1000 + self.resets}
                     WHERE last_sent_on > current_date - 5;""")

    def write(self, name, requests):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            for request in requests:
                file.write(b"%d\n%s" % (len(request), request))
        return path

    @staticmethod
    def request(method, path, token=None, body=None, kind="application/json", length=None):
        head = f"{method} {path} HTTP/1.1\r\nHost: dayly.test\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        if body is not None or length is not None:
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body) if length is None else length}\r\n"
        return head.encode() + b"\r\n" + (body or b"")

    def value(self, text):
        return subprocess.run(["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", self.options.database, "-c", text], check=True,
                              capture_output=True, text=True).stdout.strip()

    def statements(self):
        """How many statements clients have sent so far, BEGIN and COMMIT included."""
        return int(self.value("SELECT sum(calls) FROM pg_stat_statements"))

    def notify(self, count):
        """A device for each user, and so many messages to them about today's photos of others, due in an hour."""
        self.sql(f"""CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
            UPDATE photos SET sent_on = current_date, expires_at = now() + interval '1 day'
            WHERE id IN (SELECT DISTINCT ON (group_id, sender_id) id FROM photos
                         WHERE expires_at > now() ORDER BY group_id, sender_id, created_at DESC);
            INSERT INTO devices (id, digest, token, platform, user_id, session_id)
            SELECT gen_random_uuid(), sha256(s.id::text::bytea), replace(s.id::text, '-', ''), 'android', s.user_id,
                   s.id
            FROM sessions s WHERE s.ended_at IS NULL;
            INSERT INTO outbox (id, topic, key, user_id, payload, due_at, expires_at, keep_until, lanes)
            SELECT gen_random_uuid(), 'notice', 'bench ' || n, pair.reader,
                   jsonb_build_object('kind', 'photo', 'group', pair.group_id, 'subject', pair.photo,
                       'day', current_date::text, 'settled', '[]'::jsonb, 'isTold', false, 'isLate', false),
                   now() + interval '1 hour', now() + interval '12 hours', now() + interval '12 hours', '{{android}}'
            FROM (SELECT m.user_id AS reader, p.group_id, p.id AS photo,
                         row_number() OVER () AS place, count(*) OVER () AS places
                  FROM photos p JOIN group_members m ON m.group_id = p.group_id AND m.user_id <> p.sender_id
                  WHERE p.expires_at > now() AND p.lease_until IS NULL) AS pair
            JOIN generate_series(1, {count}) AS n ON n % pair.places = pair.place - 1;""")

    def reads(self, skipped=0):
        """Groups and feeds, of all but the first users."""
        requests = []
        for index, (_, token) in list(enumerate(self.users))[skipped:]:
            group = self.groups[index // GROUP_SIZE]
            requests.append(self.request("GET", "/v1/groups", token))
            requests += [self.request("GET", f"/v1/groups/{group}/photos", token)] * 3
        return self.write(f"reads-{skipped}", requests)

    def uploads(self, length, count=None, name="uploads"):
        pairs = self.pairs[:count]
        return self.write(name, [
            self.request("POST", f"/v1/groups/{group}/photos", self.users[index][1], kind="image/jpeg", length=length)
            for index, group in pairs])

    def drips(self):
        """Headers, JSON bodies and pictures that never come to their end."""
        requests = []
        for index, (_, token) in enumerate(self.users):
            group = self.groups[index // GROUP_SIZE]
            long = b"x" * 6000
            requests.append(self.request("GET", "/v1/groups?x=" + "x" * 6000, token).rstrip())
            requests.append(self.request("POST", "/v1/auth/verify", body=b'{"a": "' + long, length=9000))
            requests.append(self.request("POST", f"/v1/groups/{self.pairs[index][1]}/photos", token, long,
                                         kind="image/jpeg", length=10_000_000))
            requests.append(self.request("POST", f"/v1/groups/{group}/photos", token, long, kind="image/jpeg",
                                         length=50_000))
        # No blank line where only the header drips.
        requests[::4] = [request.split(b"\r\n\r\n")[0] for request in requests[::4]]
        return self.write("drips", requests)

    def halves(self):
        picture = png(200, 200)
        requests = []
        for index, (_, token) in enumerate(self.users):
            requests.append(self.request("GET", f"/v1/groups/{self.groups[index // GROUP_SIZE]}/photos", token))
            requests.append(self.request("POST", "/v1/groups", token, b'{"name": "' + b"x" * 400 + b'"}'))
            requests.append(self.request("POST", f"/v1/groups/{self.pairs[index][1]}/photos", token, picture,
                                         kind="image/png"))
        return self.write("halves", requests)


class Bench:
    def __init__(self, options):
        self.options = options
        self.figures = {}
        self.goals = []
        self.service = Process(options, "service", limits__groups_per_user=100)
        self.service.run("migrate")
        self.service.start()
        self.people = People(self.service, options)
        say("signing in")
        self.people.sign_in()
        self.people.make_groups()
        self.reads = self.people.reads()
        self.peak = None

    # Tools

    def generate(self, *arguments, body=None, wait=True, port=None):
        command = ["taskset", "-c", str(self.options.cores[1]), os.path.join(self.options.folder, "generator")]
        mode, rest = arguments[0], arguments[1:]
        environment = dict(os.environ, **({"BODY": body} if body else {}))
        child = subprocess.Popen(command + [mode, str(port or self.service.port), *map(str, rest)],
                                 stdout=subprocess.PIPE, env=environment)
        return json.loads(child.communicate()[0]) if wait else child

    def goal(self, text, met):
        self.goals.append((text, bool(met)))
        print(f"      {'ok  ' if met else 'MISS'}  {text}", flush=True)

    def line(self, text):
        print(f"    {text}", flush=True)

    def closed(self, file, seconds, level, body=None):
        """Answers when each of so many clients asks again once it has its answer."""
        before = self.service.cpu()
        result = self.generate("closed", file, seconds, level, body=body)
        result["cpu_each"] = (self.service.cpu() - before) / max(1, result["good"]["count"])
        result["rate"] = self.per_second(result)
        return result

    @staticmethod
    def per_second(result, after=0):
        """Good answers in each of the seconds; what came when nobody asked any more does not count."""
        seconds = [good for good, _, _ in result["by_second"][after:]]
        return sum(seconds) / max(1, len(seconds))

    def find_peak(self, file, levels, seconds, body=None, between=lambda: None):
        best = None
        for level in levels:
            between()
            result = self.closed(file, seconds, level, body)
            result["level"] = level
            self.line(f"{level:4} at a time: {result['rate']:8.1f}/s, p50 {result['good']['p50']:.1f} ms, "
                      f"p99 {result['good']['p99']:.1f} ms, {result['cpu_each'] * 1e3:.2f} ms CPU each, "
                      f"{result['statuses']}")
            if best is None or result["rate"] > best["rate"]:
                best = result
        return best

    def overload(self, name, file, peak, rounds, seconds, connections, body=None, between=lambda: None):
        """Ten times the peak, and the peak itself before and after it: the machine's own pace changes by the second.

        The first third of each overload is its beginning and does not count.
        """
        def calm():
            between()
            return self.closed(file, seconds / 2, peak["level"], body)

        ratios, peaks, results = [], [calm()], []
        for _ in range(rounds):
            between()
            before, started = self.service.cpu(), time.monotonic()
            result = self.generate("open", file, seconds, 10 * peak["rate"], connections, body=body)
            result["cpu"], result["wall"] = self.service.cpu() - before, time.monotonic() - started
            self.settle()
            results.append(result)
            peaks.append(calm())
            beside = (peaks[-2]["rate"] + peaks[-1]["rate"]) / 2
            ratios.append(self.per_second(result, seconds // 3) / beside)
            refused = result["refused"]["count"]
            cpu_good = (peaks[-2]["cpu_each"] + peaks[-1]["cpu_each"]) / 2
            each = max(0.0, result["cpu"] - result["good"]["count"] * cpu_good) / max(1, refused)
            self.line(f"offered {10 * peak['rate']:.0f}/s: good {ratios[-1] * beside:.1f}/s, at the peak "
                      f"{peaks[-2]['rate']:.1f} and {peaks[-1]['rate']:.1f}/s; {refused / result['seconds']:.0f}/s "
                      f"refused, {result['unsent']} without a connection, {result['lost']} lost, "
                      f"statuses {result['statuses']}")
            self.line(f"  good ones p50 {result['good']['p50']:.0f}, p99 {result['good']['p99']:.0f} ms, refusals p50 "
                      f"{result['refused']['p50']:.1f}, p99 {result['refused']['p99']:.1f} ms; of the service's CPU a "
                      f"good one takes {cpu_good * 1e6:.0f} µs, a refusal {each * 1e6:.1f} µs")
        ratio = statistics.median(ratios)
        self.figures[name] = {
            "ratio": ratio, "ratios": ratios, "offered": 10 * peak["rate"],
            "peak": statistics.median(result["rate"] for result in peaks),
            "p50_good_ms": statistics.median(result["good"]["p50"] for result in results),
            "p99_good_ms": statistics.median(result["good"]["p99"] for result in results),
            "p99_refused_ms": statistics.median(result["refused"]["p99"] for result in results),
            "refused": sum(result["refused"]["count"] for result in results),
            "unsent": sum(result["unsent"] for result in results),
        }
        self.goal(f"goodput under ten times the load {ratio:.2f} of the peak (0.80)", ratio >= 0.8)

    def need_peak(self):
        if self.peak is None:
            self.peak = self.find_peak(self.reads, [16, 64], 2)
        return self.peak

    def calm(self, seconds, share=0.4, port=None):
        """Answers at a part of the peak: what everybody else sees."""
        return self.generate("open", self.reads, seconds, share * self.need_peak()["rate"], 256, port=port)

    # Parts

    def part_reads(self):
        self.peak = self.find_peak(self.reads, [4, 16, 64, 128], 3)
        self.overload("reads", self.reads, self.peak, 8, 6, 1000)
        self.generate("open", self.reads, 4, 10 * self.peak["rate"], 1000)
        after = self.calm(12)
        self.figures["reads"]["recovery_s"] = recovery = self.recovery(after, 0.4 * self.peak["rate"])
        self.line(f"then at 40 %: {after['statuses']}, slowest by second: "
                  f"{[round(s[2]) for s in after['by_second']]} ms")
        self.goal(f"all is well again after {recovery} s (10)", recovery <= 10)

    @staticmethod
    def recovery(after, rate):
        """Seconds to the end of the last one in which somebody was refused, or fewer were answered than had asked."""
        bad = [index for index, (good, refused, _) in enumerate(after["by_second"]) if refused or good < 0.9 * rate]
        return bad[-1] + 1 if bad else 0

    def part_uploads(self):
        body = os.path.join(self.options.folder, "12mp.jpg")
        file = self.people.uploads(os.path.getsize(body))
        peak = self.find_peak(file, [1, 2, 4], 5, body, self.people.new_day)
        self.overload("uploads", file, peak, 3, 12, 400, body, self.people.new_day)

    def part_slow(self):
        self.need_peak()
        drips = self.people.drips()
        calm, slow, ended = [], [], 0
        # In turns, since the machine's own pace changes by the second.
        for _ in range(4):
            calm.append(self.calm(5))
            child = self.generate("drip", drips, 8, 500, wait=False)
            time.sleep(2)
            slow.append(self.calm(5))
            ended += json.loads(child.communicate()[0])["closed"]
            self.settle()
        p99 = [statistics.median(window["good"]["p99"] for window in windows) for windows in (calm, slow)]
        refused = sum(window["refused"]["count"] for window in slow)
        self.figures["slow"] = {"p99_ms": p99[0], "p99_with_drips_ms": p99[1], "refused": refused}
        self.line(f"p99 {p99[0]:.1f} ms alone, {p99[1]:.1f} ms beside 500 that drip ({ended} of them were ended), "
                  f"{refused} refused; all windows {[[round(w['good']['p99']) for w in ws] for ws in (calm, slow)]} ms")
        self.goal(f"500 slow clients: p99 {p99[1] / p99[0]:.2f} times as long (2.0)",
                  p99[1] <= 2 * p99[0] and refused == 0)

    def part_vanish(self):
        halves = self.people.halves()
        self.people.new_day()
        # Once for the allocator and the pools, then what counts.
        self.generate("vanish", halves, 30, 2000)
        self.settle()
        before = self.service.held()
        gone = self.generate("vanish", halves, 60, 10000)
        self.settle()
        after = self.service.held()
        self.figures["vanish"] = {"before": before, "after": after}
        self.line(f"{gone['vanished']} in {gone['seconds']:.1f} s ({gone['failed']} not taken); before {before}, after "
                  f"{after}; upload memory {self.service.metric('dayly_upload_memory_bytes'):.0f}, connections "
                  f"{self.service.metric('dayly_http_connections'):.0f}")
        grown = after["rss_mib"] - before["rss_mib"]
        self.goal(f"10,000 vanished: {grown:+.0f} MiB (24), {after['descriptors'] - before['descriptors']:+} "
                  f"descriptors (8), {after['threads'] - before['threads']:+} threads (4), no upload memory",
                  grown <= 24 and after["descriptors"] - before["descriptors"] <= 8
                  and after["threads"] - before["threads"] <= 4
                  and self.service.metric("dayly_upload_memory_bytes") == 0)

    def settle(self):
        """Until nothing of the vanished is left, for at most 20 s."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            time.sleep(0.5)
            if (self.service.metric("dayly_http_connections") <= 1
                    and self.service.metric("dayly_http_admitted") == 0):
                return

    def part_memory(self):
        body = os.path.join(self.options.folder, "10mb.jpg")
        self.people.new_day()
        file = self.people.uploads(os.path.getsize(body), 64, "large")
        fresh = Process(self.options, "memory", limits__groups_per_user=100).start()
        watcher = Memory(fresh.pid)
        result = self.generate("once", file, 90, body=body, port=fresh.port)
        peak = watcher.end()
        time.sleep(3)
        after = fresh.held()
        fresh.stop()
        self.figures["memory"] = {"peak_mib": peak, "after": after, "statuses": result["statuses"]}
        self.line(f"64 pictures of 10 MB: {result['statuses']}; at most {peak['total']:.0f} MiB together, the service "
                  f"{peak['service']:.0f} of it, decoders {peak['workers']:.0f}, memory files {peak['files']:.0f}; "
                  f"3 s later {after['rss_mib']:.0f} MiB")
        self.goal(f"64 uploads of 10 MB at once: {peak['total']:.0f} MiB (400), and some of them taken",
                  peak["total"] <= 400 and result["good"]["count"] > 0
                  and set(result["statuses"]) <= {"201", "503"})

    def part_hang(self):
        self.need_peak()
        gateway, store = Peer(), Peer()
        # Only one service at a time may have the database, and each has a bucket of its own.
        self.service.stop()
        for table in ["restore_guard", "journal_steps"]:
            self.people.sql(f"CREATE TABLE their_{table} AS TABLE {table}; DELETE FROM {table}")
        other = Process(
            self.options, "hang", limits__groups_per_user=100, storage__kind="s3",
            storage__s3__endpoint=f"http://127.0.0.1:{store.port}", storage__s3__bucket="bucket",
            storage__s3__access_key_id="id", storage__s3__secret_access_key="secret", sms__kind="http",
            sms__http__url=f"http://127.0.0.1:{gateway.port}/", sms__http__token="token").start()
        picture = os.path.join(self.options.folder, "small.png")
        with open(picture, "wb") as file:
            file.write(png())
        uploads = self.people.uploads(os.path.getsize(picture), name="small")
        asks = self.people.write("asks", [
            self.people.request("POST", "/v1/auth/request-verification",
                                body=json.dumps({"phone_number": f"+4915113{index:06}"}).encode())
            for index in range(500)])
        p99, statuses, slowest = ([], []), ({}, {}), 0
        # The same uploads and codes all the time; store and gateway answer in one round, and hang in the next.
        for _ in range(4):
            for hangs in (False, True):
                gateway.is_silent = store.is_silent = hangs
                self.people.new_day()
                sent = [self.generate("open", uploads, 7, 4, 100, body=picture, wait=False, port=other.port),
                        self.generate("open", asks, 7, 20, 50, wait=False, port=other.port)]
                time.sleep(1.5)
                p99[hangs].append(self.calm(5, 0.25, other.port)["good"]["p99"])
                answers = json.loads(sent[0].communicate()[0])
                sent[1].communicate()
                for status, count in answers["statuses"].items():
                    statuses[hangs][status] = statuses[hangs].get(status, 0) + count
                if hangs:
                    slowest = max(slowest, answers["refused"]["max"] / 1000)
        other.stop(signal.SIGKILL)
        median = [statistics.median(windows) for windows in p99]
        self.figures["hang"] = {"p99_ms": median[0], "p99_beside_ms": median[1], "slowest_503_s": slowest}
        self.line(f"p99 {median[0]:.1f} ms while store and gateway answer ({statuses[0]}), {median[1]:.1f} ms while they "
                  f"hang ({statuses[1]}, the slowest after {slowest:.1f} s); all windows "
                  f"{[[round(value, 1) for value in windows] for windows in p99]} ms")
        self.goal(f"hanging store and gateway: p99 {median[1] / median[0]:.2f} times as long (1.2)",
                  median[1] <= 1.2 * median[0] and set(statuses[0]) == {"201"})
        self.goal(f"hung uploads end with 503 after at most {slowest:.1f} s (12)",
                  set(statuses[1]) == {"503"} and slowest <= 12)
        for table in ["restore_guard", "journal_steps"]:
            self.people.sql(
                f"DELETE FROM {table}; INSERT INTO {table} TABLE their_{table}; DROP TABLE their_{table}")
        self.service.start()

    def beside(self, rounds, begin, end, share=0.25, port=None, file=None):
        """The medians of the 99th percentiles without and with what `begin` starts and `end` ends, in turns; all of them;
        and what the service's CPU time grew by, as a share of a core."""
        p99, used = ([], []), ([], [])
        service = next(one for one in Process.running if one.port == (port or self.service.port))
        for _ in range(rounds):
            for is_on in (False, True):
                if is_on:
                    started = begin()
                    time.sleep(1.5)
                before, began = service.cpu(), time.monotonic()
                result = self.generate("open", file or self.reads, 5, share * self.need_peak()["rate"], 256, port=port)
                used[is_on].append((service.cpu() - before) / (time.monotonic() - began))
                p99[is_on].append(result["good"]["p99"])
                if is_on:
                    end(started)
                    time.sleep(1)
        grown = statistics.median(used[1]) - statistics.median(used[0])
        return [statistics.median(windows) for windows in p99], p99, grown

    def part_renames(self):
        self.need_peak()
        # As shipped, with its limits on one account.
        shipped = Process(self.options, "renames", limits__groups_per_user=100, limits__enforce_rates="true").start()
        token, group = self.people.users[0][1], self.people.groups[0]
        renames = self.people.write("renames", [
            self.people.request("PUT", f"/v1/groups/{group}", token, json.dumps({"name": f"Name {index}"}).encode())
            for index in range(128)])
        others = self.people.reads(skipped=1)
        statuses = {}

        def begin():
            # Each as soon as it may: at once after a rename, and a second after a refusal.
            return self.generate("patient", renames, 8, 128, wait=False, port=shipped.port)

        def end(child):
            for status, count in json.loads(child.communicate()[0])["statuses"].items():
                statuses[status] = statuses.get(status, 0) + count

        median, windows, used = self.beside(5, begin, end, port=shipped.port, file=others)
        shipped.stop()
        self.figures["renames"] = {"p99_ms": median[0], "p99_beside_ms": median[1], "cpu": used,
                                   "statuses": statuses}
        self.line(f"p99 of everybody else {median[0]:.1f} ms alone, {median[1]:.1f} ms beside 128 clients of one "
                  f"account that rename ({statuses}) and take {100 * used:.0f} % of a core; all windows "
                  f"{[[round(value, 1) for value in values] for values in windows]} ms")
        self.goal(f"128 parallel renames by one account: p99 {median[1] / median[0]:.2f} times as long (1.5)",
                  median[1] <= 1.5 * median[0] and statuses.get("200", 0) > 0)

    def part_pipelining(self):
        count = 10_000
        crowd = Process(self.options, "crowd", http__max_connections=2 * count).start()
        short = self.people.request("GET", "/v1/groups")
        long = short.replace(b"\r\n\r\n", b"\r\nA: " + b"x" * 6000 + b"\r\n\r\n")
        files = {"idle": self.people.request("GET", "/healthz"), "short": short * 3000, "long": long * 40}
        files = {name: self.people.write("hold-" + name, [requests]) for name, requests in files.items()}
        # Once for the allocator, then what counts.
        for name in files:
            self.generate("hold", files[name], 3, 500, port=crowd.port)
        peaks, held = {}, {}
        for name in files:
            watcher = Memory(crowd.pid)
            held[name] = self.generate("hold", files[name], 30, count, port=crowd.port)
            peaks[name] = watcher.end()["service"]
            time.sleep(5)
        crowd.stop()
        each = {name: (peaks[name] - peaks["idle"]) * 1024 / count for name in ("short", "long")}
        self.figures["pipelining"] = {"peak_mib": peaks, "over_idle_kib": each, "held": held}
        self.line(f"{count} connections: {peaks['idle']:.0f} MiB idle, {peaks['short']:.0f} MiB with 3,000 short "
                  f"requests each, {peaks['long']:.0f} MiB with 40 of 6 KB; {held}")
        self.goal(f"a connection that pipelines and reads nothing: {max(each.values()):.1f} KiB more than an idle one "
                  f"(64)", max(each.values()) <= 64 and all(one["most"] >= 0.95 * count for one in held.values()))

    def part_backlog(self):
        self.need_peak()
        provider = Provider(seconds=1)
        account = os.path.join(self.options.folder, "fcm.json")
        key = subprocess.run(["openssl", "genrsa", "2048"], check=True, capture_output=True, text=True).stdout
        with open(account, "w", encoding="ascii") as file:
            json.dump({"project_id": "bench", "client_email": "bench@dayly.test", "private_key": key,
                       "token_uri": f"http://127.0.0.1:{provider.port}/token"}, file)
        self.people.new_day()
        self.people.notify(5_000)
        pushing = Process(
            self.options, "backlog", limits__groups_per_user=100, push__kind="fcm",
            push__fcm__url=f"http://127.0.0.1:{provider.port}", push__fcm__service_account=account).start()

        def begin():
            self.people.sql("UPDATE outbox SET due_at = now() WHERE done_at IS NULL AND topic = 'notice'")

        def end(_=None):
            self.people.sql("UPDATE outbox SET due_at = now() + interval '1 hour' "
                            "WHERE done_at IS NULL AND topic = 'notice'")
            time.sleep(1.5)

        # Statements of the deliveries alone: what the service does anyway is taken off.
        counts = []
        for is_on in (False, True):
            if is_on:
                begin()
            time.sleep(3)
            before = self.people.statements(), provider.accepted
            time.sleep(15)
            counts.append((self.people.statements() - before[0], provider.accepted - before[1]))
        end()
        delivered = counts[1][1]
        each = (counts[1][0] - counts[0][0]) / max(1, delivered)
        median, windows, used = self.beside(6, begin, end, port=pushing.port)
        left = int(self.people.value("SELECT count(*) FROM outbox WHERE done_at IS NULL AND topic = 'notice'"))
        pushing.stop()
        self.people.sql("DELETE FROM outbox; DELETE FROM devices")
        self.figures["backlog"] = {"statements_each": each, "per_second": delivered / 15, "p99_ms": median[0],
                                   "p99_beside_ms": median[1], "cpu": used, "left": left}
        self.line(f"{delivered / 15:.1f} messages/s to a provider that takes 1 s, {each:.1f} statements each; p99 of "
                  f"requests {median[0]:.1f} ms alone, {median[1]:.1f} ms beside the backlog, which takes "
                  f"{100 * used:.0f} % of a core and of which {left} are left; all windows {[[round(value, 1) for value in values] for values in windows]} ms")
        self.goal(f"{each:.1f} statements for each delivered message (20)", delivered > 0 and each <= 20)
        self.goal(f"5,000 due messages: p99 of requests {median[1] / median[0]:.2f} times as long (1.2)",
                  median[1] <= 1.2 * median[0] and left > 0)

    def part_sigterm(self):
        child = self.generate("closed", self.reads, 8, 32, wait=False)
        time.sleep(2)
        status = self.service.stop()
        result = json.loads(child.communicate()[0])
        self.figures["sigterm"] = {"lost": result["lost"], "answered": result["good"]["count"], "status": status}
        self.line(f"{result['good']['count']} answered, {result['lost']} lost, {result['broken']} broken while being "
                  f"sent, exit status {status}")
        self.goal("SIGTERM under load loses no request", result["lost"] == 0 and status == 0)
        self.service.start()


class Peer:
    """As much of an S3 server, or of an SMS gateway, as the service asks for; while it is silent, it answers nothing."""

    def __init__(self):
        self.is_silent = False
        self.objects = {}
        peer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if peer.is_silent:
                    threading.Event().wait()
                path, _, query = self.path.partition("?")
                status, answer, headers = 200, b"", {}
                if self.command == "PUT":
                    peer.objects[path.split("/", 2)[2]] = body
                    headers["ETag"] = '"' + hashlib.md5(body).hexdigest() + '"'
                elif self.command == "GET" and "list-type" in query:
                    prefix = urllib.parse.parse_qs(query).get("prefix", [""])[0]
                    found = sorted(key for key in peer.objects if key.startswith(prefix))
                    answer = ("<ListBucketResult><IsTruncated>false</IsTruncated>" + "".join(
                        f"<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
                        f"<Size>{len(peer.objects[key])}</Size></Contents>" for key in found)
                        + "</ListBucketResult>").encode()
                elif self.command in ("GET", "HEAD"):
                    answer = peer.objects.get(path.split("/", 2)[-1], b"")
                    status = 200 if answer or path.count("/") < 2 else 404
                elif path != "/":
                    # Nothing else is asked of a store here.
                    status = 501
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(answer)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()


class Provider:
    """As much of Firebase Cloud Messaging, and of the server that gives out its tokens, as the service asks for."""

    def __init__(self, seconds):
        self.accepted = 0
        lock = threading.Lock()
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self):
                # The provider shares a core with the clients. It must not delay their measurements.
                os.sched_setscheduler(threading.get_native_id(), os.SCHED_IDLE, os.sched_param(0))
                super().setup()

            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                answer = {"access_token": "token", "expires_in": 3600, "token_type": "Bearer"}
                if self.path != "/token":
                    time.sleep(seconds)
                    with lock:
                        provider.accepted += 1
                    answer = {"name": "projects/bench/messages/1"}
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()


class Memory:
    """The most that a process and what it started held: proportional set sizes, and memory files nobody has mapped."""

    def __init__(self, pid):
        self.pid = pid
        self.peak = {"total": 0, "service": 0, "workers": 0, "files": 0}
        self.going = True
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def watch(self):
        while self.going:
            service, files = self.pss(self.pid), self.memory_files()
            workers = sum(self.pss(child) for child in self.children())
            total = service + workers + files
            if total > self.peak["total"]:
                self.peak = {"total": total, "service": service, "workers": workers, "files": files}
            time.sleep(0.02)

    def end(self):
        self.going = False
        self.thread.join()
        return self.peak

    def children(self):
        try:
            tasks = os.listdir(f"/proc/{self.pid}/task")
            return [int(child) for task in tasks
                    for child in open(f"/proc/{self.pid}/task/{task}/children").read().split()]
        except OSError:
            return []

    @staticmethod
    def pss(pid):
        try:
            return int(re.search(r"Pss:\s+(\d+)", open(f"/proc/{pid}/smaps_rollup").read()).group(1)) / 1024
        except (OSError, AttributeError):
            return 0

    def memory_files(self):
        total = 0
        try:
            for name in os.listdir(f"/proc/{self.pid}/fd"):
                path = f"/proc/{self.pid}/fd/{name}"
                try:
                    if os.readlink(path).startswith("/memfd:"):
                        total += os.stat(path).st_blocks * 512
                except OSError:
                    pass
        except OSError:
            pass
        return total / 1048576


PARTS = ["reads", "uploads", "slow", "renames", "vanish", "pipelining", "memory", "hang", "backlog", "sigterm"]


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
    subprocess.run(["psql", "-qX", options.database, "-c", "DROP SCHEMA public CASCADE; CREATE SCHEMA public"],
                   check=True, stderr=subprocess.DEVNULL)
    # Objects of another database: the service would refuse them.
    shutil.rmtree(os.path.join(options.folder, "data"), ignore_errors=True)
    bench = Bench(options)
    try:
        for part in PARTS:
            if part in parts:
                print(part, flush=True)
                getattr(bench, "part_" + part)()
    finally:
        bench.service.stop()
    if options.json:
        print(json.dumps(bench.figures, indent=2))
    missed = [text for text, met in bench.goals if not met]
    print(f"{len(bench.goals) - len(missed)} of {len(bench.goals)} goals are met")
    for text in missed:
        print(f"  missed: {text}")
    sys.exit(1 if missed and options.check else 0)


main()
