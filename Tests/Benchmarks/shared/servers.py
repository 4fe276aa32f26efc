"""The servers that a bench starts, and the CPU time that they have used."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import NamedTuple

from ports import free_port


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


def settings_environment(values):
    """The environment of a service with these settings."""
    return {"PATH": os.environ["PATH"]} | {
        "DAYLY_" + key.upper().replace(".", "_"): str(value) for key, value in values.items()}


def s3_environment(options, **more):
    """The environment of a service with an empty bucket of the S3 server that the bench has started."""
    store = {name: os.environ["DAYLY_TEST_S3_RCLONE_" + name] for name in ("URL", "KEY", "SECRET")}
    data = os.path.join(options.folder, "data")
    for folder in (data, os.path.join(options.buckets, "photos")):
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(options.buckets, "photos"))
    port = free_port()
    return settings_environment({
        "environment": "development", "data_dir": data, "database.url": options.database,
        "database.migrations_path": options.migrations, "http.port": port,
        "http.public_url": f"http://127.0.0.1:{port}", "http.admin_port": free_port(),
        # Longer than the bench takes.
        "auth.access_token_lifetime": "1d", "limits.enforce_rates": "false", "sms.kind": "console",
        "storage.kind": "s3", "storage.s3.endpoint": store["URL"], "storage.s3.bucket": "photos",
        "storage.s3.access_key_id": store["KEY"], "storage.s3.secret_access_key": store["SECRET"],
    } | more)


def start_service(options, environment):
    """Migrates an empty database and starts `dayly serve` on it."""
    Database(options.database).run("DROP SCHEMA public CASCADE; CREATE SCHEMA public;")
    dayly = os.path.join(options.products, "dayly")
    subprocess.run([dayly, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
    return Server("service", [dayly, "serve"], int(environment["DAYLY_HTTP_PORT"]), options, environment)


def start_peer(options, environment):
    """Starts the service in Python (Tests/Benchmarks/peer) on the service's database and bucket."""
    port = free_port()
    return Server(
        "peer", [options.uvicorn, "peer:app", "--app-dir", options.peer, "--port", str(port), "--loop", "uvloop",
                 "--http", "httptools", "--workers", "1"], port, options, environment)


def process_cpu(pid):
    """The seconds of CPU time of a process and of all the threads that it ever had; 0 for one that has ended."""
    try:
        # The kernel's clock of another process (CPUCLOCK_SCHED), which /proc/PID/stat shows in hundredths only.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


class Server:
    """An HTTP server on the core of the servers."""

    running = []

    def __init__(self, name, command, port, options, environment=None):
        self.name = name
        self.port = port
        self.log = os.path.join(options.folder, name + ".log")
        with open(self.log, "wb") as log:
            self.child = subprocess.Popen(
                ["taskset", "-c", str(options.cores[0]), *command], env=environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log)
        Server.running.append(self)
        self.wait()

    def wait(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.child.poll() is None:
            try:
                self.get("/healthz")
                return
            except OSError:
                time.sleep(0.05)
        sys.exit(f"error: {self.name} does not start: see {self.log}")

    def stop(self):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(20)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()

    def cpu(self):
        return process_cpu(self.child.pid)

    def call(self, method, path, token=None, body=None, kind="application/json", headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = (headers or {}) | ({"Authorization": "Bearer " + token} if token else {})
        if body is not None:
            headers["Content-Type"] = kind
            body = json.dumps(body) if isinstance(body, dict) else body
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def get(self, path, token=None):
        return self.call("GET", path, token)


class Database:
    """A PostgreSQL server: its CPU time is that of all its processes, the ended ones included."""

    def __init__(self, url):
        self.url = url
        with open(os.path.join(self.value("SHOW data_directory"), "postmaster.pid")) as file:
            self.postmaster = int(file.readline())
        self.ticks = os.sysconf("SC_CLK_TCK")

    def cpu(self):
        with open(f"/proc/{self.postmaster}/task/{self.postmaster}/children") as file:
            children = [int(pid) for pid in file.read().split()]
        with open(f"/proc/{self.postmaster}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        ended = sum(int(field) for field in fields[13:15]) / self.ticks
        return ended + sum(process_cpu(pid) for pid in [self.postmaster, *children])

    def run(self, text):
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", self.url], input=text.encode(), check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def value(self, text):
        return subprocess.run(["psql", "-qXAt", self.url, "-c", text], check=True, capture_output=True,
                              text=True).stdout.strip()
