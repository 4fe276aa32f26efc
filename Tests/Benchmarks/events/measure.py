"""Starts a PostgreSQL and two services of its own. Opens N idle streams of events on the first and prints what they
cost it in memory and CPU time, beside as many idle connections without a stream (the limit). Then groups of twelve
are renamed whose members listen on both services, and it prints how long after the call their phones have the event,
beside the call's answer.

With --commits it measures something else, without a service: how many transactions that write an event PostgreSQL
commits in a second, without and with a NOTIFY in each, on a durable cluster, and then with
synchronous_commit = remote_apply to a standby. Each pair takes turns.
"""

import base64
import ctypes
import hashlib
import json
import os
import re
import resource
import select
import socket
import struct
import subprocess
import sys
import time
import urllib.parse
import uuid

from bench import Parser, prepared
from ports import free_port
from service_process import ServiceProcess, settings_environment

MEMBERS = 12


class Database:
    """PostgreSQL's own protocol, as much of it as is needed: simple queries and notifications, on a trusted socket."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        folder, port = urllib.parse.unquote(parts.netloc.split("@")[1]).rsplit(":", 1)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{folder}/.s.PGSQL.{port}")
        startup = struct.pack("!i", 196608) + b"user\0dayly\0database\0" + parts.path[1:].encode() + b"\0\0"
        self.socket.sendall(struct.pack("!i", len(startup) + 4) + startup)
        self.poll = select.poll()
        self.poll.register(self.socket, select.POLLIN)
        self.buffer = b""
        self.notices = []
        self.until_ready()

    def message(self):
        while True:
            if len(self.buffer) >= 5:
                (length,) = struct.unpack("!i", self.buffer[1:5])
                if len(self.buffer) > length:
                    kind, body = self.buffer[:1], self.buffer[5 : length + 1]
                    self.buffer = self.buffer[length + 1 :]
                    return kind, body
            data = self.socket.recv(65536)
            if not data:
                sys.exit("PostgreSQL closed the connection")
            self.buffer += data

    def until_ready(self):
        while True:
            kind, body = self.message()
            if kind == b"E":
                sys.exit(f"PostgreSQL: {body!r}")
            if kind == b"A":
                self.notices.append(time.perf_counter())
            if kind == b"Z":
                return

    def run(self, sql):
        query = sql.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack("!i", len(query) + 4) + query)
        self.until_ready()

    def read_notices(self):
        """All that are there, without waiting."""
        while self.poll.poll(0):
            kind, _ = self.message()
            if kind == b"A":
                self.notices.append(time.perf_counter())


class Tokens:
    """Access tokens as the service signs them."""

    def __init__(self, key, issuer):
        self.issuer = issuer
        command = ["openssl", "ec", "-in", key, "-pubout", "-outform", "DER"]
        point = subprocess.run(command, check=True, capture_output=True).stdout[-64:]
        x, y = (base64url(half) for half in (point[:32], point[32:]))
        name = f'{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}'
        self.header = {"alg": "ES256", "kid": base64url(hashlib.sha256(name.encode()).digest()), "typ": "at+jwt"}
        self.crypto = ctypes.CDLL("libcrypto.so.3")
        for function in ("BIO_new_file", "PEM_read_bio_PrivateKey", "EVP_MD_CTX_new", "EVP_sha256"):
            getattr(self.crypto, function).restype = ctypes.c_void_p
        file = ctypes.c_void_p(self.crypto.BIO_new_file(key.encode(), b"r"))
        self.key = ctypes.c_void_p(self.crypto.PEM_read_bio_PrivateKey(file, None, None, None))

    def sign(self, message):
        context = ctypes.c_void_p(self.crypto.EVP_MD_CTX_new())
        digest = ctypes.c_void_p(self.crypto.EVP_sha256())
        self.crypto.EVP_DigestSignInit(context, None, digest, None, self.key)
        length = ctypes.c_size_t(128)
        signature = ctypes.create_string_buffer(128)
        self.crypto.EVP_DigestSign(context, signature, ctypes.byref(length), message, ctypes.c_size_t(len(message)))
        self.crypto.EVP_MD_CTX_free(context)
        # DER: 30 length 02 length r 02 length s.
        der, halves, place = signature.raw[: length.value], [], 2
        for _ in range(2):
            size = der[place + 1]
            halves.append(int.from_bytes(der[place + 2 : place + 2 + size], "big").to_bytes(32, "big"))
            place += 2 + size
        return b"".join(halves)

    def token(self, user, session):
        now = int(time.time()) - 1
        claims = {"iss": self.issuer, "aud": "dayly", "sub": user, "sid": session}
        claims |= {"iat": now, "nbf": now, "exp": now + 3600}
        text = ".".join(base64url(json.dumps(part).encode()) for part in (self.header, claims))
        return f"{text}.{base64url(self.sign(text.encode()))}"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def people(database, count):
    """Users in groups of twelve, each with a session: [(user, session)], and the groups' ids."""
    users = [(str(uuid.uuid4()), str(uuid.uuid4())) for _ in range(count)]
    groups = [str(uuid.uuid4()) for _ in range((count + MEMBERS - 1) // MEMBERS)]
    serial = iter(range(10**9))
    start = int(time.time() * 10) % 10**7 * 1000

    def rows(table, columns, values):
        values = list(values)
        for first in range(0, len(values), 500):
            database.run(f"INSERT INTO {table} ({columns}) VALUES " + ", ".join(values[first : first + 500]))

    rows("users", "id, phone_number, first_name",
         (f"('{user}', '+4{start + next(serial)}', 'Ada')" for user, _ in users))
    rows("sessions", "id, user_id, refresh_nonce, expires_at",
         (f"('{session}', '{user}', '\\x00', now() + interval '1 day')" for user, session in users))
    rows("groups", "id, name", (f"('{group}', 'Family')" for group in groups))
    rows("group_members", "group_id, user_id",
         (f"('{groups[i // MEMBERS]}', '{user}')" for i, (user, _) in enumerate(users)))
    return users, groups


class Clients:
    """Open connections, and what comes over them."""

    def __init__(self):
        self.poll = select.epoll()
        self.sockets = {}
        self.received = {}
        self.marker = b""
        self.begun = set()
        self.arrivals = []

    def open(self, port, requests, marker):
        """Opens a connection for each request, until each answer has the marker. At most 50 are under way, because the service
        refuses requests beyond those that it works on at a time."""
        opened, waiting, requests = [], set(), list(requests)
        self.marker = marker
        deadline = time.perf_counter() + 120
        while requests or waiting:
            while requests and len(waiting) < 50:
                connection = socket.create_connection(("127.0.0.1", port))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
                connection.sendall(requests.pop())
                connection.setblocking(False)
                number = connection.fileno()
                self.sockets[number], self.received[number] = connection, b""
                self.poll.register(number, select.EPOLLIN)
                self.begun.discard(number)
                waiting.add(number)
                opened.append(number)
            self.turn(0.05)
            waiting -= self.begun
            self.begun.clear()
            if time.perf_counter() > deadline:
                sys.exit(f"{len(waiting)} connections got no answer")
        return opened

    def turn(self, seconds):
        for number, _ in self.poll.poll(seconds):
            now = time.perf_counter()
            try:
                data = self.sockets[number].recv(65536)
            except BlockingIOError:
                continue
            if not data:
                sys.exit("a connection was closed")
            if data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 200 "):
                sys.exit(f"a request was refused: {data[:200]!r}")
            self.received[number] += data
            if self.marker in self.received[number]:
                self.begun.add(number)
            for name in re.findall(rb'event: group\.updated\n.*?"name":"Name ([0-9]+)"', self.received[number], re.S):
                self.arrivals.append((number, int(name), now))
            # Complete events need no further look.
            self.received[number] = self.received[number][self.received[number].rfind(b"\n\n") + 1 :]

    def wait(self, seconds):
        deadline = time.perf_counter() + seconds
        while (left := deadline - time.perf_counter()) > 0:
            self.turn(min(left, 0.1))

    def close(self, numbers):
        for number in numbers:
            self.poll.unregister(number)
            self.sockets.pop(number).close()
            del self.received[number]


def memory(process):
    """(RSS, PSS) in KiB."""
    text = open(f"/proc/{process}/smaps_rollup", encoding="ascii").read()
    return tuple(int(re.search(rf"^{name}:\s+(\d+)", text, re.M).group(1)) for name in ("Rss", "Pss"))


def cpu(process):
    fields = open(f"/proc/{process}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stream_request(token):
    return f"GET /v1/events HTTP/1.1\r\nHost: dayly\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def idle(options, database, tokens, clients, service):
    port, process = service
    # Memory that stays for good is allocated before the count begins.
    users, _ = people(database, 300)
    warm = clients.open(port, [stream_request(tokens.token(*user)) for user in users], b"\n\n")
    clients.wait(2)
    clients.close(warm)
    # The service notices that they are gone when it next speaks to them.
    clients.wait(28)
    before = memory(process)

    bare = b"GET /healthz HTTP/1.1\r\nHost: dayly\r\n\r\n"
    count = min(options.streams, 1000)
    connections = clients.open(port, [bare] * count, b"\r\n\r\n")
    clients.wait(1)
    limit = memory(process)
    clients.close(connections)
    clients.wait(2)

    users, _ = people(database, options.streams)
    requests = [stream_request(tokens.token(*user)) for user in users]
    began = time.perf_counter()
    clients.open(port, requests, b"\n\n")
    opened = time.perf_counter() - began
    clients.wait(14)
    used = cpu(process)
    clients.wait(10)
    used = (cpu(process) - used) / 10
    after = memory(process)
    return {
        "streams": options.streams,
        "idle_rss_mib": before[0] / 1024,
        "over_idle_rss_mib": (after[0] - before[0]) / 1024,
        "over_idle_pss_mib": (after[1] - before[1]) / 1024,
        "stream_kib": (after[1] - before[1]) / options.streams,
        "bare_connection_kib": (limit[1] - before[1]) / count,
        "opened_per_second": options.streams / opened,
        "idle_cpu_percent": used * 100,
    }


class Caller:
    """A client that renames groups, and sees when the answer is there."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.poll = select.poll()
        self.poll.register(self.socket, select.POLLIN)

    def rename(self, group, name, token):
        body = json.dumps({"name": name}).encode()
        self.socket.sendall(
            f"PUT /v1/groups/{group} HTTP/1.1\r\nHost: dayly\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)

    def answered(self):
        if not self.poll.poll(0):
            return False
        answer = self.socket.recv(65536)
        if not answer.startswith(b"HTTP/1.1 200"):
            sys.exit(f"a group could not be renamed: {answer[:200]!r}")
        return True


def fan_out(options, database, url, tokens, clients, services):
    users, groups = people(database, 20 * MEMBERS)
    listener = Database(url)
    listener.run("LISTEN dayly_group_events")
    where = {}
    for half, (port, _) in enumerate(services):
        mine = [user for index, user in enumerate(users) if index % 2 == half]
        for number in clients.open(port, [stream_request(tokens.token(*user)) for user in mine], b"\n\n"):
            where[number] = half
    clients.wait(1)
    caller = Caller(services[0][0])
    listener.read_notices()
    begins, answers, told = {}, [], []
    for index in range(options.events):
        group = index % len(groups)
        listener.notices.clear()
        begins[index] = begun = time.perf_counter()
        caller.rename(groups[group], f"Name {index}", tokens.token(*users[group * MEMBERS]))
        # Looked at in turns, so that all are seen as late.
        is_answered = False
        while time.perf_counter() < begun + 0.06:
            clients.turn(0.001)
            if not is_answered and caller.answered():
                is_answered = True
                answers.append(time.perf_counter() - begun)
            if not listener.notices:
                listener.read_notices()
        if listener.notices:
            told.append(listener.notices[0] - begun)
    clients.wait(3)
    own = [(where[number], name, at) for number, name, at in clients.arrivals if number in where]
    delays = [[], []]
    for half, name, at in own:
        delays[half].append((at - begins[name]) * 1000)
    expected = options.events * MEMBERS
    distinct = len({(number, name) for number, name, _ in clients.arrivals if number in where})
    result = {
        "events": options.events,
        "expected": expected,
        "received": len(own),
        "lost": expected - distinct,
        "twice": len(own) - distinct,
        "answer_p50_ms": percentile(answers, 0.5) * 1000,
        "answer_p99_ms": percentile(answers, 0.99) * 1000,
        "notified_p50_ms": percentile(told, 0.5) * 1000,
        "notified_p99_ms": percentile(told, 0.99) * 1000,
    }
    for name, half in zip(("own", "other"), delays):
        result |= {f"{name}_p50_ms": percentile(half, 0.5), f"{name}_p99_ms": percentile(half, 0.99)}
    return result


def settings(options, url):
    return {
        "environment": "development", "data_dir": options.folder / "data", "database.url": options.database,
        "database.migrations_path": options.migrations, "http.admin_port": 0, "http.public_url": url,
        "auth.signing_keys": options.key, "auth.access_token_lifetime": "1h", "limits.enforce_rates": "false",
        "http.max_connections": 100_000,
    }


def measure(options):
    dayly, ports = options.products / "dayly", [free_port(), free_port()]
    url = f"http://127.0.0.1:{ports[0]}"
    environment = settings_environment(settings(options, url))
    subprocess.run([dayly, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
    services = [ServiceProcess([dayly, "serve"], port, environment | {"DAYLY_HTTP_PORT": str(port)},
                               options.folder / f"service-{port}.log") for port in ports]
    try:
        for service in services:
            service.start()
        places = [(service.port, service.pid) for service in services]
        database, tokens, clients = Database(options.socket_url), Tokens(str(options.key), url), Clients()
        return idle(options, database, tokens, clients, places[0]) | fan_out(
            options, database, options.socket_url, tokens, clients, places)
    finally:
        for service in services:
            service.stop(seconds=10)


def main():
    parser = Parser(__doc__)
    parser.add("--streams", 5000, "idle streams")
    parser.add("--events", 300, "renames")
    parser.add_argument("--commits", action="store_true", help="measures commits instead")
    options = parser.parse_args()
    if options.commits:
        os.execv("Tests/Benchmarks/events/commits", ["commits"])
    # Both ends of every connection are on this machine.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with prepared(options, ["--no-fsync"], packages=["openssl"], on_core=False):
        options.key = options.folder / "signing.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", options.key],
                       check=True, stderr=subprocess.DEVNULL)
        result = measure(options)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        print(
            "{streams} idle streams: {over_idle_pss_mib:.0f} MiB (PSS; RSS {over_idle_rss_mib:.0f} MiB) over the idle"
            " service's {idle_rss_mib:.0f} MiB, {stream_kib:.1f} KiB each; a connection without a stream"
            " {bare_connection_kib:.1f} KiB\n"
            "  opened at {opened_per_second:.0f}/s; then {idle_cpu_percent:.1f} % of a core\n"
            "{events} renames seen by 12 members on two services: call to event p50 {own_p50_ms:.1f} ms, p99"
            " {own_p99_ms:.1f} ms on the service that was called, p50 {other_p50_ms:.1f} ms, p99 {other_p99_ms:.1f} ms on"
            " the other one; call to answer p50 {answer_p50_ms:.1f} ms, p99 {answer_p99_ms:.1f} ms; call to NOTIFY p50"
            " {notified_p50_ms:.1f} ms, p99 {notified_p99_ms:.1f} ms\n"
            "  {received} of {expected} events received, {lost} lost, {twice} twice".format(**result))
    if options.check:
        goal = 128 if options.streams == 5000 else options.streams * 26 / 1024
        missed = []
        if result["over_idle_pss_mib"] > goal:
            missed.append(f"the streams take {result['over_idle_pss_mib']:.0f} MiB, more than {goal:.0f}")
        if result["lost"] or result["twice"]:
            missed.append("events are lost or come twice")
        for text in missed:
            print(f"missed: {text}", file=sys.stderr)
        sys.exit(1 if missed else 0)


main()
